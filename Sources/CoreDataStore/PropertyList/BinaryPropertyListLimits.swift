/// How much a binary property list may contain. Counts are taken after shared objects are expanded, so that a small
/// file cannot expand to an enormous value.
package struct BinaryPropertyListLimits: Hashable, Sendable {
    /// Bytes of the whole property list.
    package var inputBytes = 1 << 26
    /// Depth of nested containers.
    package var depth = 128
    /// Values, containers and keys included.
    package var values = 1 << 20
    /// Bytes of all strings and data together, as in the file.
    package var contentBytes = 1 << 28

    package init() {}
}
