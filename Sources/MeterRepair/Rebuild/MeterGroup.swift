internal import CoreDataStore
internal import GRDB
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// A meter and its records.
package struct MeterGroup: Sendable {
    package let address: MACAddress
    package var records: [DeviceSettings]

    package init(address: MACAddress, records: [DeviceSettings]) {
        self.address = address
        self.records = records
    }
}

extension MeterGroup {
    /// How many meters are in memory at a time.
    private static let most = 1 << 14

    /// Hands the records of some meters out, with what CloudKit knows of them: many meters at a time, for their records
    /// are read in the order in which they lie in the file, and not all, for a store can have millions.
    /// - Parameter body: handed the next of the meters, in the order of `meters`.
    /// - Throws: SQLite's errors.
    static func forEachPart(
        of meters: ArraySlice<AddressIndex.Meter>, in store: InspectedStore, _ settings: SettingsTable,
        _ database: Database, _ body: ([MeterGroup]) -> Void
    ) throws {
        let cloudRecords = try settings.cloudRecords(
            of: meters.lazy.flatMap(\.rows), store.description.mirror, database)
        var rest = meters
        while !rest.isEmpty {
            let part = rest.prefix(most)
            rest = rest.dropFirst(most)
            var groups = part.map { MeterGroup(address: $0.address, records: []) }
            for (index, meter) in zip(groups.indices, part) { groups[index].records.reserveCapacity(meter.rows.count) }
            try settings.forEachRow(ofGroups: part.map(\.rows), cloudRecords: cloudRecords, database) { group, found in
                groups[group].records.append(found.record)
            }
            body(groups)
        }
    }
}
