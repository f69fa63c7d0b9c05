/// Why a text is not XML, or not supported XML.
package struct XMLError: Error, Hashable {
    /// Lower case, no full stop.
    package let reason: String
    /// Bytes from the start of the text.
    package let offset: Int

    package init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
