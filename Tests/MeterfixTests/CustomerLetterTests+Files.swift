import Answer
import CoreDataStore
import GRDB
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import meterfix

/// The letter about files that are empty, clean, not complete or not repaired by a rebuild.
extension CustomerLetterTests {
    @Test("says of a file without a meter what its history knows, and asks whether it is the right one")
    func empty() throws {
        let start = "There is no entry of a meter in this file. "
        let letter = try Self.letter(of: StoreFixture())
        #expect(letter.opening.text == start + "Its history says nothing of a deletion.")
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
        for index in records.indices { records[index].cloudKitRecordID = "SAME" }
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
        let folder = try ScratchFolder(of: StoreFixture(records: Self.records(["Lab", "Desk"])))
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
                    $0.historyToken = .lastExported
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
        let records = Self.records(["Lab", "Lab"]).map { record in
            record.with { $0.cloudRecordName = "RECORD \(record.row)" }
        }
        let fixture = StoreFixture(records: records).with { $0.mirror = .current }
        let folder = try ScratchFolder(of: fixture)
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
}
