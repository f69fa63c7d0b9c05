import Foundation
import MeterFuzz
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

/// A journal is a file beside a customer's store, and as strange as that may be.
@Suite("a backup's journal with strange numbers")
struct StrangeJournalTests {
    @Test(
        "is read, or is one that cannot be read",
        arguments: [
            (#""number": 1"#, [#""number": 9223372036854775807"#, #""number": -1"#, #""number": 0.5"#]),
            (#""updated": "#, [#""updated": 1e300, "x": "#, #""updated": -1e300, "x": "#]),
            (#""size": "#, [#""size": 9223372036854"#, #""size": -"#]),
            (#""secondsSince2001": "#, [#""secondsSince2001": 1e300, "x": "#, #""secondsSince2001": -1e308, "x": "#]),
            (#""historyTransaction": "#, [#""historyTransaction": 9223372036854775807, "x": "#]),
            (#""files": ["#, [#""files": [{}, "#, #""files": [[[]], "#]),
        ])
    func strange(text: String, replacements: [String]) throws {
        for replacement in replacements {
            let store = try TestStore(StoreTrial.fixture)
            let backup = try #require(try store.rebuild { $0.makesBackup = true }.backup)
            let journal = backup + "/journal.json"
            let before = String(decoding: try FileBytes.read(journal), as: UTF8.self)
            let after = before.replacing(text, with: replacement)
            #expect(after != before, "the journal has no \(text)")
            try FileBytes.write(Array(after.utf8), to: journal)
            try StoreTrial(path: store.path, in: store.folder).run()
        }
    }

    @Test("cannot be read where a file stands in it twice")
    func twice() throws {
        let store = try TestStore(StoreTrial.fixture)
        let backup = try #require(try store.rebuild { $0.makesBackup = true }.backup)
        let journal = backup + "/journal.json"
        let text = String(decoding: try FileBytes.read(journal), as: UTF8.self)
        let file = try #require(text.firstMatch(of: /"files": \[(\s*\{[^}]*\})/)).1
        try FileBytes.write(Array(text.replacing(file, with: file + "," + file).utf8), to: journal)
        let item = try #require(try ChangeHistory.of(store.path, folder: nil, now: TestStore.now).items.first)
        #expect(item.isDamaged)
        #expect(item.problem == "the journal is damaged, or not one of this version of meterfix")
    }
}
