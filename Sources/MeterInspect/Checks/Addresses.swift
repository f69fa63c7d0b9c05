internal import MeterModel
internal import MeterStore

/// What to do with a record that has no usable address.
private let adviceOnRecordsOfNoMeter = """
    `meterfix show --row N` shows the record. If you know which meter it is, `meterfix set --row N --address MAC` \
    gives it the address. If nothing in it is worth keeping, `meterfix delete --row N` deletes it, here and in CloudKit.
    """

/// Records without an address.
package final class MACMissing: StatelessCheck, RecordCheck {
    package static let description = CheckDescription(
        "mac-missing", .warning, "a record whose address is NULL or empty",
        explanation: [
            """
            Such a record belongs to no meter. It is never grouped with other records and never merged: the popular \
            SQL one-liner that keeps one row per address would reduce all such records to one.
            """,
            adviceOnRecordsOfNoMeter,
        ])

    static let interest = RecordInterest.unusualAddress

    func visit(_ row: RecordRow, _ found: Found) {
        guard row.address == .missing else { return }
        found(
            Self.finding("no address", about: row.record, in: store, cure: store.curing(row.record)))
    }
}

/// Text that is not an address.
package final class MACInvalid: StatelessCheck, RecordCheck {
    package static let description = CheckDescription(
        "mac-invalid", .error, "text that is not an address",
        explanation: [
            """
            macAddress does not contain twelve hex digits, without separators or with the usual ones. The app never \
            finds this record when it sees the meter, and its name and unit have no effect.
            """,
            """
            This comes from app versions that stored a Bluetooth identifier or a name instead, and from manual edits. \
            Such a record is never grouped with other records and never merged.
            """,
            adviceOnRecordsOfNoMeter,
        ])

    static let interest = RecordInterest.unusualAddress

    func visit(_ row: RecordRow, _ found: Found) {
        guard row.address == .invalid else { return }
        found(
            Self.finding(
                "\(row[.macAddress].shown) in place of an address\(fault(of: row))", about: row.record, in: store,
                cure: store.curing(row.record)))
    }

    /// What is wrong with it, where that can be said.
    private func fault(of row: RecordRow) -> String {
        let fault = row[.macAddress].text.flatMap { AddressFault(in: $0) }
        return fault.map { ": \($0.hint(in: store.letterCase))" } ?? ""
    }
}

/// Placeholders for addresses.
package final class MACPlaceholder: StatelessCheck, RecordCheck {
    package static let description = CheckDescription(
        "mac-placeholder", .warning, "a placeholder for a hidden address",
        explanation: [
            """
            All zeros, all ones and 02:00:00:00:00:00 are not the address of any meter: Apple's systems return the \
            last one when they hide an address. Records that share it can belong to different meters.
            """,
            "They are never grouped and never merged; merging them would lose settings.",
            adviceOnRecordsOfNoMeter,
        ])

    static let interest = RecordInterest.unusualAddress

    func visit(_ row: RecordRow, _ found: Found) {
        guard case .placeholder = row.address else { return }
        found(
            Self.finding(
                "\(row[.macAddress].shown) is a placeholder for a hidden address", about: row.record, in: store,
                cure: store.curing(row.record)))
    }
}

/// Addresses in another notation than the store's.
final class MACNotCanonical: StatelessCheck, RecordCheck {
    static let description = CheckDescription(
        "mac-not-canonical", .error, "an address that is not canonical",
        explanation: [
            """
            The app does not find this record when it sees the meter, and makes another record. The app compares \
            addresses as exact text. An address written in another way looks like another meter to the app: this is \
            how duplicates arise.
            """,
            """
            A canonical address is six pairs with colons, in the letter case that most addresses use (`meterfix \
            status` shows it; `--mac-case` chooses another one, for devices that must agree).
            """,
            "Run `meterfix rebuild`. It corrects the address in place and keeps everything else.",
        ])

    static let interest = RecordInterest.unusualAddress

    func visit(_ row: RecordRow, _ found: Found) {
        guard case .usable(let address, _) = row.address else { return }
        found(
            Self.finding(
                "\(row[.macAddress].shown) instead of \"\(value: address.text(in: store.letterCase))\"",
                about: row.record,
                in: store, cure: store.repair("rebuild")))
    }
}
