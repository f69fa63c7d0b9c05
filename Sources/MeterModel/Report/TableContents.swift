/// The proof that a table's rows are the same before and after a change.
package struct TableContents: Hashable, Sendable {
    package let name: String
    package let rows: Int
    /// SHA-256 over the values of all rows, 32 bytes.
    package let before: [UInt8]
    package let after: [UInt8]

    package init(name: String, rows: Int, before: [UInt8], after: [UInt8]) {
        self.name = name
        self.rows = rows
        self.before = before
        self.after = after
    }
}
