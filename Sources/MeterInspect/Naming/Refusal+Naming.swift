package import CoreDataStore
package import GRDB
package import MeterModel
package import MeterStore

/// The reasons not to work on the meter or the record that a command names.
extension Refusal {
    /// The store has no record of the meter at this address: says what nearly fits.
    /// - Throws: SQLite's errors; `StoreError` if the user asked to stop.
    package static func noRecord(
        of address: MACAddress, in store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws -> StoreError {
        let near = try NearMeters(to: .address(address), in: store, settings, database)
        return StoreError(
            .unsuitable, at: store.path, "no record of the meter \(address.text(in: store.letterCase))",
            hint: near.question(in: store.letterCase)
                ?? "check the address; the app makes a record when it meets the meter, import-kv from a dump")
    }

    package static func noRecord(row: Int64, in store: InspectedStore) -> StoreError {
        StoreError(
            .unsuitable, at: store.path, "no record in row \(row)",
            hint: "`\(store.command("meters"))` lists the records with their rows")
    }

    static func severalRecords(_ rows: [Int64], withAddress text: String, in store: InspectedStore) -> StoreError {
        StoreError(
            .unsuitable, at: store.path,
            "\(rows.count) records have \"\(text)\" in place of an address, rows "
                + Phrase.start(of: rows.map { "\($0)" }), hint: "name one by --row")
    }

    static func noMeter(named name: String, in store: InspectedStore, near: NearMeters) -> StoreError {
        StoreError(
            .unsuitable, at: store.path, "no meter is named \"\(name)\"",
            hint: near.question(in: store.letterCase) ?? "`\(store.command("meters"))` lists the meters")
    }

    /// - Parameters:
    ///   - meters: some of them.
    ///   - count: how many there are.
    static func severalMeters(
        _ meters: [NearMeters.Meter], of count: Int, named name: String, in store: InspectedStore
    ) -> StoreError {
        let some = count > meters.count ? ", and \(count - meters.count) more" : ""
        return StoreError(
            .unsuitable, at: store.path, "\(count) meters are named \"\(name)\"",
            hint: "name one by its address: \(NearMeters.list(meters, in: store.letterCase))\(some)")
    }
}
