internal import CoreDataStore
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// The reasons not to change a meter that a command names.
extension Refusal {
    /// - Parameter chosen: what the user wants, as far as one of the records has it.
    static func severalRecords(
        _ records: [DeviceSettings], of address: MACAddress?, requested chosen: ValueOverrides, in store: InspectedStore
    ) -> StoreError {
        let words = chosen.words(in: store.letterCase)
        let mac = address?.text(in: store.letterCase)
        let rebuild = store.command((["rebuild"] + words).joined(separator: " "))
        let option = SettingsField.meterName.keepOption(.text("NAME"), of: mac ?? "MAC") ?? ""
        return store.unsuitable(
            "the meter \(mac ?? "without an address") has \(records.count) records, rows "
                + Phrase.list(records.map { "\($0.row)" }),
            hint: words.isEmpty
                ? "make them one first: \(rebuild); with `\(option)` it keeps a name that one of them has or had"
                : "a rebuild makes them one and keeps this: \(rebuild)")
    }

    static func addressIsUsable(of record: DeviceSettings, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "row \(record.row) has a usable address, \(record[.macAddress].shown)",
            hint: "--address is for records without one; another meter gets its own record when the app first sees it")
    }

    static func placeholder(_ address: MACAddress, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "\(address.text(in: store.letterCase)) is a placeholder for a hidden address, not one of a meter",
            hint: "the app shows the address of a meter that it is connected to")
    }

    static func addressTaken(
        _ address: MACAddress, by rows: [Int64], for record: DeviceSettings, in store: InspectedStore
    ) -> StoreError {
        let mac = address.text(in: store.letterCase)
        let values = record.irreplaceableTexts
        let options = record.layout.fields.enumerated().compactMap { place, field in
            record.values[place].isEmpty ? nil : field.setOption(record.values[place])
        }
        let giving =
            options.isEmpty
            ? "note what row \(record.row) has, \(Phrase.list(values)), which no command gives to another record"
            : "give that meter what row \(record.row) has, \(Phrase.list(values)), where it lacks it, with "
                + "\(store.command("set \(mac) \(options.joined(separator: " "))"))"
        let rebuilding = rows.count > 1 ? "merge its records first: \(store.command("rebuild")); then " : ""
        let advice =
            values.isEmpty
            ? "nothing in row \(record.row) is needed: \(store.command("delete --row \(record.row)"))"
            : "\(rebuilding)\(giving), and then: \(store.command("delete --force --row \(record.row)"))"
        return store.unsuitable(
            "the meter \(mac) has a record already, row \(rows[0]): this would be a duplicate", hint: advice)
    }

    /// Why a record is not deleted that somebody may miss; nil where nobody does.
    static func needed(_ record: DeviceSettings, in store: InspectedStore) -> StoreError? {
        let values = record.irreplaceableTexts
        if let address = record.usableAddress {
            let rows = store.addresses.rows(of: address)
            return store.unsuitable(
                "row \(record.row) is \(rows.count > 1 ? "a" : "the") record of the meter \(address.text(in: store.letterCase))",
                hint: rows.count > 1
                    ? "a rebuild keeps one record of a meter and loses nothing: \(store.command("rebuild")); --force deletes "
                        + "this one"
                    : "delete the meter in the app; --force deletes the record, and the app makes a new one when it sees "
                        + "the meter")
        }
        guard !values.isEmpty else { return nil }
        return store.unsuitable(
            "row \(record.row) has values that may be nowhere else: "
                + Phrase.start(of: values, limit: 3),
            hint:
                "if that shows which meter it is: \(store.command("set --row \(record.row) --address MAC")); --force deletes it"
        )
    }

    static func noAttribute(_ field: SettingsField, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "\(SettingsTable.entityName) has no attribute \(field.rawValue) here",
            hint: "this store is from an older app version; open it once in the current app")
    }

    static func liveLock(_ lock: ConnectionLock, of record: DeviceSettings, in store: InspectedStore) -> StoreError {
        let holder = lock.shownHolder
        let meter = record.usableAddress.map { "the meter \($0.text(in: store.letterCase))" } ?? "row \(record.row)"
        let since = lock.connectedAt.map { Phrase.seconds(abs(store.now.seconds(since: $0))) } ?? "a moment"
        return StoreError(
            .inUse, at: store.path,
            "\(meter) is in use: \(holder) renewed its lock \(since) ago",
            hint: "disconnect there or wait two minutes; --force clears the lock, which that device may set again")
    }

    /// Devices that a message names.
    private static let mostDevices = 5

    static func noDevice(_ word: String, among known: KnownDevices, in store: InspectedStore) -> StoreError {
        let names = known.devices.compactMap { $0.label.map { "\"\($0)\"" } }
        return store.unsuitable(
            "no record names a device \"\(word)\"",
            hint: names.isEmpty
                ? "the store knows no device"
                : "it knows \(Phrase.start(of: names, limit: mostDevices)); `\(store.command("devices"))` lists them")
    }

    static func severalDevices(
        _ devices: [KnownDevices.Device], named word: String, in store: InspectedStore
    ) -> StoreError {
        let ids = devices.map { $0.id ?? "one without an id" }
        return store.unsuitable(
            "\(devices.count) devices are named \"\(word)\"",
            hint: "name one by its id: \(Phrase.start(of: ids, limit: mostDevices))")
    }
}
