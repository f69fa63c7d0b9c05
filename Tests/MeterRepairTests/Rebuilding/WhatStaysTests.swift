import CoreDataStore
import Foundation
import GRDB
import MeterModel
import MeterTestSupport
import Testing

@Suite("a rebuild leaves alone")
struct WhatStaysTests {
    private let fixture = StoreFixture(records: Meters.pair + [Meters.healthy])

    @Test("the DDL letter by letter, other entities, the model cache, the mirror and the store's identity")
    func everythingElse() throws {
        let store = try TestStore(
            fixture.with {
                $0.extraEntities = [Entity("Bookmark", attributes: [Attribute("title", .string)])]
                $0.mirror = .current
                $0.marker = nil
                for index in $0.records.indices { $0.records[index].cloudRecordName = FixtureUUID(UInt64(index)).text }
                $0.damage = {
                    try $0.execute(
                        sql: """
                            INSERT INTO ZBOOKMARK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 4, CAST(X'FF00' AS TEXT));
                            CREATE TABLE "not ""core"" data" (a, b DEFAULT 'x'); INSERT INTO "not ""core"" data"(a)
                            VALUES (zeroblob(5000)); CREATE VIEW names AS SELECT ZMETERNAME FROM ZDEVICESETTINGS
                            """)
                }
            })
        let before = try store.text()
        try store.rebuild()
        let after = try store.text()
        #expect(after.isIntact)
        #expect(after.statements == before.statements)
        #expect(after.tables.keys == before.tables.keys)
        let written: Set<String> = [
            "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "ZDEVICESETTINGS", "Z_METADATA", "Z_PRIMARYKEY",
        ]
        for table in before.tables.keys where !written.contains(table) {
            #expect(before[table: table] == after[table: table], "\(table)")
        }
        #expect(before[table: "ANSCKRECORDMETADATA"].count == 3)
        let row = try #require(before[table: "Z_METADATA"].first)
        let identity = "1,'\(fixture.storeUUID)',"
        #expect(row.hasPrefix(identity))
        #expect(after[table: "Z_METADATA"].first?.hasPrefix(identity) == true)
    }

    @Test("a marker of a later rebuild, and the report says so", arguments: [Int64(2), 3, 4, 99])
    func laterMarker(marker: Int64) throws {
        let store = try TestStore(fixture.with { $0.marker = marker })
        let report = try store.rebuild()
        #expect(report.outcome == .applied)
        let metadata = try store.description().metadata
        #expect(metadata.dictionary?["cloudStoreRebuildVersion"] == .integer(max(marker, 3)))
        let note: Sentence =
            "the marker cloudStoreRebuildVersion is \(marker), from a later rebuild than this one, and is kept"
        #expect(report.plan.notes.contains(note) == (marker > 3))
    }

    @Test("every key of the metadata dictionary but the marker, whatever type it has")
    func metadataKeys() throws {
        var store = try TestStore(fixture.with { $0.marker = nil })
        let old = try propertyList(of: store)
        let odd: [String: Any] = [
            "largest": UInt64.max, "text": "ünïcödé 🔌", "empty": "", "yes": true, "no": false,
            "whole": 9_007_199_254_740_993,
            "negative": -1, "fraction": 0.1, "date": Date(timeIntervalSinceReferenceDate: -1.5),
            "bytes": Data([0, 255]), "nested": ["list": [1, "two", [Data()], ["k": Date.distantPast]]],
            "cloudStoreRebuildVersion.2": true, "Z": [String: Any](),
        ]
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: old.merging(odd) { _, new in new }, format: .binary, options: 0)
        let all = try #require(
            try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
        store = try TestStore(
            fixture.with {
                $0.damage = { database in
                    try database.execute(sql: "UPDATE Z_METADATA SET Z_PLIST = ?", arguments: [bytes])
                }
            })
        try store.rebuild()
        var new = try propertyList(of: store)
        #expect(new["cloudStoreRebuildVersion"] as? Int == 3)
        new["cloudStoreRebuildVersion"] = nil
        #expect(all.keys.contains("NSStoreModelVersionHashes"))
        #expect(text(of: new) == text(of: all))
    }

    /// A property list with its keys in order and every type told apart.
    private func text(of value: Any) -> String {
        switch value {
        case let value as [String: Any]:
            "{" + value.sorted { $0.key < $1.key }.map { "\($0.key): \(text(of: $0.value))" }.joined(separator: ", ")
                + "}"
        case let value as [Any]: "[" + value.map { text(of: $0) }.joined(separator: ", ") + "]"
        case let value as Data: "data \(Array(value))"
        case let value as Date: "date \(value.timeIntervalSinceReferenceDate)"
        case let value as String: "text \(value)"
        case let value as NSNumber: "number \(String(cString: value.objCType)) \(value)"
        default: "unknown \(type(of: value))"
        }
    }

    @Test("the metadata where they cannot be read, and repairs the records nevertheless")
    func unreadableMetadata() throws {
        for value in ["NULL", "X'62706C697374'", "'text'", "X''"] {
            let store = try TestStore(fixture.damaged("UPDATE Z_METADATA SET Z_PLIST = \(value)"))
            let before = try store.text()[table: "Z_METADATA"]
            let report = try store.rebuild()
            #expect(report.outcome == .applied)
            #expect(try store.text()[table: "Z_METADATA"] == before)
            #expect(try store.column("Z_PK") == ["5: 5", "7: 7"])
        }
    }

    @Test("journal mode, page size and auto_vacuum", arguments: [StoreOptions.JournalMode.wal, .delete])
    func pragmas(mode: StoreOptions.JournalMode) throws {
        let store = try TestStore(fixture.with { $0.journalMode = mode })
        try store.rebuild()
        #expect(try store.snapshot().names == ["CKModel.sqlite"] + (mode == .wal ? ["CKModel.sqlite-wal"] : []))
        let bytes = try FileBytes.read(store.path)
        #expect(bytes[18...19] == (mode == .wal ? [2, 2] : [1, 1]))
        let values = try StoreText.read(store.path) { database in
            try ["auto_vacuum", "page_size", "user_version"].map { try Int.fetchOne(database, sql: "PRAGMA \($0)") }
        }
        #expect(values == [2, 4096, 0])
    }

    @Test("the -shm of nobody: after a change there is one file with an empty log, and its contents are whole")
    func log() throws {
        let store = try TestStore(fixture.with { $0.logPlacement = .rowsInLogOnly })
        try FileBytes.write([UInt8](repeating: 0, count: 32_768), to: store.path + "-shm")
        try store.rebuild()
        #expect(try store.snapshot().names == ["CKModel.sqlite", "CKModel.sqlite-wal"])
        #expect(try FileBytes.read(store.path + "-wal").isEmpty)
        #expect(try store.column("Z_PK") == ["5: 5", "7: 7"])
    }

    private func propertyList(of store: TestStore) throws -> [String: Any] {
        let bytes = try StoreText.read(store.path) {
            try #require(try Data.fetchOne($0, sql: "SELECT Z_PLIST FROM Z_METADATA"))
        }
        return try #require(try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any])
    }
}
