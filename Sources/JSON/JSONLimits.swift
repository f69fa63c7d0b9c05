/// How much a JSON text may ask of the reader. json-c keeps every value as an object of its own, an empty `{}` as most
/// of a kilobyte: counts bound memory, where the text's length alone would not.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    package var inputBytes = 1 << 27
    /// Values of any kind.
    package var values = 3 << 20
    /// Objects and arrays among them.
    package var containers = 1 << 18
    /// Bytes from which on an object is read part by part.
    package var partBytes = 1 << 14

    package init() {}
}
