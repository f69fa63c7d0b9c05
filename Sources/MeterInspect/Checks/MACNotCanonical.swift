internal import MeterModel
internal import MeterStore

/// Addresses in another notation than the store's.
final class MACNotCanonical: RecordCheck {
    static let description = CheckDescription(
        "mac-not-canonical", .error, "an address that is not in the store's canonical text",
        explanation: [
            """
            The app does not find this record when it meets the meter, and makes another one. The app compares \
            addresses as exact text. An address that is written in another way is that of another meter for it: this \
            is how duplicates arise.
            """,
            """
            The canonical text is six pairs with colons, in the letter case of most addresses in the store (`meterfix \
            status` says which; `--mac-case` chooses another one, for devices that must agree).
            """,
            "Run `meterfix rebuild`. It corrects the text in place and keeps everything else.",
        ])

    static let interest = RecordInterest.unusualAddress
    private let store: InspectedStore
    private let cure: String

    init(_ store: InspectedStore) {
        self.store = store
        cure = store.repair("rebuild")
    }

    func visit(_ row: RecordRow, _ found: Found) {
        guard case .usable(let address, _) = row.address else { return }
        found(
            Self.finding(
                "\(row[.macAddress].shown) instead of \"\(address.text(in: store.letterCase))\"", about: row.record,
                in: store, cure: cure))
    }
}
