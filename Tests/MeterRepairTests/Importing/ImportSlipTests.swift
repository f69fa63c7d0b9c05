import CoreDataStore
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterInspect
@testable import MeterRepair

@Suite("an address of a dump that is nearly one of the store")
struct ImportSlipTests {
    private static func record(_ row: Int64, _ address: String, _ name: String?) -> FixtureRecord {
        FixtureRecord(row: row, macAddress: address, meterName: name).with { $0.id = FixtureUUID(UInt64(row)).bytes }
    }

    private static let nameless = record(3, "A4:C1:38:0B:7E:21", nil)

    private func notes(_ records: [FixtureRecord], _ names: [String: String]) throws -> [Sentence] {
        let bench = try TestStore(StoreFixture(records: records))
        let planned = try bench.importing(names: names, isDryRun: true)
        let report = try bench.importing(names: names)
        #expect(report.plan.notes == planned.plan.notes)
        // It is done all the same.
        #expect(report.outcome == .applied && report.summary.inserted > 0)
        return report.plan.notes
    }

    @Test(
        "is pointed out where that meter has no name",
        arguments: [
            "A4:C1:38:0B:7E:22", "A4:C1:38:0B:7E:12", "A4:C1:38:0B:E7:21", "14:C1:38:0B:7E:21", "a4c1380b7e2f",
            "A4:C1:38:B0:7E:21",
        ])
    func near(address: String) throws {
        let notes = try notes([Self.nameless], [address: "Kitchen"])
        #expect(notes.count == 1)
        let text = try #require(MACAddress.parse(address)).address.text(in: .upper)
        let note: Sentence = """
            the dump's \(text) ("Kitchen") gets a new record; A4:C1:38:0B:7E:21 (row 3), which has no name, differs from it \
            only by a digit or by two that changed places: if the dump is mistyped, correct the address there first
            """
        #expect(notes.first == note)
    }

    @Test("is not, where two digits differ, the meter has a name, or the dump has that meter too")
    func far() throws {
        for address in ["A4:C1:38:0B:7E:33", "A4:C1:38:0B:7F:22", "A4:C1:38:0B:1E:27"] {
            #expect(try notes([Self.nameless], [address: "Kitchen"]) == [], "\(address)")
        }
        #expect(try notes([Self.record(3, "A4:C1:38:0B:7E:21", "Lab")], ["A4:C1:38:0B:7E:22": "Kitchen"]) == [])
        let both = ["A4:C1:38:0B:7E:22": "Kitchen", "A4:C1:38:0B:7E:21": "Lab"]
        #expect(try notes([Self.nameless], both) == [])
        let several = [Self.nameless, Self.record(4, "a4:c1:38:0b:7e:21", "Lab")]
        #expect(try notes(several, ["A4:C1:38:0B:7E:22": "Kitchen"]) == [])
    }

    @Test("is a reject where it is no address, and the note names the meter that it nearly is")
    func noAddress() throws {
        let bench = try TestStore(StoreFixture(records: [Self.record(3, "A4:C1:38:0B:7E:21", "Lab")]))
        for isDryRun in [true, false] {
            let report = try bench.importing(
                names: ["A4:C1:38:OB:7E:21": "Kitchen", "A4:C1:38:0B:7E:2": "Attic", "x": "y"], isDryRun: isDryRun)
            #expect(report.plan.rejects.map(\.reason) == [.badAddress, .badAddress, .badAddress])
            #expect(
                report.plan.notes.prefix(2) == [
                    "\"A4:C1:38:0B:7E:2\" is not an address; did you mean A4:C1:38:0B:7E:21, row 3, \"Lab\"? correct it and import it again",
                    "\"A4:C1:38:OB:7E:21\" is not an address; did you mean A4:C1:38:0B:7E:21, row 3, \"Lab\"? correct it and import it again",
                ])
        }
    }

    @Test("is told what it is, and which meter of the store it nearly is")
    func hints() throws {
        let bench = try TestStore(StoreFixture(records: [Self.record(3, "A4:C1:38:0B:7E:21", "Lab")]))
        let plan = try bench.importing(names: ["A4:C1:38:OB:7E:21": "K", "x": "y", "A4:C1:38:0B:7E": "P"]).plan
        #expect(
            plan.rejects.map { plan.hint(of: $0, in: .upper) } == [
                "it has 5 pairs of digits; an address has 6; the store has A4:C1:38:0B:7E:21, row 3, \"Lab\"",
                "it has the letter O for a 0; A4:C1:38:0B:7E:21 may be meant; the store has A4:C1:38:0B:7E:21, row 3, "
                    + "\"Lab\"",
                nil,
            ])
        #expect(plan.doubts == [])
    }

    @Test("is a doubt where its bytes are another meter's in reverse, or a slip away")
    func doubts() throws {
        let records = [Self.record(3, "A4:C1:38:0B:7E:21", "Lab"), Self.record(4, "A4:C1:38:0B:7E:44", nil)]
        let bench = try TestStore(StoreFixture(records: records))
        let plan = try bench.importing(names: [
            "21:7E:0B:38:C1:A4": "K", "A4:C1:38:0B:7E:45": "L", "21:7E:0B:0B:7E:21": "P",
        ]).plan
        #expect(
            plan.doubts?.map { "\($0.address.text(in: .upper)) \($0.other.text(in: .upper)) \($0.reason)" } == [
                "21:7E:0B:38:C1:A4 A4:C1:38:0B:7E:21 reversed", "A4:C1:38:0B:7E:45 A4:C1:38:0B:7E:44 slip",
            ])
        #expect(plan.notes.contains { $0.contains("with its bytes in reverse") })
        #expect(try bench.importing(names: ["21:7E:0B:38:C1:A4": "K"]).plan.doubts == [], "it has a record now")
    }

    @Test("gets its unit, and it is said where its meter shows none")
    func unitWithoutTemperature() throws {
        let records = ["UM25C", "TC66C", nil].enumerated().map { place, type in
            Self.record(Int64(place + 3), "A4:C1:38:0B:7E:2\(place)", nil).with { $0.modelType = type }
        }
        let report = try TestStore(StoreFixture(records: records)).importing(
            units: ["A4:C1:38:0B:7E:20": "celsius", "A4:C1:38:0B:7E:21": "celsius", "A4:C1:38:0B:7E:22": "celsius"])
        #expect(report.summary.updated == 3)
        #expect(
            report.plan.notes == [
                "the app shows a temperature unit only for a TC66, so that nobody sees the dump's unit of A4:C1:38:0B:7E:20 (UM25C)"
            ])
    }

    @Test("is pointed out with every meter that it may mean")
    func several() throws {
        let records = [
            Self.nameless, Self.record(4, "a4:c1:38:0b:7e:21", " "), Self.record(5, "A4:C1:38:0B:7E:32", nil),
        ]
        let notes = try notes(records, ["A4:C1:38:0B:7E:22": "Kitchen"])
        #expect(notes.count == 1)
        #expect(
            notes.first?.contains(
                "A4:C1:38:0B:7E:21 (rows 3 and 4) and A4:C1:38:0B:7E:32 (row 5), which have no name, differ ")
                == true, "\(notes)")
    }

    @Test("are each a digit away, or two that changed places")
    func slips() {
        let address = MACAddress(bits: 0xA4C1_380B_7E21)
        let slips = address.slips
        #expect(slips.count == 180 + 11)
        #expect(Set(slips).count == slips.count)
        for slip in slips {
            let different = (0..<12).filter { (slip.bits ^ address.bits) >> UInt64(4 * $0) & 0xF != 0 }
            #expect(different.count == 1 || different.count == 2 && different[1] == different[0] + 1)
        }
        #expect(!slips.contains(address))
        #expect(MACAddress(bits: 0x1111_1111_1111).slips.count == 180)
    }

    @Test("says of an import without changes whether this dump was imported before")
    func before() throws {
        let names = ["A4:C1:38:0B:7E:21": "Kitchen"]
        let bench = try TestStore(StoreFixture(records: [Self.nameless]))
        #expect(try bench.importing(names: names).plan.notes == [])
        let again = try bench.importing(names: names)
        #expect(again.outcome == .unchanged)
        #expect(again.plan.notes == ["this dump was imported before, on 2026-11-21T12:00:00.000Z"])
        let planner = ImportPlanner(TestStore.values(names: names), sha256: "00ff", policy: .keep)
        let other = try ChangeRun.run(planner, on: bench.path, options: ChangeOptions(now: TestStore.now))
        let digest = String(repeating: "5a", count: 32)
        #expect(
            other.plan.notes == [
                "the last import that changed this store, on 2026-11-21T12:00:00.000Z, was from another dump (SHA-256 \(digest))"
            ])
        let unmarked = try TestStore(StoreFixture(records: [Self.record(3, "A4:C1:38:0B:7E:21", "Kitchen")]))
        #expect(
            try unmarked.importing(names: names).plan.notes == [
                "each meter of the dump has its values already, or others, which are kept; no import by meterfix is noted in this store"
            ])
        let status = try StatusReport.of(bench.path, now: TestStore.now).lastImport
        #expect(status?.sha256 == digest && status?.date == TestStore.now)
        #expect(try StatusReport.of(unmarked.path, now: TestStore.now).lastImport == nil)
    }
}
