import Answer
import CoreDataStore
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import meterfix

/// The letter: its sentences, for one, two and many.
@Suite("what the owner of the meters reads")
struct CustomerLetterTests {
    /// Records of meters: each has these names, nil for a record without one, the newest first.
    private static func records(_ meters: [String?]..., unit: [String?] = []) -> [FixtureRecord] {
        records(of: meters, unit: unit)
    }

    private static func records(of meters: [[String?]], unit: [String?] = []) -> [FixtureRecord] {
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

    private struct Letters {
        let before: CustomerLetter
        let after: CustomerLetter
    }

    /// Before a rebuild, and after it.
    private static func letters(_ records: [FixtureRecord], showsAll: Bool = false) throws -> Letters {
        let folder = try ScratchFolder()
        try StoreFixture(records: records).write(to: folder.path + "/store.sqlite")
        let before = try letter(in: folder, showsAll: showsAll)
        let answer = try folder.meterfix("rebuild", "--quiet", "--now", FixtureClock.nowText, "store.sqlite")
        #expect(answer.code == 0 || answer.code == 2, "\(answer.stderr)")
        return Letters(before: before, after: try letter(in: folder, showsAll: showsAll))
    }

    private static func letter(
        in folder: ScratchFolder, _ name: String = "store", showsAll: Bool = false
    ) throws -> CustomerLetter {
        var request = TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now))
        request.shownNames = 40
        let report = try TicketReport.of("\(folder.path)/\(name).sqlite", request)
        let letter = CustomerLetter(report.customer, in: report.verification.letterCase, showsAll: showsAll)
        LetterSentenceTests.check(letter, "\(letter.text)")
        return letter
    }

    private static func letter(of fixture: StoreFixture) throws -> CustomerLetter {
        let folder = try ScratchFolder()
        try fixture.write(to: folder.path + "/store.sqlite")
        return try letter(in: folder)
    }

    private static let date = "We made this repair on 21\u{A0}November."
    private static let noLoss = "We can repair this, and no meter will be lost."

    @Test("is about one meter, with a name and without one")
    func one() throws {
        let named = try Self.letters(Self.records(["Lab", "Lab"]))
        #expect(
            named.before.opening.text
                == "Thank you for your file. One of your meters is stored twice: “Lab”. \(Self.noLoss)")
        #expect(named.before.title.text == "The meter is stored more than once")
        #expect(named.before.situation == .repairNeeded && named.before.oneThing == nil)
        #expect(
            named.after.opening.text
                == "One meter was stored twice and is now stored once: “Lab”. No meter was lost. \(Self.date)")
        #expect(named.after.title.text == "The meter is stored once" && named.after.situation == .repaired)
        #expect(named.before.checks.isEmpty && named.after.checks.isEmpty)
        let nameless = try Self.letters(Self.records([nil, nil, " "]))
        #expect(
            nameless.before.opening.text
                == "Thank you for your file. One of your meters is stored 3 times. It has no name. \(Self.noLoss)")
        #expect(
            nameless.after.opening.text
                == "One meter was stored 3 times and is now stored once. It has no name. No meter was lost. \(Self.date)"
        )
    }

    @Test("is about two and many, with different numbers of records, some without a name")
    func many() throws {
        let two = try Self.letters(Self.records(["Lab", nil], ["Shed", "Shed"]))
        #expect(
            two.before.opening.text
                == "Thank you for your file. Two of your meters are stored twice: “Lab” and “Shed”. \(Self.noLoss)")
        #expect(two.before.title.text == "All 2 meters are stored more than once")
        let three = try Self.letters(Self.records(["Lab", "Lab", "Lab"], ["Shed", "Shed"], [nil, nil], ["Alone"]))
        #expect(
            three.before.opening.text
                == "Thank you for your file. Three of your meters are stored twice or more: “Lab”, “Shed” and one without a name. \(Self.noLoss)"
        )
        #expect(three.before.title.text == "3 of 4 meters are stored more than once")
        #expect(
            three.after.opening.text
                == "Three meters were stored twice or more, and each is now stored once: “Lab”, “Shed” and one without a name. No meter was lost. \(Self.date)"
        )
        #expect(three.after.title.text == "Each of the 4 meters is stored once")
        let nameless = try Self.letters(Self.records([nil, nil], [nil, nil], ["Alone"]))
        #expect(nameless.before.opening.text.contains("stored twice. None of them has a name."))
        let one = try Self.letters(Self.records(["Lab", nil], [nil, nil], [nil, nil]))
        #expect(one.before.opening.text.contains("stored twice: “Lab” and two without a name."))
    }

    @Test("says that names come and go only where the app shows less than there is")
    func comingAndGoing() throws {
        // The app finds the record with the smallest number.
        let records = Array(Self.records([nil, "Lab"]))
        #expect(try Self.letters(records).before.opening.text.contains(" That is why its name and unit come and go. "))
        #expect(try !Self.letters(Self.records(["Lab", nil])).before.opening.text.contains("come and go"))
    }

    @Test("does not list a hundred names, unless it is asked to")
    func longList() throws {
        let all = Self.records(of: (1...20).map { ["Meter \($0)", nil] })
        #expect(try Self.letters(all).before.opening.text.contains("“Meter 11”, “Meter 12” and 8 more."))
        let whole = try Self.letters(all, showsAll: true)
        #expect(whole.before.opening.text.contains("“Meter 19” and “Meter 20”."))
    }

    @Test("asks about what is discarded, in the tense of the rest")
    func choices() throws {
        let letters = try Self.letters(
            Self.records(["Lab", "Bench", "Old", "Bench"], unit: ["celsius", "fahrenheit"]))
        #expect(
            letters.before.checks == [
                "One meter has three names. Is “Lab” the right one? 1 yes: It stays “Lab”. 1 no: Tell us which one: “Bench” or “Old”.",
                "“Lab” is set to two units. Is Celsius the right one? 2 yes: It stays Celsius. 2 no: It becomes Fahrenheit.",
            ])
        #expect(letters.before.oneThing?.title == "Answer two questions" && letters.before.questionsLead == nil)
        #expect(letters.before.steps.map(\.state) == [.now, .later, .later])
        #expect(letters.after.steps.map(\.state) == [.past, .now, .later])
        #expect(letters.before.questions.map { $0.field?.known } == [.meterName, .tc66TemperatureUnit])
        #expect(
            letters.after.checks == [
                "One meter had three names. We kept “Lab”. Is that right? 1 yes: Nothing changes. 1 no: Tell us which one: “Bench” or “Old”. We still have them.",
                "“Lab” was set to two units. We kept Celsius. Is that right? 2 yes: Nothing changes. 2 no: It becomes Fahrenheit again. We still have it.",
            ])
        #expect(letters.after.oneThing?.title == "Put the file back, and open USB Meter only on that device")
        #expect(
            letters.after.questionsLead?.text
                == "Please also check two points. Where we are right, you need not answer.")
    }

    @Test("asks six questions at most, unless it is asked for all")
    func manyChoices() throws {
        let records = Self.records(of: (1...8).map { ["Meter \($0)", "Other \($0)"] })
        let letter = try Self.letters(records).before
        #expect(letter.questions.map(\.number) == [1, 2, 3, 4, 5, 6])
        #expect(
            letter.notes.map(\.text) == ["For 2 more names and units we keep the later one; they are listed below."])
        let whole = try Self.letters(records, showsAll: true).before
        #expect(whole.questions.count == 8 && whole.notes.isEmpty)
    }

    @Test("cuts a long name, and shows what is hidden in one")
    func hostileNames() throws {
        let long = String(repeating: "Lab", count: 100)
        let text = try Self.letters(Self.records([long, long])).before.opening.text
        #expect(text.contains("“\(long.prefix(59))…”."))
        #expect(try Self.letters(Self.records(["a\u{202E}b", nil])).before.opening.text.contains("“a\\u{202e}b”."))
    }

    @Test("is made of the store as it is: of what was renamed, changed or deleted after the repair")
    func changedSince() throws {
        let folder = try ScratchFolder()
        try StoreFixture(
            records: Self.records(["Lab", "Bench", "Old"], ["Shed", nil], unit: ["celsius", "fahrenheit"])
        ).write(to: folder.path + "/store.sqlite")
        func letter(_ arguments: String...) throws -> CustomerLetter {
            let answer = try folder.meterfix(
                arguments: arguments + ["--quiet", "--now", FixtureClock.nowText, "store.sqlite"])
            #expect(answer.code == 0 || answer.code == 2, "\(answer.stderr)")
            return try Self.letter(in: folder)
        }
        #expect(try letter("rebuild").opening.text.contains(" is now stored once: “Lab” and “Shed”."))
        let renamed = try letter("set", "A4:C1:38:00:00:00", "--name", "Bench", "--unit", "fahrenheit")
        #expect(renamed.opening.text.contains(" is now stored once: “Bench” and “Shed”."))
        #expect(renamed.questions.map(\.text.text) == ["“Shed” was set to two units. We kept Celsius. Is that right?"])
        #expect(
            renamed.notes.map(\.text) == [
                "One meter is called “Bench” now; its other names “Lab” and “Old” were discarded.",
                "“Bench” is set to Fahrenheit now; Celsius was discarded.",
            ])
        let cleared = try letter("set", "A4:C1:38:00:00:00", "--name", "")
        #expect(cleared.opening.text.contains(" is now stored once: “Shed” and one without a name."))
        #expect(
            cleared.notes.first?.text
                == "The meter A4:C1:38:00:00:00 has no name now; “Lab”, “Bench” and “Old” were discarded.")
        #expect(try letter("undo").opening.text == renamed.opening.text)
        let deleted = try letter("delete", "--row", "4", "--force")
        #expect(
            deleted.opening.text.contains(
                " is now stored once: “Bench”. One meter that was repaired is no longer in this file."))
        #expect(try letter("delete", "--row", "1", "--force").opening.text.hasPrefix("There is no entry of a meter"))
    }

    @Test("does not say that an old name is back where another one took its place")
    func renamedImport() throws {
        let folder = try ScratchFolder()
        try StoreFixture(records: Self.records([nil])).write(to: folder.path + "/store.sqlite")
        try folder.write(#"{"MeterNames": {"A4:C1:38:00:00:00": "Balcony"}}"#, to: "names.json")
        let now = ["--quiet", "--now", FixtureClock.nowText, "store.sqlite"]
        #expect(try folder.meterfix(arguments: ["import-kv", "names.json"] + now).code == 0)
        #expect(try folder.meterfix(arguments: ["set", "A4:C1:38:00:00:00", "--name", "Desk"] + now).code == 0)
        #expect(try Self.letter(in: folder).opening.text == "One entry was put in order. \(Self.date)")
    }

    @Test("says of a file without a meter what its history knows, and asks whether it is the right one")
    func empty() throws {
        let start = "There is no entry of a meter in this file. "
        let letter = try Self.letter(of: StoreFixture())
        #expect(letter.opening.text == start + "Its history mentions none either.")
        #expect(letter.situation == .unusable && letter.title.text == "There is no meter in this file")
        #expect(letter.oneThing?.title == "Look whether this is the right file")
        #expect(
            letter.oneThing?.text.text
                == "Is it from a device with your meters? Please also send the file with the same name and “-wal” at the end."
        )
        #expect(
            try Self.letter(of: StoreFixture().with { $0.history = .none }).opening.text
                == start + "It has no history that could say whether there ever was one.")
        // Two were there; the history says when the last one was deleted.
        let deleted = StoreFixture(records: Self.records(["Lab"], ["Shed"])).damaged(
            """
            DELETE FROM ZDEVICESETTINGS; UPDATE ATRANSACTION SET ZTIMESTAMP = \(FixtureClock.now - 86400);
            INSERT INTO ACHANGE (Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID)
            SELECT Z_ENT, 1, 2, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE
            """)
        #expect(
            try Self.letter(of: deleted).opening.text
                == start + "Its history says that two entries were deleted, the last one on 20\u{A0}November.")
        let unknown = Self.records(["Lab"]).map { $0.with { $0.macAddress = "x" } }
        let other = try Self.letter(of: StoreFixture(records: unknown))
        #expect(other.opening.text == "This file has one entry, and it does not say which meter it is about.")
        #expect(other.situation == .look)
        #expect(other.title.text == "1 entry does not say which meter it is about")
    }

    @Test("says that nothing is wrong only where nothing is")
    func clean() throws {
        let one = try Self.letters(Self.records(["Lab"])).before
        #expect(
            one.opening.text
                == "Nothing is wrong with your meters. Your meter is stored once. You need not do anything.")
        #expect(one.situation == .fine && one.word == "Nothing is wrong" && one.steps.isEmpty && one.oneThing == nil)
        let three = try Self.letters(Self.records(["Lab"], ["Shed"], [nil]))
        #expect(three.before.opening.text.contains(" Each of your three meters is stored once. "))
        let shared = try Self.letters(Self.records(["Lab"], ["Lab"], ["iPad"])).before
        #expect(shared.opening.text == "Each of your three meters is stored once.")
        #expect(shared.situation == .look)
        #expect(
            shared.checks == [
                "One meter has a name that does not say which meter it is: “iPad”.",
                "More than one meter has the same name: “Lab”.",
            ])
        var lost = Self.records(["Lab"])
        lost += [FixtureRecord(row: 8, macAddress: nil, meterName: "A"), FixtureRecord(row: 9, macAddress: "x")]
        for index in 1...2 {
            lost[index].id = FixtureUUID(UInt64(90 + index)).bytes
            lost[index].updatedAt = FixtureClock.now - 1
            lost[index].createdAt = FixtureClock.now - 2
        }
        #expect(try Self.letters(lost).before.checks == ["Two entries do not say which meters they are about: “A”."])
    }

    @Test("leaves to support what only support understands, at the end")
    func technical() throws {
        var records = Self.records(["Lab", "Lab"], ["iPad"])
        records[2].connectedByDeviceID = "x"
        let checks = try Self.letters(records).before.checks
        #expect(
            checks == [
                "One meter has a name that does not say which meter it is: “iPad”.",
                "One point further below is for us; we can explain it.",
            ])
    }

    @Test("warns of opening the app where that would lose something")
    func tokenLost() throws {
        let letter = try Self.letter(in: ScratchFolder(sample: "check-mirror-token-lost"), "check-mirror-token-lost")
        #expect(letter.situation == .stop && letter.word == "Stop: do not open the app")
        #expect(letter.oneThing?.title == "Do not open USB Meter")
        #expect(letter.opening.text.contains("what iCloud does not have yet is lost here"))
        #expect(!letter.opening.text.contains("Nothing is wrong") && letter.checks.isEmpty)
    }

    @Test("says of meters that vanished who deleted them, when, and what must not be done")
    func vanished() throws {
        let letter = try Self.letter(in: ScratchFolder(sample: "check-mass-delete"), "check-mass-delete")
        #expect(letter.situation == .stop && letter.title.text == "iCloud deleted all meters in this file")
        #expect(letter.lead.text.hasPrefix("5 entries were deleted at once on 21\u{A0}November. "))
        #expect(
            letter.opening.text.hasPrefix(
                "On 21\u{A0}November, iCloud told USB Meter on this device to delete all of its meters. "))
        #expect(letter.oneThing?.tag == "One thing to do, now")
        #expect(letter.oneThing?.title == "Switch on Airplane Mode on your other devices")
        #expect(letter.questions.map(\.address) == [nil, nil])
        #expect(letter.donts.map(\.icon) == Array(repeating: .discarded, count: 5) + [.check])
        #expect(letter.steps.map(\.state) == [.now, .later, .later, .later, .later])
    }

    @Test("says that the file is not complete before anything about its meters")
    func incomplete() throws {
        let folder = try ScratchFolder()
        try StoreFixture(records: Self.records(["Lab", "Desk"])).write(to: folder.path + "/store.sqlite")
        try folder.remove("store.sqlite-wal")
        let letter = try Self.letter(in: folder)
        #expect(letter.situation == .unusable && letter.word == "File not complete")
        #expect(
            letter.opening.text.hasPrefix(
                "A part of the file is missing, and probably your latest changes with it. What follows is only true of the part that we have. One of your meters is stored twice: “Lab”."
            ))
        #expect(letter.oneThing?.text.text.contains("all files that begin with “CKModel.sqlite”") == true)
        // They would be about a file that is older than what its owner sees, and that is not repaired.
        #expect(letter.questions.isEmpty && !letter.opening.text.contains("repair"))
    }

    @Test("says until when a meter is reserved by mistake, and for which device")
    func reserved() throws {
        let letter = try Self.letter(in: ScratchFolder(sample: "lock-stuck"), "lock-stuck")
        #expect(letter.situation == .look)
        #expect(
            letter.notes.map(\.text) == [
                "“Bench UM34C” is reserved for “Ana's iPhone” until 18\u{A0}December, probably because a clock was wrong. We can free it."
            ])
    }

    @Test("says why and since when the exchange with iCloud fails, the cause that is known first")
    func cloud() throws {
        func letter(_ events: [MirrorEvent]) throws -> CustomerLetter {
            try Self.letter(
                of: StoreFixture(records: Self.records(["Lab"])).with {
                    $0.mirror = .current
                    $0.mirrorEvents = events
                })
        }
        func failure(_ kind: MirrorEvent.Kind, _ code: Int64) -> MirrorEvent {
            MirrorEvent(
                kind, at: FixtureClock.now - FixtureClock.hour, succeeded: false, errorDomain: "CKErrorDomain",
                errorCode: code)
        }
        let success = MirrorEvent(.outgoing, at: FixtureClock.now - 9 * FixtureClock.day)
        let received = MirrorEvent(.incoming, at: FixtureClock.now - 10 * FixtureClock.day)
        let full = try letter([success, failure(.outgoing, 25)])
        #expect(full.situation == .look && full.oneThing?.title == "Make some room in iCloud")
        #expect(
            full.oneThing?.text.text.hasPrefix(
                "The exchange with iCloud has failed since 12\u{A0}November. Your iCloud storage is full,") == true)
        let known = try letter([failure(.incoming, 4711), failure(.outgoing, 25)])
        #expect(
            known.oneThing?.text.text.hasPrefix("The exchange with iCloud fails. Your iCloud storage is full,") == true)
        #expect(
            try letter([failure(.incoming, 4711)]).oneThing?.text.text.hasSuffix(
                "Is each device signed in to iCloud, and is there room?") == true)
        // The owner can do nothing about it.
        let refused = try letter([received, failure(.outgoing, 12)])
        #expect(refused.oneThing == nil && refused.notes.count == 1)
        #expect(refused.notes.first?.text.hasSuffix("Until then, please do not delete USB Meter.") == true)
        // What would delete something comes first.
        #expect(try letter([failure(.incoming, 28), failure(.outgoing, 25)]).situation == .stop)
        #expect(try letter([received, success]).situation == .fine)
    }

    @Test("asks for nothing any more once the repair has arrived in iCloud")
    func arrived() throws {
        let folder = try ScratchFolder()
        let records = Self.records(["Lab", "Lab"]).map { record in
            record.with { $0.cloudRecordName = "RECORD \(record.row)" }
        }
        let fixture = StoreFixture(records: records).with { $0.mirror = .current }
        try fixture.write(to: folder.path + "/store.sqlite")
        #expect(try folder.meterfix("rebuild", "--quiet", "--now", FixtureClock.nowText, "store.sqlite").code == 0)
        #expect(try Self.letter(in: folder).oneThing?.tag == "One thing to do")
        // What the mirror does when the app opens the file.
        let last = try StoreText.read(folder.path + "/store.sqlite") {
            try Int64.fetchOne($0, sql: "SELECT MAX(Z_PK) FROM ATRANSACTION")
        }
        let token = MirrorArchive.historyToken(store: fixture.storeUUID, transaction: try #require(last))
        try folder.execute(
            """
            DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK NOT IN (SELECT Z_PK FROM ZDEVICESETTINGS);
            UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 0, ZLASTEXPORTEDTRANSACTIONNUMBER = 99;
            UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = x'\(Hexadecimal.text(of: token))'
            WHERE ZKEY = 'NSCloudKitMirroringDelegateLastHistoryTokenKey'
            """, in: "store.sqlite")
        let letter = try Self.letter(in: folder)
        #expect(
            letter.opening.text.hasSuffix(
                "The repair has arrived in iCloud, so you may open USB Meter on your other devices."))
        #expect(letter.oneThing == nil && letter.situation == .repaired)
        #expect(letter.steps.map(\.state) == [.past, .past, .past, .past, .now])
    }

    @Test("is about spellings that are put in order, and a store that takes no repair")
    func others() throws {
        var records = Self.records(["Lab"], ["Shed"])
        records[1].macAddress = "a4c138000001"
        let letters = try Self.letters(records)
        #expect(
            letters.before.opening.text == "Thank you for your file. One entry needs to be put in order. \(Self.noLoss)"
        )
        #expect(letters.before.title.text == "1 entry needs to be put in order")
        #expect(letters.after.opening.text == "One entry was put in order. \(Self.date)")
        let folder = try ScratchFolder(sample: "no-history")
        try folder.execute("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = 'A4:C1:38:00:00:01'", in: "no-history.sqlite")
        let letter = try Self.letter(in: folder, "no-history")
        #expect(
            letter.opening.text
                == "One of your meters is stored more than once. This file cannot be repaired as it is; the reason is written further below."
        )
        #expect(letter.checks.isEmpty && letter.situation == .repairNeeded)
        let newer = try Self.letter(in: ScratchFolder(sample: "unknown-model"), "unknown-model")
        #expect(newer.situation == .unusable && newer.opening.text.contains("newer version of USB Meter"))
    }

    @Test("is about an import and a migration: the old names that are back, and the newer format")
    func otherRepairs() throws {
        let folder = try ScratchFolder(sample: "v1")
        try folder.write(#"{"MeterNames": {"A4:C1:38:70:12:DD": "Balcony", "x": "y"}}"#, to: "names.json")
        try folder.execute(
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL WHERE ZMACADDRESS = 'A4:C1:38:70:12:DD'", in: "v1.sqlite")
        let now = ["--quiet", "--now", FixtureClock.nowText]
        #expect(try folder.meterfix(arguments: ["import-kv", "names.json", "v1.sqlite"] + now).code == 2)
        #expect(try folder.meterfix(arguments: ["migrate", "v1.sqlite"] + now).code == 0)
        #expect(try folder.meterfix(arguments: ["rebuild", "v1.sqlite"] + now).code < 3)
        let letter = try Self.letter(in: folder, "v1")
        #expect(
            letter.opening.text.contains(
                "One meter has its old name back: “Balcony”. The file was brought to the newer"))
        #expect(letter.checks.contains("One of the old names and units could not be used."))
    }

    @Test("is in the text to copy from its greeting to its signature, without a step that is not the owner's")
    func copy() throws {
        let letter = try Self.letters(Self.records(["Lab", "Bench"], ["iPad"])).before
        #expect(
            letter.text == """
                Hello,

                Thank you for your file. One of your meters is stored twice: “Lab”. \(Self.noLoss)

                One thing to do: Answer one question
                A reply such as “1 yes” is enough.

                One meter has two names. Is “Lab” the right one?
                1 yes: It stays “Lab”.
                1 no: It becomes “Bench”.

                - One meter has a name that does not say which meter it is: “iPad”.

                Kind regards,
                USB Meter support

                """)
    }
}
