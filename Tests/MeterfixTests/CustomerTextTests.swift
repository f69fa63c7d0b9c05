import CoreDataStore
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import meterfix

/// The first paragraph of a report: its sentences, for one, two and many.
@Suite("what the owner of the meters reads")
struct CustomerTextTests {
    /// Records of meters: each has these names, nil for a record without one, the newest first.
    private static func records(_ meters: [String?]..., unit: [String?] = []) -> [FixtureRecord] {
        var records: [FixtureRecord] = []
        for (place, names) in meters.enumerated() {
            let digits = "0123456789ABCDEF".map(String.init)
            for (age, name) in names.enumerated() {
                let row = Int64(records.count + 1)
                var record = FixtureRecord(
                    row: row, macAddress: "A4:C1:38:00:\(digits[place / 16])0:0\(digits[place % 16])", meterName: name)
                record.id = FixtureUUID(UInt64(row)).bytes
                record.createdAt = FixtureClock.now - 100 * FixtureClock.day
                record.updatedAt = FixtureClock.now - Double(age + 1) * FixtureClock.day
                if age < unit.count { record.tc66TemperatureUnit = unit[age] }
                records.append(record)
            }
        }
        return records
    }

    private struct Words {
        let before: CustomerText
        let after: CustomerText
    }

    /// Before a rebuild, and after it.
    private static func words(_ records: [FixtureRecord], showsAll: Bool = false) throws -> Words {
        let folder = try ScratchFolder()
        let path = folder.path + "/store.sqlite"
        try StoreFixture(records: records).write(to: path)
        func text() throws -> CustomerText {
            var request = TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now))
            request.shownNames = 40
            let report = try TicketReport.of(path, request)
            return CustomerText(report.customer, in: report.verification.letterCase, showsAll: showsAll)
        }
        let before = try text()
        let answer = try folder.meterfix("rebuild", "--quiet", "--now", FixtureClock.nowText, "store.sqlite")
        #expect(answer.code == 0 || answer.code == 2, "\(answer.stderr)")
        return Words(before: before, after: try text())
    }

    private static let date = "This was done on 21 Nov 2026."

    @Test("of one meter, with a name and without one")
    func one() throws {
        let named = try Self.words(Self.records(["Lab", "Lab"]))
        #expect(
            named.before.paragraph
                == "You have 1 meter that is stored twice. A repair will store it once. The name that will be kept: \"Lab\"."
        )
        #expect(
            named.after.paragraph
                == "You had 1 meter stored twice. It is now stored once. Name now: \"Lab\". \(Self.date)")
        #expect(named.before.checks.isEmpty && named.after.checks.isEmpty)
        let nameless = try Self.words(Self.records([nil, nil, " "]))
        #expect(
            nameless.before.paragraph
                == "You have 1 meter that is stored 3 times. A repair will store it once. It has no name.")
        #expect(
            nameless.after.paragraph
                == "You had 1 meter stored 3 times. It is now stored once. It has no name. \(Self.date)")
    }

    @Test("of two and of many, with different numbers of records, some without a name")
    func many() throws {
        let two = try Self.words(Self.records(["Lab", nil], ["Shed", "Shed"]))
        #expect(
            two.before.paragraph
                == "You have 2 meters that are stored twice. A repair will store each once. Names that will be kept: \"Lab\" and \"Shed\"."
        )
        let three = try Self.words(Self.records(["Lab", "Lab", "Lab"], ["Shed", "Shed"], [nil, nil], ["Alone"]))
        #expect(
            three.before.paragraph
                == "You have 3 meters that are stored twice or more. A repair will store each once. Names that will be kept: \"Lab\" and \"Shed\"; 1 has no name."
        )
        #expect(
            three.after.paragraph
                == "You had 3 meters stored twice or more. Each is now stored once. Names now: \"Lab\" and \"Shed\"; 1 has no name. \(Self.date)"
        )
        let nameless = try Self.words(Self.records([nil, nil], [nil, nil], ["Alone"]))
        #expect(nameless.before.paragraph.hasSuffix("A repair will store each once. None of them has a name."))
        let one = try Self.words(Self.records(["Lab", nil], [nil, nil], [nil, nil]))
        #expect(one.before.paragraph.hasSuffix("The name that will be kept: \"Lab\"; 2 have no name."))
    }

    @Test("does not list a hundred names, unless it is asked to")
    func longList() throws {
        let records = (1...20).map { ["Meter \($0)", nil] as [String?] }
        let all = records.enumerated().flatMap { place, names in
            names.enumerated().map { age, name in
                FixtureRecord(
                    row: Int64(place * 2 + age + 1), macAddress: "A4:C1:38:00:00:\(10 + place)", meterName: name
                ).with {
                    $0.id = FixtureUUID(UInt64(place * 2 + age)).bytes
                    $0.createdAt = FixtureClock.now - 100 * FixtureClock.day
                    $0.updatedAt = FixtureClock.now - Double(age + 1) * FixtureClock.day
                }
            }
        }
        let short = try Self.words(all)
        #expect(short.before.paragraph.hasSuffix("\"Meter 11\", \"Meter 12\" and 8 more."))
        let whole = try Self.words(all, showsAll: true)
        #expect(whole.before.paragraph.hasSuffix("\"Meter 19\" and \"Meter 20\"."))
    }

    @Test("asks about what is discarded, in the tense of the rest")
    func choices() throws {
        let words = try Self.words(
            Self.records(["Lab", "Bench", "Old", "Bench"], unit: ["celsius", "fahrenheit"]))
        #expect(
            words.before.checks == [
                "one meter has several names: \"Lab\" will be kept, \"Bench\" and \"Old\" will be discarded",
                "\"Lab\" has several units: Celsius will be kept, Fahrenheit will be discarded",
            ])
        #expect(
            words.after.checks == [
                "one meter had several names: \"Lab\" was kept, \"Bench\" and \"Old\" were discarded",
                "\"Lab\" had several units: Celsius was kept, Fahrenheit was discarded",
            ])
    }

    @Test("is made of the store as it is: of what was renamed, changed or deleted after the repair")
    func changedSince() throws {
        let folder = try ScratchFolder()
        try StoreFixture(
            records: Self.records(["Lab", "Bench", "Old"], ["Shed", nil], unit: ["celsius", "fahrenheit"])
        ).write(to: folder.path + "/store.sqlite")
        func words(_ arguments: String...) throws -> CustomerText {
            let answer = try folder.meterfix(
                arguments: arguments + ["--quiet", "--now", FixtureClock.nowText, "store.sqlite"])
            #expect(answer.code == 0 || answer.code == 2, "\(answer.stderr)")
            let report = try TicketReport.of(
                folder.path + "/store.sqlite",
                TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now)))
            return CustomerText(report.customer, in: .upper, showsAll: false)
        }
        #expect(try words("rebuild").paragraph.contains(" Names now: \"Lab\" and \"Shed\"."))
        let renamed = try words("set", "A4:C1:38:00:00:00", "--name", "Bench", "--unit", "fahrenheit")
        #expect(renamed.paragraph.contains(" Names now: \"Bench\" and \"Shed\"."))
        #expect(
            renamed.checks == [
                "one meter is called \"Bench\" now; \"Lab\" and \"Old\" were discarded",
                "\"Bench\" is set to Fahrenheit now; Celsius was discarded",
                "\"Shed\" had several units: Celsius was kept, Fahrenheit was discarded",
            ])
        let cleared = try words("set", "A4:C1:38:00:00:00", "--name", "")
        #expect(cleared.paragraph.contains(" Name now: \"Shed\"; 1 has no name."))
        #expect(
            cleared.checks.first == "the meter A4:C1:38:00:00:00: \"Lab\", \"Bench\" and \"Old\" were discarded")
        #expect(try words("undo").paragraph == renamed.paragraph)
        let deleted = try words("delete", "--row", "4", "--force")
        #expect(
            deleted.paragraph.contains(
                "It is now stored once. Name now: \"Bench\". 1 meter that was repaired is no longer in this file."))
        #expect(try words("delete", "--row", "1", "--force").paragraph.hasPrefix("There is no record of a meter"))
    }

    @Test("does not say that an old name is back where another one took its place")
    func renamedImport() throws {
        let folder = try ScratchFolder()
        try StoreFixture(records: Self.records([nil])).write(to: folder.path + "/store.sqlite")
        try folder.write(#"{"MeterNames": {"A4:C1:38:00:00:00": "Balcony"}}"#, to: "names.json")
        let now = ["--quiet", "--now", FixtureClock.nowText, "store.sqlite"]
        #expect(try folder.meterfix(arguments: ["import-kv", "names.json"] + now).code == 0)
        #expect(try folder.meterfix(arguments: ["set", "A4:C1:38:00:00:00", "--name", "Desk"] + now).code == 0)
        let report = try TicketReport.of(
            folder.path + "/store.sqlite", TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now)))
        let text = CustomerText(report.customer, in: .upper, showsAll: false)
        #expect(text.paragraph == "1 entry was put in order. \(Self.date)")
    }

    @Test("of a file without a meter: what its history says, and the question whether it is the right one")
    func empty() throws {
        func text(_ fixture: StoreFixture) throws -> CustomerText {
            let folder = try ScratchFolder()
            try fixture.write(to: folder.path + "/store.sqlite")
            let report = try TicketReport.of(
                folder.path + "/store.sqlite",
                TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now)))
            return CustomerText(report.customer, in: .upper, showsAll: false)
        }
        let question =
            " Is it the right file, from a device with your meters, and was the file sent with it that has the same name "
            + "and \"-wal\" at the end?"
        let start = "There is no record of a meter in this copy. "
        #expect(try text(StoreFixture()).paragraph == start + "Its history mentions none either." + question)
        #expect(
            try text(StoreFixture().with { $0.history = .none }).paragraph
                == start + "It has no history that could say whether there ever was one." + question)
        // Two were there; the history says when the last one was deleted.
        let deleted = StoreFixture(records: Self.records(["Lab"], ["Shed"])).damaged(
            """
            DELETE FROM ZDEVICESETTINGS; UPDATE ATRANSACTION SET ZTIMESTAMP = \(FixtureClock.now - 86400);
            INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            SELECT Z_ENT, 1, 2, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE
            """)
        #expect(
            try text(deleted).paragraph
                == start + "Its history says that 2 records were deleted, the last one on 20 Nov 2026." + question)
        let unknown = Self.records(["Lab"]).map { $0.with { $0.macAddress = "x" } }
        #expect(
            try text(StoreFixture(records: unknown)).paragraph
                == "This file has one entry, and it does not say which meter it is about.")
    }

    @Test("says that nothing is wrong only where nothing is")
    func clean() throws {
        #expect(
            try Self.words(Self.records(["Lab"])).before.paragraph == "Nothing is wrong. Your meter is stored once.")
        let three = try Self.words(Self.records(["Lab"], ["Shed"], [nil]))
        #expect(three.before.paragraph == "Nothing is wrong. Each of your 3 meters is stored once.")
        let shared = try Self.words(Self.records(["Lab"], ["Lab"], ["iPad"]))
        #expect(shared.before.paragraph == "Each of your 3 meters is stored once.")
        #expect(
            shared.before.checks == [
                "1 meter has a name that does not say which meter it is: \"iPad\"",
                "more than one meter has the same name: \"Lab\"",
            ])
        var lost = Self.records(["Lab"])
        lost += [FixtureRecord(row: 8, macAddress: nil, meterName: "A"), FixtureRecord(row: 9, macAddress: "x")]
        for index in 1...2 {
            lost[index].id = FixtureUUID(UInt64(90 + index)).bytes
            lost[index].updatedAt = FixtureClock.now - 1
            lost[index].createdAt = FixtureClock.now - 2
        }
        #expect(
            try Self.words(lost).before.checks == ["2 entries do not say which meter they are about: \"A\""])
    }

    @Test("leaves to support what only support understands, at the end")
    func technical() throws {
        var records = Self.records(["Lab", "Lab"], ["iPad"])
        records[2].connectedByDeviceID = "x"
        let checks = try Self.words(records).before.checks
        #expect(
            checks == [
                "1 meter has a name that does not say which meter it is: \"iPad\"",
                "besides, 1 point further below, which support can explain",
            ])
    }

    @Test("warns of opening the app where that would lose something")
    func tokenLost() throws {
        let folder = try ScratchFolder(sample: "check-mirror-token-lost")
        let report = try TicketReport.of(
            folder.path + "/check-mirror-token-lost.sqlite",
            TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now)))
        let text = CustomerText(report.customer, in: .upper, showsAll: false)
        #expect(
            text.checks == [
                "do not open the app before support has answered: what iCloud does not have yet would be lost on this device"
            ])
        #expect(!text.paragraph.contains("Nothing is wrong"))
    }

    @Test("says why and since when the exchange with iCloud fails, the cause that is known first")
    func cloud() throws {
        func checks(_ events: [MirrorEvent]) throws -> [String] {
            let folder = try ScratchFolder()
            let path = folder.path + "/store.sqlite"
            try StoreFixture(records: Self.records(["Lab"])).with {
                $0.mirror = .current
                $0.mirrorEvents = events
            }.write(to: path)
            let request = TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now))
            return CustomerText(try TicketReport.of(path, request).customer, in: .upper, showsAll: false).checks
        }
        func failure(_ kind: MirrorEvent.Kind, _ code: Int64) -> MirrorEvent {
            MirrorEvent(
                kind, at: FixtureClock.now - FixtureClock.hour, succeeded: false, errorDomain: "CKErrorDomain",
                errorCode: code)
        }
        let success = MirrorEvent(.outgoing, at: FixtureClock.now - 9 * FixtureClock.day)
        let full = try #require(MirrorError(domain: "CKErrorDomain", code: 25).forTheOwner)
        #expect(
            try checks([success, failure(.outgoing, 25)]) == [
                "the exchange with iCloud has failed since 12 Nov 2026: \(full)"
            ])
        #expect(
            try checks([failure(.incoming, 4711), failure(.outgoing, 25)]) == [
                "the exchange with iCloud has failed: \(full)"
            ])
        #expect(
            try checks([failure(.incoming, 4711)])[0].hasSuffix(
                "is each device signed in to iCloud, and is there room?"))
        #expect(try checks([success]).isEmpty)
    }

    @Test("of spellings that are put in order, and of a store that takes no repair")
    func others() throws {
        var records = Self.records(["Lab"], ["Shed"])
        records[1].macAddress = "a4c138000001"
        #expect(
            try Self.words(records).before.paragraph == "A repair will put 1 entry in order; no meter is lost.")
        #expect(try Self.words(records).after.paragraph == "1 entry was put in order. \(Self.date)")
        let folder = try ScratchFolder(sample: "no-history")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = 'A4:C1:38:00:00:01'", in: "no-history.sqlite")
        let report = try TicketReport.of(
            folder.path + "/no-history.sqlite",
            TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now)))
        let text = CustomerText(report.customer, in: .upper, showsAll: false)
        #expect(
            text.paragraph
                == "You have 1 meter that is stored twice or more. This copy cannot be repaired as it is; what is in the way is written further below."
        )
        #expect(text.checks.isEmpty)
    }

    @Test("of an import and a migration: the old names that are back, and the newer format")
    func otherRepairs() throws {
        let folder = try ScratchFolder(sample: "v1")
        try folder.write(#"{"MeterNames": {"A4:C1:38:70:12:DD": "Balcony", "x": "y"}}"#, to: "names.json")
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL WHERE ZMACADDRESS = 'A4:C1:38:70:12:DD'", in: "v1.sqlite")
        let now = ["--quiet", "--now", FixtureClock.nowText]
        #expect(try folder.meterfix(arguments: ["import-kv", "names.json", "v1.sqlite"] + now).code == 2)
        #expect(try folder.meterfix(arguments: ["migrate", "v1.sqlite"] + now).code == 0)
        #expect(try folder.meterfix(arguments: ["rebuild", "v1.sqlite"] + now).code < 3)
        let report = try TicketReport.of(
            folder.path + "/v1.sqlite", TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now)))
        let text = CustomerText(report.customer, in: .upper, showsAll: false)
        #expect(
            text.paragraph.contains("1 meter has its old name back: \"Balcony\". The file was brought to the newer"))
        #expect(text.checks.contains("1 of the old names or units could not be used"))
    }
}
