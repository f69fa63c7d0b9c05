/// Why bytes are not a binary property list, and where.
package struct BinaryPropertyListError: Error, Hashable, CustomStringConvertible {
    package let reason: String
    /// Bytes from the start of the property list.
    package let offset: Int

    init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "\(reason), at byte \(offset) of the property list" }
}
