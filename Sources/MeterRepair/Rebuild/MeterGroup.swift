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
    /// The records of some meters, with what CloudKit knows of them, in the order of `meters`; by two threads, where that
    /// can be.
    /// - Throws: SQLite's errors.
    static func read(
        _ meters: [AddressIndex.Meter], in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> [MeterGroup] {
        WorkProgress.expect(meters.reduce(0) { $0 + $1.rows.count }, in: .planning)
        // What the mirror knows need not be read then.
        guard !meters.isEmpty else { return [] }
        guard source.reader.readsBeside(source.database) else {
            return try read(meters[...], store, settings, source.database)
        }
        let half = meters.count / 2
        let rest = source.reader.read(beside: source.database) { database in
            // With a layout of its own. Two threads that count the references to one object wait for each other.
            try read(meters[half...], store, SettingsTable(store.description) ?? settings, database)
        }
        let first = try read(meters[..<half], store, settings, source.database)
        return try first + rest.value()
    }

    private static func read(
        _ meters: ArraySlice<AddressIndex.Meter>, _ store: InspectedStore, _ settings: SettingsTable,
        _ database: Database
    ) throws -> [MeterGroup] {
        let cloudRecords = try settings.cloudRecords(
            of: meters.lazy.flatMap(\.rows), store.description.mirror, database)
        var groups: [MeterGroup] = []
        groups.reserveCapacity(meters.count)
        for meter in meters {
            groups.append(MeterGroup(address: meter.address, records: []))
            groups[groups.count - 1].records.reserveCapacity(meter.rows.count)
        }
        try settings.forEachRow(ofGroups: meters.map(\.rows), cloudRecords: cloudRecords, database) { group, found in
            groups[group].records.append(found.record)
        }
        return groups
    }
}
