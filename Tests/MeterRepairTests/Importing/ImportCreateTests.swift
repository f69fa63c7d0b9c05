import CoreDataStore
import Foundation
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite struct ImportCreateTests {
    private static let names = ["A4:C1:38:0B:7E:21": "Kitchen"]

    private func fails(_ kind: StoreError.Kind, _ bench: TestStore, isDryRun: Bool = false) {
        #expect {
            try bench.importing(names: Self.names, creates: true, isDryRun: isDryRun)
        } throws: {
            ($0 as? StoreError)?.kind == kind
        }
    }

    @Test("a new store has nothing that verify minds")
    func newStore() throws {
        let bench = try TestStore()
        let report = try bench.importing(names: Self.names, creates: true)
        #expect(report.outcome == .applied && report.createdStore)
        let findings = try Verify.report(bench.path, VerifyOptions(now: TestStore.now)).findings
        #expect(findings.filter { $0.severity != .note }.isEmpty)
        #expect(
            try bench.rows("SELECT ZMACADDRESS, ZMETERNAME FROM ZDEVICESETTINGS") == [["A4:C1:38:0B:7E:21", "Kitchen"]])
        #expect(try bench.snapshot().contents.keys.sorted() == ["CKModel.sqlite", "CKModel.sqlite-wal"])
    }

    @Test("without create a missing store is an error")
    func withoutCreate() throws {
        let bench = try TestStore()
        #expect { try bench.importing(names: Self.names) } throws: { ($0 as? StoreError)?.kind == .notFound }
        #expect(try bench.snapshot().contents.isEmpty)
    }

    @Test("a dry run makes nothing and tells the same")
    func dryRun() throws {
        let bench = try TestStore()
        let planned = try bench.importing(names: Self.names, creates: true, isDryRun: true)
        #expect(try bench.snapshot().contents.isEmpty)
        let applied = try bench.importing(names: Self.names, creates: true)
        #expect(planned.plan == applied.plan && planned.findings == applied.findings)
        #expect(planned.store == applied.store)
    }

    @Test("a file that is there is not overwritten")
    func fileNot() throws {
        let bench = try TestStore()
        try FileBytes.write(Array("a letter, not a store, and longer than a header".utf8), to: bench.path)
        let files = try bench.snapshot().contents
        fails(.damaged, bench)
        #expect(try bench.snapshot().contents == files)
    }

    @Test("neither is a folder")
    func neitherFolder() throws {
        let bench = try TestStore()
        try FileManager.default.createDirectory(atPath: bench.path, withIntermediateDirectories: false)
        fails(.damaged, bench)
    }

    @Test("nor a link that leads nowhere", arguments: [false, true])
    func norLink(isDryRun: Bool) throws {
        let bench = try TestStore()
        try FileManager.default.createSymbolicLink(atPath: bench.path, withDestinationPath: bench.folder.path + "/gone")
        #expect(throws: StoreError.self) {
            try bench.importing(names: Self.names, creates: true, isDryRun: isDryRun)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.path) == ["CKModel.sqlite"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: bench.path) == bench.folder.path + "/gone")
    }

    @Test("a folder that is not there is not made", arguments: [false, true])
    func folderNot(isDryRun: Bool) throws {
        let bench = try TestStore()
        try FileManager.default.removeItem(atPath: bench.folder.path)
        fails(.cannotCreate, bench, isDryRun: isDryRun)
        #expect(!FileManager.default.fileExists(atPath: bench.folder.path))
    }

    @Test("a log without its store is not made part of a new one", arguments: [false, true])
    func logWithout(isDryRun: Bool) throws {
        let bench = try TestStore()
        try FileBytes.write([1], to: bench.path + "-wal")
        fails(.cannotCreate, bench, isDryRun: isDryRun)
        #expect(try bench.snapshot().contents == ["CKModel.sqlite-wal": [1]])
    }

    @Test("every reason for a reject is reported, and the corrected rejects import")
    func everyReason() throws {
        let bench = try TestStore(StoreFixture(records: []))
        let values = LegacyValues([
            DumpEntry(dictionary: .meterNames, key: "UM34C", value: .text("Bench")),
            DumpEntry(dictionary: .meterNames, key: "02:00:00:00:00:00", value: .text("Salon")),
            DumpEntry(dictionary: .meterNames, key: "A4:C1:38:0B:7E:21", value: .integer(7)),
            DumpEntry(dictionary: .meterNames, key: "A4:C1:38:0B:7E:22", value: .text("One")),
            DumpEntry(dictionary: .meterNames, key: "a4c1380b7e22", value: .text("Two")),
            DumpEntry(dictionary: .temperatureUnits, key: "A4:C1:38:0B:7E:23", value: .text("KELVIN")),
            DumpEntry(dictionary: .meterNames, key: "A4:C1:38:0B:7E:25", value: .text("NULL")),
        ])
        let report = try bench.importing(values)
        let rejects = report.plan.rejects
        #expect(Set(rejects.map(\.reason)) == Set(RejectReason.allCases))
        #expect(report.summary.rejects == 7 && rejects.count == 7)
        let text = report.text(pretty: false)
        for reject in rejects {
            let hint = report.plan.hint(of: reject, in: report.letterCase)
            #expect(text.contains(reject.json(hint: hint).text(pretty: false)))
            #expect(reject.json(hint: nil).text(pretty: false).hasPrefix(#"{"key":"#))
        }
        let corrected = rejects.dump.text(pretty: true).replacing("KELVIN", with: "celsius")
            .replacing("UM34C", with: "A4:C1:38:0B:7E:24")
        let file = bench.folder.path + "/rejects.json"
        try FileBytes.write(Array(corrected.utf8), to: file)
        let again = LegacyValues(try KeyValueDump(KeyValueSource(argument: file), identifier: nil).entries)
        #expect(try bench.importing(again).summary.inserted == 2)
        #expect(again.rejects.count == 5)
    }
}
