import CoreDataStore
import Foundation
import JSON
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// The exports here are written from Apple's documentation; no real one has been seen.
@Suite("an export of CloudKit records")
struct CloudExportTests {
    private static let record = FixtureRecord(row: 4, macAddress: "A0:00:00:00:00:01", meterName: "Küche \"1\"").with {
        $0.id = FixtureUUID(4).bytes
        $0.tc66TemperatureUnit = "celsius"
        $0.createdAt = 743_911_561.453_091_02
        $0.updatedAt = FixtureClock.now - 1000.5
        $0.extra = ["note": "fuse", "count": 7, "weight": 0.25, "blob": .blob([1, 2, 255])]
        $0.cloudRecordName = FixtureUUID(44).text
    }

    private static let fixture = StoreFixture(records: [record]).with {
        $0.mirror = .current
        $0.extraAttributes = [
            Attribute("note", .string), Attribute("count", .integer64), Attribute("weight", .double),
            Attribute("blob", .binary),
        ]
    }

    /// Milliseconds since 1970, as CloudKit has them.
    private static func milliseconds(_ time: Double) -> JSONValue {
        .integer(Int64(((time + 978_307_200) * 1_000).rounded(.down)))
    }

    private static func field(_ value: JSONValue, _ type: String) -> JSONValue {
        ["value": value, "type": .string(type)]
    }

    /// `record` in CloudKit.
    private static let cloudRecord: JSONValue = [
        "recordName": .string(FixtureUUID(44).text), "recordType": "CD_DeviceSettings", "recordChangeTag": "1a",
        "deleted": .bool(false),
        "fields": [
            "CD_entityName": field("DeviceSettings", "stringType"),
            "CD_id": field(.string(FixtureUUID(4).text.lowercased()), "stringType"),
            "CD_macAddress": field("A0:00:00:00:00:01", "stringType"),
            "CD_meterName": field("Küche \"1\"", "STRING"),
            "CD_tc66TemperatureUnit": "celsius",
            "CD_createdAt": field(milliseconds(743_911_561.453_091_02), "TIMESTAMP"),
            "CD_updatedAt": field(.string("2026-11-21T11:43:19.500Z"), "timestampType"),
            "CD_modelType": field(.null, "stringType"),
            "CD_note": field("fuse", "stringType"), "CD_count": field(.integer(7), "int64Type"),
            "CD_weight": field(.double(0.25), "doubleType"), "CD_blob": field("AQL/", "bytesType"),
            "CD_note_ckAsset": field(["fileChecksum": "…"], "ASSETID"),
        ],
    ]

    private static func page(_ records: JSONValue...) -> JSONValue { ["records": .array(records)] }

    private func compare(_ export: JSONValue, with fixture: StoreFixture = fixture) throws -> ComparisonReport {
        try compare(Array(export.text(pretty: true).utf8), with: fixture)
    }

    private func compare(_ export: [UInt8], with fixture: StoreFixture = fixture) throws -> ComparisonReport {
        let folder = try TemporaryFolder()
        let store = try folder.store(fixture)
        try FileBytes.write(export, to: folder.path + "/cloud.json")
        let before = try FolderSnapshot(folder.path)
        defer { #expect(try! FolderSnapshot(folder.path) == before) }
        return try Comparison.report(store, folder.path + "/cloud.json", now: TestStore.now)
    }

    @Test("equals the store it is of: dates in milliseconds, ids as text, bytes in Base64, every attribute")
    func equal() throws {
        let report = try compare(Self.page(Self.cloudRecord))
        #expect(report.isEqual, "\(report.meters)")
        #expect(report.b.kind == .cloudExport)
        #expect(report.fieldsOnlyA.isEmpty)
        #expect(report.fieldsOnlyB == ["connectionMetadata", "discoveryMetadata"])
        #expect(report.warnings.count == 1)
        #expect(report.warnings.first?.hasSuffix("are not compared: CD_note_ckAsset") == true)
    }

    @Test("counts a field that is left out as empty")
    func leftOut() throws {
        let report = try compare(Self.page(Self.cloudRecord.with("fields.CD_meterName", nil)))
        let meter = try #require(report.meters.first)
        #expect(meter.differences.map(\.field.name) == ["meterName"])
        #expect(meter.isSameRecord == true)
        #expect(meter.winner == nil)
        #expect(meter.losses.map(\.side) == [.a])
    }

    @Test("wins or loses by updatedAt like a store")
    func winner() throws {
        let newer = Self.cloudRecord.with("fields.CD_meterName.value", "Attic")
            .with("fields.CD_updatedAt.value", Self.milliseconds(FixtureClock.now))
        let meter = try #require(try compare(Self.page(newer)).meters.first)
        #expect(meter.winner == .b)
        #expect(meter.losses.map(\.value) == [.text("Küche \"1\"")])
    }

    @Test("can be a page, a list of pages or a list of records, and begin with a byte-order mark")
    func shapes() throws {
        let other = Self.cloudRecord.with("fields.CD_macAddress.value", "A0:00:00:00:00:02")
            .with("recordName", .string(FixtureUUID(45).text))
        let shapes: [JSONValue] = [
            Self.page(Self.cloudRecord, other), .array([Self.page(Self.cloudRecord), Self.page(other)]),
            .array([Self.cloudRecord, other]),
        ]
        for shape in shapes {
            let report = try compare([0xEF, 0xBB, 0xBF, 0x0A] + Array(shape.text(pretty: false).utf8))
            #expect(report.count(.equal) == 1 && report.count(.onlyB) == 1)
            #expect(report.b.records == 2)
        }
        #expect(try compare(Self.page()).count(.onlyA) == 1)
    }

    @Test("leaves records of other types and deleted ones out, and says so")
    func others() throws {
        let report = try compare(
            Self.page(
                Self.cloudRecord, Self.cloudRecord.with("recordType", "CD_Bookmark"),
                Self.cloudRecord.with("deleted", .bool(true)),
                Self.cloudRecord.with("recordType", nil).with("fields.CD_entityName.value", "Bookmark")))
        #expect(report.isEqual)
        #expect(report.warnings.contains { $0.contains("left out 3 records of another type") })
        // Without a type, the fields tell.
        let untyped = Self.cloudRecord.with("recordType", nil).with("fields.CD_entityName", nil)
        #expect(try compare(Self.page(untyped)).isEqual)
    }

    @Test("holds a lock and a discovery as JSON too, as text or as bytes")
    func blobs() throws {
        let fixture = StoreFixture(
            records: [Self.record.with { $0.extra = [:] }.seen(by: .anasPhone, at: FixtureClock.now - 60)]
        ).with {
            $0.mirror = .current
            $0.lockEncoding = .blobWithBinaryDiscovery
        }
        let blob = "{\"lastSeen\":\"2026-11-21T11:59:00Z\",\"seenBy\":\"\(FixtureDevice.anasPhone.id)\"}"
        let bytes = JSONValue.string(Data(blob.utf8).base64EncodedString())
        for field in [Self.field(bytes, "bytesType"), Self.field(.string(blob), "stringType")] {
            let record = Self.cloudRecord.with("fields.CD_discoveryMetadata", field)
            let report = try compare(Self.page(record), with: fixture)
            #expect(report.isEqual, "\(report.meters)")
        }
    }

    @Test("that is not an export is refused with the place")
    func damage() throws {
        func message(_ export: JSONValue) throws -> String {
            let error = try #require(throws: StoreError.self) { try compare(export) }
            #expect(error.kind == .damaged)
            #expect(error.hint?.contains("cktool") == true)
            return error.message
        }
        func damaged(_ place: String, _ value: JSONValue?) throws -> String {
            try message(Self.page(Self.cloudRecord, Self.cloudRecord.with(place, value)))
        }
        #expect(try message(["names": .array([])]) == "JSON, but no export of CloudKit records")
        #expect(try message(.array([.integer(1)])) == "[0]: not a CloudKit record, which has `fields`")
        #expect(try damaged("fields", nil) == "records[1]: not a CloudKit record, which has `fields`")
        #expect(
            try damaged("fields.CD_updatedAt.value", "yesterday")
                == "records[1].fields.CD_updatedAt: not a value of the kind date")
        #expect(
            try damaged("fields.CD_id.value", "42") == "records[1].fields.CD_id: not a value of the kind uuid")
        #expect(
            try damaged("fields.CD_meterName.value", .integer(5))
                == "records[1].fields.CD_meterName: not a value of the kind text")
        #expect(
            try damaged("fields.CD_blob.value", "*") == "records[1].fields.CD_blob: not a value of the kind binary")
        for text in ["{", "[1,", "{\"records\":[}", String(repeating: "[", count: 100_000)] {
            let error = try #require(throws: StoreError.self) { try compare(Array(text.utf8)) }
            #expect(error.kind == .damaged && error.message.hasPrefix("not JSON: "))
        }
    }
}
