/// A meter that somebody had deleted, and that an import makes again.
package struct RevivedMeter: Hashable, Sendable {
    package let address: MACAddress
    /// The number of the transaction that deleted its last record; nil where the history has lost it.
    package let transaction: Int64?
    /// When that was.
    package let time: Timestamp?
    /// Who it was; nil where the history names nobody.
    package let author: String?
    /// Whether it came from another device.
    package let isImport: Bool

    package init(_ address: MACAddress, transaction: Int64?, time: Timestamp?, author: String?, isImport: Bool) {
        self.address = address
        self.transaction = transaction
        self.time = time
        self.author = author
        self.isImport = isImport
    }
}
