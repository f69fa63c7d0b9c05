/// A meter that somebody had deleted, and that an import makes again.
package struct RevivedMeter: Hashable, Sendable {
    package let address: MACAddress
    package let deletion: Deletion

    package init(_ address: MACAddress, _ deletion: Deletion) {
        self.address = address
        self.deletion = deletion
    }

    /// The transaction that deleted its last record.
    package struct Deletion: Hashable, Sendable {
        /// Its number; nil where the history has lost it.
        package let transaction: Int64?
        package let time: Timestamp?
        /// Nil where the history names nobody.
        package let author: String?
        /// Whether it came from another device.
        package let isImport: Bool

        package init(transaction: Int64?, time: Timestamp?, author: String?, isImport: Bool) {
            self.transaction = transaction
            self.time = time
            self.author = author
            self.isImport = isImport
        }
    }
}
