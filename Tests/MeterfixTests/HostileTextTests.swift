import CoreDataStore
import GRDB
import MeterTestSupport
import Testing

@Suite("text from a customer's file")
struct HostileTextTests {
    private static let evil =
        "\u{1B}[2J\u{1B}]0;owned\u{7}\u{202E}gnp\u{2066}\u{61C}\u{200F}\u{200B}\u{FEFF}\n$ INJECTED\r\u{9B}31m\u{2028}\u{2029}\u{85}\u{7F}\t\u{8}"

    @Test(
        "is never printed so that a terminal obeys it",
        arguments: [[], ["--json"], ["--verbose"], ["--color", "never"]])
    func escaped(_ options: [String]) throws {
        let folder = try ScratchFolder(of: HostileStore.fixture(Self.evil))
        var seen = false
        for command in [["status"], ["verify"], ["rebuild", "--dry-run"], ["rebuild"]] {
            let answer = try folder.meterfix(arguments: command + options + ["store.sqlite"])
            #expect(answer.code <= 2, "\(answer.stderr)")
            let text = answer.stdout + answer.stderr
            #expect(TerminalSafety.violations(in: text).isEmpty, "\(command)")
            let lines = text.split(whereSeparator: \.isNewline)
            #expect(!lines.contains { $0.hasPrefix("$ INJECTED") }, "\(command)")
            seen = seen || text.contains("INJECTED")
        }
        #expect(seen)
    }

    @Test(
        "makes no answer of megabytes, however long it is: it is cut with its length, and whole in JSON and CSV",
        arguments: [[], ["--format", "markdown"], ["--format", "html"], ["--verbose"]])
    func long(_ options: [String]) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let store = "duplicates.sqlite"
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = Z_PK || '-' || hex(zeroblob(50000)) WHERE Z_PK < 5", in: store)
        for words in [
            ["verify"], ["rebuild", "--dry-run"], ["show", "--row", "1"], ["meters"],
            ["set", "--row", "1", "--name", "Lab", "-n"],
            ["compare", PackageFolder.samples + "/duplicates.sqlite"], ["report"], ["lost"], ["log"],
        ] {
            let answer = try folder.meterfix(arguments: words + options + [store, "--now", SampleSession.now])
            let size = answer.stdout.utf8.count + answer.stderr.utf8.count
            #expect(size < 500_000, "\(words): \(size)")
        }
        let shown = try folder.meterfix(arguments: ["show", "--row", "1", store] + options)
        let isCut = shown.stdout.contains("characters; --json has all of them)")
        #expect(isCut)
        for format in ["json", "csv"] {
            let whole = try folder.meterfix("meters", store, "--format", format)
            let isWhole = whole.stdout.contains("2-" + String(repeating: "0", count: 100_000))
            #expect(isWhole, "\(format)")
        }
    }

    @Test("is escaped in a refusal too")
    func refusal() throws {
        let folder = try ScratchFolder()
        try StoreFixture(records: [FixtureRecord(row: 1)]).with {
            $0.damage = {
                let name = "\"evil\(Self.evil)\""
                try $0.execute(sql: "CREATE TRIGGER \(name) AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT 1; END")
            }
        }.write(to: folder.path + "/store.sqlite")
        for options in [[], ["--json"]] {
            let answer = try folder.meterfix(arguments: ["rebuild", "store.sqlite"] + options)
            answer.expect(4, saying: "INJECTED")
            #expect(TerminalSafety.violations(in: answer.stdout + answer.stderr).isEmpty)
        }
    }

    @Test("in the names of files is escaped when the usage is wrong")
    func wrongUsage() throws {
        let folder = try ScratchFolder()
        let answer = try folder.meterfix("status", "one", Self.evil)
        #expect(answer.code == 64)
        #expect(answer.stderr.hasPrefix(#"meterfix: unexpected argument '\u{1b}[2J"#))
        #expect(TerminalSafety.violations(in: answer.stderr).isEmpty)
        #expect(!answer.stderr.contains("\n$ INJECTED"))
    }
}

/// A store of which every text may have been written by somebody who means harm.
enum HostileStore {
    /// - Parameter evil: what each text has in it: names, units, devices, ids, CloudKit's names, the history's authors.
    static func fixture(_ evil: String) -> StoreFixture {
        var records = (1...3).map { row in
            var record = FixtureRecord(row: Int64(row), macAddress: "A4:C1:38:0B:7E:21", meterName: "\(row)\(evil)")
            record.tc66TemperatureUnit = "kelvin\(row)\(evil)"
            record.modelType = "UM25C\(evil)"
            record.updatedAt = FixtureClock.now - Double(row)
            record.cloudRecordName = "record\(row)\(evil)"
            var device = FixtureDevice.anasPhone
            device.id = "device\(evil)"
            device.name = "phone\(row)\(evil)"
            record = record.locked(by: device, at: FixtureClock.now - 1_000 * Double(row))
            return record.seen(by: device, at: FixtureClock.now - 60)
        }
        var other = FixtureRecord(row: 4, macAddress: "no address\(evil)", meterName: "iPad")
        other.connectedByDeviceName = evil
        other.connectionMetadata = "{" + evil
        other.overrides = ["ZCREATEDAT": .text(evil)]
        other.extra = ["note": .text(evil)]
        var same = FixtureRecord(row: 5, macAddress: "98:DA:C0:11:AB:0E", meterName: "1\(evil)")
        same.id = records[0].id
        records += [other, same]
        return StoreFixture(records: records).with {
            $0.mirror = .current
            $0.storeUUID = "uuid\(evil)"
            $0.extraAttributes = [Attribute("note", .string)]
            $0.mirrorEvents = [
                MirrorEvent(
                    .outgoing, at: FixtureClock.now - 60, succeeded: false, errorDomain: "domain\(evil)", errorCode: 1)
            ]
            $0.damage = { try $0.execute(sql: "UPDATE ATRANSACTIONSTRING SET ZNAME = ZNAME || ?", arguments: [evil]) }
        }
    }
}
