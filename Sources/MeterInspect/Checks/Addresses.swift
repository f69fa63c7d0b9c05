internal import MeterModel
internal import MeterStore

/// What to do with a record that has no usable address.
private let adviceOnRecordsOfNoMeter = """
    `meterfix show --row N` shows the record. If you know which meter it is, `meterfix set --row N --address MAC` \
    gives it the address. If nothing in it is worth keeping, `meterfix delete --row N` deletes it, here and in CloudKit.
    """

extension Check {
    package static let macMissing = ofRecords(
        "mac-missing", .warning, "a record whose address is NULL or empty",
        """
        Such a record belongs to no meter. It is never grouped with other records and never merged: the popular SQL \
        one-liner that keeps one row per address would reduce all such records to one.

        \(adviceOnRecordsOfNoMeter)
        """, visiting: .unusualAddress
    ) { check, row, found in
        guard row.address == .missing else { return }
        found(check.finding("no address", about: row.record, cure: check.store.curing(row.record)))
    }

    package static let macInvalid = ofRecords(
        "mac-invalid", .error, "text that is not an address",
        """
        macAddress does not contain twelve hex digits, without separators or with the usual ones. The app never finds \
        this record when it sees the meter, and its name and unit have no effect.

        This comes from app versions that stored a Bluetooth identifier or a name instead, and from manual edits. Such \
        a record is never grouped with other records and never merged.

        \(adviceOnRecordsOfNoMeter)
        """, visiting: .unusualAddress
    ) { check, row, found in
        guard row.address == .invalid else { return }
        found(
            check.finding(
                "\(row[.macAddress].shown) in place of an address\(check.fault(of: row))", about: row.record,
                cure: check.store.curing(row.record)))
    }

    package static let macPlaceholder = ofRecords(
        "mac-placeholder", .warning, "a placeholder for a hidden address",
        """
        All zeros, all ones and 02:00:00:00:00:00 are not the address of any meter: Apple's systems return the last \
        one when they hide an address. Records that share it can belong to different meters.

        They are never grouped and never merged; merging them would lose settings.

        \(adviceOnRecordsOfNoMeter)
        """, visiting: .unusualAddress
    ) { check, row, found in
        guard case .placeholder = row.address else { return }
        found(
            check.finding(
                "\(row[.macAddress].shown) is a placeholder for a hidden address", about: row.record,
                cure: check.store.curing(row.record)))
    }

    static let macNotCanonical = ofRecords(
        "mac-not-canonical", .error, "an address that is not canonical",
        """
        The app does not find this record when it sees the meter, and makes another record. The app compares addresses \
        as exact text. An address written in another way looks like another meter to the app: this is how duplicates \
        arise.

        A canonical address is six pairs with colons, in the letter case that most addresses use (`meterfix status` \
        shows it; `--mac-case` chooses another one, for devices that must agree).

        Run `meterfix rebuild`. It corrects the address in place and keeps everything else.
        """, visiting: .unusualAddress
    ) { check, row, found in
        guard case .usable(let address, _) = row.address else { return }
        found(
            check.finding(
                "\(row[.macAddress].shown) instead of \"\(value: address.text(in: check.store.letterCase))\"",
                about: row.record,
                cure: check.store.repair("rebuild")))
    }
}

extension RecordCheck {
    /// What is wrong with it, where that can be said.
    fileprivate func fault(of row: RecordRow) -> String {
        let fault = row[.macAddress].text.flatMap { AddressFault(in: $0) }
        return fault.map { ": \($0.hint(in: store.letterCase))" } ?? ""
    }
}
