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
                == "You had 1 meter stored twice. It is now stored once. Name kept: \"Lab\". \(Self.date)")
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
                == "You had 3 meters stored twice or more. Each is now stored once. Names kept: \"Lab\" and \"Shed\"; 1 has no name. \(Self.date)"
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

    @Test("asks about what is given up, in the tense of the rest")
    func choices() throws {
        let words = try Self.words(
            Self.records(["Lab", "Bench", "Old", "Bench"], unit: ["celsius", "fahrenheit"]))
        #expect(
            words.before.checks == [
                "one meter is called \"Lab\", and also \"Bench\" and \"Old\": \"Lab\" will be kept",
                "\"Lab\" is set to Celsius, and also to Fahrenheit: Celsius will be kept",
            ])
        #expect(
            words.after.checks == [
                "one meter was called \"Lab\", and also \"Bench\" and \"Old\": \"Lab\" was kept",
                "\"Lab\" was set to Celsius, and also to Fahrenheit: Celsius was kept",
            ])
    }

    @Test("says that nothing is wrong only where nothing is")
    func clean() throws {
        #expect(try Self.words([]).before.paragraph == "Nothing is wrong. There is no meter in this file.")
        #expect(
            try Self.words(Self.records(["Lab"])).before.paragraph == "Nothing is wrong. Your meter is stored once.")
        let three = try Self.words(Self.records(["Lab"], ["Shed"], [nil]))
        #expect(three.before.paragraph == "Nothing is wrong. Each of your 3 meters is stored once.")
        let shared = try Self.words(Self.records(["Lab"], ["Lab"], ["iPad"]))
        #expect(shared.before.paragraph == "Each of your 3 meters is stored once.")
        #expect(
            shared.before.checks == [
                "1 meter has a name that nobody typed: \"iPad\"", "more than one meter has the same name: \"Lab\"",
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
                "1 meter has a name that nobody typed: \"iPad\"",
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
