package import GRDB
package import MeterModel
internal import MeterStore

extension InspectedStore {
    /// What the app shows of each of some meters, one for each of `meters`. Only whether the fields are empty is kept.
    /// - Throws: SQLite's errors.
    package func levels(of meters: [AddressIndex.Meter], _ database: Database) throws -> [MeterLevel] {
        var levels = [MeterLevel](repeating: MeterLevel(), count: meters.count)
        guard let settings, !meters.isEmpty else { return levels }
        try settings.forEachRow(ofGroups: meters.map(\.rows), database) { meter, row in
            // The canonical text is exactly what the app looks for.
            levels[meter].add(
                row: row.row, isSought: row.address.isCanonical(in: letterCase), isEmpty: row.isEmpty)
        }
        return levels
    }

    /// The record of each of these meters that the app shows: of several the one that it finds first. One that is not
    /// written as the app looks for it counts where there is no other.
    /// - Throws: SQLite's errors.
    package func shownRecords(
        of meters: Set<MACAddress>, _ database: Database
    ) throws -> [MACAddress: DeviceSettings] {
        guard let settings else { return [:] }
        var shown: [MACAddress: (isSought: Bool, record: DeviceSettings)] = [:]
        try settings.forEachRow(of: meters.flatMap(addresses.rows).sorted(), database) { row in
            guard case .usable(let address, _) = row.address else { return }
            let isSought = row.address.isCanonical(in: letterCase)
            if let known = shown[address], known.isSought || !isSought { return }
            shown[address] = (isSought, row.record)
        }
        return shown.mapValues(\.record)
    }

    /// Whether the app shows what there is of every meter that has several records.
    /// - Throws: SQLite's errors.
    package func isLevelled(_ database: Database) throws -> Bool {
        try levels(of: Array(addresses.metersWithSeveralRecords), database).allSatisfy(\.isLevelled)
    }
}

extension MeterLevel {
    /// What the app shows, in a part of a sentence: `the app finds row 7, which lacks the name`.
    package var phrase: String {
        guard let foundRow else { return "the app finds none of them, because none is written exactly like this" }
        let words = lacking.map(Self.word)
        return words.isEmpty
            ? "levelled: the app finds row \(foundRow), and the others add no name or unit"
            : "the app finds row \(foundRow), which lacks \(Phrase.list(words))"
    }

    private static func word(_ field: SettingsField) -> String {
        switch field {
        case .meterName: "the name"
        case .tc66TemperatureUnit: "the unit"
        case .id, .macAddress, .modelType, .createdAt, .updatedAt, .connectedByDeviceID, .connectedByDeviceName,
            .connectedAt, .connectedExpiryAt, .lastSeenAt, .lastSeenByDeviceID, .lastSeenByDeviceName,
            .connectionMetadata, .discoveryMetadata, .cloudKitRecordID:
            field.rawValue
        }
    }
}
