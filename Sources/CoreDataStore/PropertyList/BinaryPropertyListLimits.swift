/// How much a binary property list may ask of the reader. Counts are taken after shared objects are expanded, so that
/// a small file cannot stand for an enormous value.
package struct BinaryPropertyListLimits: Hashable, Sendable {
    /// Bytes of the whole property list.
    package var inputBytes = 1 << 26
    /// Containers inside each other.
    package var depth = 128
    /// Values, containers and keys included.
    package var values = 1 << 20
    /// Bytes of all strings and data together, as they stand in the file.
    package var contentBytes = 1 << 28

    package init() {}
}
