internal import MeterModel
internal import MeterStore

/// What to do with a record that has no usable address.
private let adviceOnRecordsOfNoMeter = """
    `meterfix show --row N` shows the record. If you know which meter it is, `meterfix set --row N --address MAC` \
    gives it the address. If nothing in it is worth keeping, `meterfix delete --row N` deletes it, here and in CloudKit.
    """

extension Check {
    package static let macMissing = records(
        "mac-missing", .warning, "a record whose address is NULL or empty",
        """
        Such a record belongs to no meter. It is never grouped with other records and never merged: the popular SQL \
        one-liner that keeps one row per address would reduce all such records to one.

        \(adviceOnRecordsOfNoMeter)
        """
    ) { check, record, store in
        guard record.address == .missing else { return [] }
        return [check.finding("no address", about: record, in: store, cure: store.curing(record))]
    }

    package static let macInvalid = records(
        "mac-invalid", .error, "text that is not an address",
        """
        macAddress does not contain twelve hex digits, without separators or with the usual ones. The app never finds \
        this record when it sees the meter, and its name and unit have no effect.

        This comes from app versions that stored a Bluetooth identifier or a name instead, and from manual edits. Such \
        a record is never grouped with other records and never merged.

        \(adviceOnRecordsOfNoMeter)
        """
    ) { check, record, store in
        guard record.address == .invalid else { return [] }
        let fault = record[.macAddress].text.flatMap { AddressFault(in: $0) }
        let hint = fault.map { ": \($0.hint(in: store.letterCase))" } ?? ""
        return [
            check.finding(
                "\(record[.macAddress].shown) in place of an address\(hint)", about: record, in: store,
                cure: store.curing(record))
        ]
    }

    package static let macPlaceholder = records(
        "mac-placeholder", .warning, "a placeholder for a hidden address",
        """
        All zeros, all ones and 02:00:00:00:00:00 are not the address of any meter: Apple's systems return the last \
        one when they hide an address. Records that share it can belong to different meters.

        They are never grouped and never merged; merging them would lose settings.

        \(adviceOnRecordsOfNoMeter)
        """
    ) { check, record, store in
        guard case .placeholder = record.address else { return [] }
        return [
            check.finding(
                "\(record[.macAddress].shown) is a placeholder for a hidden address", about: record, in: store,
                cure: store.curing(record))
        ]
    }

    package static let macNotCanonical = records(
        "mac-not-canonical", .error, "an address that is not canonical",
        """
        The app does not find this record when it sees the meter, and makes another record. The app compares addresses \
        as exact text. An address written in another way looks like another meter to the app: this is how duplicates \
        arise.

        A canonical address is six pairs with colons, in the letter case that most addresses use (`meterfix status` \
        shows it; `--mac-case` chooses another one, for devices that must agree).

        Run `meterfix rebuild`. It corrects the address in place and keeps everything else.
        """
    ) { check, record, store in
        guard let address = record.usableAddress, !record.address.isCanonical(in: store.letterCase) else { return [] }
        let letterCase = store.letterCase
        return [
            check.finding(
                "\(record[.macAddress].shown) instead of \"\(value: address.text(in: letterCase))\"",
                about: record, in: store, cure: store.repair("rebuild"))
        ]
    }
}
