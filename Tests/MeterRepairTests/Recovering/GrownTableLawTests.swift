import CoreDataStore
import Foundation
import GRDB
import MeterRepair
import MeterTestSupport
import Testing

/// Tables that migrations in place have grown, and whose statement is lost: `ALTER TABLE` appends columns in any order.
@Suite("a law of recovering a grown table")
struct GrownTableLawTests {
    private static let table = "ZDEVICESETTINGS"

    /// Makes the table again as if it had been made without some columns, which were then appended.
    /// - Parameter old: the rows from before that, which have fewer values, as a condition in SQL.
    private static func grow(_ database: Database, appending appended: [String], old: String) throws {
        let columns = try Row.fetchAll(database, sql: "SELECT name, type FROM pragma_table_info('\(table)')").map {
            (name: $0["name"] as String, type: $0["type"] as String)
        }
        let first = columns.filter { !appended.contains($0.name) }
        let made = first.map { $0.name == "Z_PK" ? "Z_PK INTEGER PRIMARY KEY" : "\($0.name) \($0.type)" }
        try database.execute(
            sql: "ALTER TABLE \(table) RENAME TO before; CREATE TABLE \(table) (\(made.joined(separator: ", ")))")
        let names = first.map(\.name).joined(separator: ", ")
        try database.execute(sql: "INSERT INTO \(table) (\(names)) SELECT \(names) FROM before WHERE \(old)")
        for name in appended {
            let type = columns.first { $0.name == name }?.type ?? ""
            try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(name) \(type)")
        }
        let all = (first.map(\.name) + appended).joined(separator: ", ")
        try database.execute(
            sql: "INSERT INTO \(table) (\(all)) SELECT \(all) FROM before WHERE NOT (\(old)); DROP TABLE before")
    }

    private static func grow(_ database: Database, seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let columns = try String.fetchAll(database, sql: "SELECT name FROM pragma_table_info('\(table)')")
        // The address was there from the beginning, as in every version of the app.
        let appended = columns.filter { !$0.hasPrefix("Z_") && $0 != "ZMACADDRESS" }.shuffled(using: &generator)
            .prefix(Int.random(in: 0...6, using: &generator))
        // With no row from before left, only the values tell.
        let old = ["0", "Z_PK % 2 = 1", "Z_PK % 5 = 1"].randomElement(using: &generator) ?? "0"
        try grow(database, appending: Array(appended), old: old)
    }

    private static func rows(of path: String) throws -> [Row] {
        try StoreText.read(path) { try Row.fetchAll($0, sql: "SELECT * FROM \(table) ORDER BY Z_PK") }
    }

    private static func addresses(_ rows: [Row]) -> [String?] { rows.map { $0["ZMACADDRESS"] } }

    private static func records(seed: UInt64) -> [FixtureRecord] {
        if seed.isMultiple(of: 4) { return RandomStores.records(seed: seed, meters: 12) }
        var generator = SeededGenerator(seed: seed)
        let words = ["Bench", "Kitchen", "Solar", "Power bank", "Desk", "Camper", "Garage", "12 V", "Ana"]
        let count = Int64.random(in: 3...30, using: &generator)
        return (1...count).map { row in
            FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:\(row + 20)").with {
                $0.meterName = .random(in: 0..<5, using: &generator) == 0 ? nil : words.randomElement(using: &generator)
                $0.modelType = .random(in: 0..<5, using: &generator) == 0 ? nil : "TC66C"
                $0.tc66TemperatureUnit = .random(using: &generator) ? "celsius" : nil
                $0.createdAt = 799_668_900 + Double(row)
                $0.updatedAt = 808_308_900 + Double(row)
                $0.lastSeenByDeviceID = "14D46AB0-F01F-4694-9E43-79A1A6F80B07"
                $0.lastSeenByDeviceName = "Ana's iPhone"
            }
        }
    }

    @Test(
        "is that every value of a row is the true one, or none, and that an address is never lost",
        arguments: LawSeeds.first(60))
    func trueOrNone(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let fixture = StoreFixture(records: Self.records(seed: seed)).with {
            $0.damage = { try Self.grow($0, seed: seed) }
        }
        let path = try folder.store(fixture)
        let truth = try Self.rows(of: path)
        try PageDamage.zeros.apply(to: 1, of: path)
        let output = folder.path + "/new.sqlite"
        let report = try Recovery.run(path, to: output, now: TestStore.now)
        let found = try Self.rows(of: output)
        #expect(found.map { $0["Z_PK"] as Int64 } == truth.map { $0["Z_PK"] as Int64 })
        var isWhole = true
        for (row, before) in zip(found, truth) {
            for name in row.columnNames {
                let (value, expected): (DatabaseValue, DatabaseValue) = (row[name], before[name])
                if value.isNull, !expected.isNull { isWhole = false }
                if !value.isNull { #expect(value == expected, "\(name) of \(row["Z_PK"] as Int64)") }
            }
        }
        // The address of a random record may look like none.
        if !seed.isMultiple(of: 4) { #expect(Self.addresses(found) == Self.addresses(truth)) }
        if !isWhole { #expect(report.salvage.warnings.contains { $0.contains("these are empty") }) }
    }

    @Test(
        "tells a name from a hardware type, and a meter's name from a device's that was appended",
        arguments: [(["ZMETERNAME"], "0"), (["ZLASTSEENBYDEVICENAME", "ZCLOUDKITRECORDID"], "Z_PK < 6")])
    func names(appended: [String], old: String) throws {
        let folder = try TemporaryFolder()
        let records = (Int64(1)...9).map { row in
            FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:\(row + 20)").with {
                $0.meterName = "Bench \(row)"
                $0.modelType = "TC66C"
                $0.tc66TemperatureUnit = "celsius"
                $0.lastSeenByDeviceName = row < 6 ? nil : "Ana's iPhone"
            }
        }
        let fixture = StoreFixture(records: records).with {
            $0.damage = { try Self.grow($0, appending: appended, old: old) }
        }
        let path = try folder.store(fixture)
        try PageDamage.zeros.apply(to: 1, of: path)
        let report = try Recovery.run(path, to: folder.path + "/new.sqlite", now: TestStore.now)
        let found = try Self.rows(of: folder.path + "/new.sqlite")
        #expect(found.map { $0["ZMETERNAME"] as String? } == records.map(\.meterName))
        #expect(found.map { $0["ZMODELTYPE"] as String? } == records.map(\.modelType))
        #expect(report.salvage.warnings.contains { $0.contains("the statement of ZDEVICESETTINGS is lost") })
    }

    @Test("gives no column the values behind the shortest row that could be another's, whatever the model's order is")
    func appendedInAnotherOrder() throws {
        let folder = try TemporaryFolder()
        let records = (Int64(1)...9).map { row in
            FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:\(row + 20)", meterName: "Bench \(row)").with {
                $0.modelType = "Bought in \(row)"
            }
        }
        let fixture = StoreFixture(records: records).with {
            $0.damage = {
                try Self.grow(
                    $0, appending: ["ZMODELTYPE", "ZMETERNAME", "ZTC66TEMPERATUREUNIT", "ZID"], old: "Z_PK < 6")
            }
        }
        let path = try folder.store(fixture)
        try PageDamage.zeros.apply(to: 1, of: path)
        _ = try Recovery.run(path, to: folder.path + "/new.sqlite", now: TestStore.now)
        let found = try Self.rows(of: folder.path + "/new.sqlite")
        #expect(Self.addresses(found) == records.map(\.macAddress))
        #expect(found.allSatisfy { ($0["ZMETERNAME"] as String?) == nil && ($0["ZMODELTYPE"] as String?) == nil })
    }
}
