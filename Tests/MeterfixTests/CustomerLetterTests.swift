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
    static func records(_ meters: [String?]..., unit: [String?] = []) -> [FixtureRecord] {
        records(of: meters, unit: unit)
    }

    static func records(of meters: [[String?]], unit: [String?] = []) -> [FixtureRecord] {
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

    /// The letter, a paragraph on each line.
    private static func text(of letter: CustomerLetter) -> String {
        var parts = [letter.greeting, letter.opening.text]
        if let task = letter.oneThing { parts.append("\(task.tag): \(task.title)\n\(task.text.text)") }
        parts += [letter.questionsLead?.text].compactMap(\.self)
        parts += letter.questions.map { $0.lines.joined(separator: "\n") }
        if !letter.notes.isEmpty { parts.append(letter.notes.map { "- \($0.text)" }.joined(separator: "\n")) }
        return (parts + [letter.closing.joined(separator: "\n")]).joined(separator: "\n\n") + "\n"
    }

    struct Letters {
        let before: CustomerLetter
        let after: CustomerLetter
    }

    /// Before a rebuild, and after it.
    static func letters(_ records: [FixtureRecord], showsAll: Bool = false) throws -> Letters {
        let folder = try ScratchFolder(of: StoreFixture(records: records))
        let before = try letter(in: folder, showsAll: showsAll)
        let answer = try folder.meterfix("rebuild", "--quiet", "--now", FixtureClock.nowText, "store.sqlite")
        #expect(answer.code == 0 || answer.code == 2, "\(answer.stderr)")
        return Letters(before: before, after: try letter(in: folder, showsAll: showsAll))
    }

    static func letter(
        in folder: ScratchFolder, _ name: String = "store", showsAll: Bool = false
    ) throws -> CustomerLetter {
        var request = TicketReport.Request(now: Timestamp(secondsSince2001: FixtureClock.now))
        request.shownNames = 40
        let report = try TicketReport.of("\(folder.path)/\(name).sqlite", request)
        let letter = CustomerLetter(report.customer, in: report.verification.letterCase, showsAll: showsAll)
        LetterSentenceTests.check(letter, "\(Self.text(of: letter))")
        return letter
    }

    static func letter(of fixture: StoreFixture) throws -> CustomerLetter {
        try letter(in: ScratchFolder(of: fixture))
    }

    static let date = "We made this repair on 21\u{A0}November."
    static let noLoss = "We can repair this, and no meter will be lost."

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
        #expect(letters.after.oneThing?.title == "Put the file back, and open USB Meter")
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
        let records = Self.records(["Lab", "Bench", "Old"], ["Shed", nil], unit: ["celsius", "fahrenheit"])
        let folder = try ScratchFolder(of: StoreFixture(records: records))
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
        let folder = try ScratchFolder(of: StoreFixture(records: Self.records([nil])))
        try folder.write(#"{"MeterNames": {"A4:C1:38:00:00:00": "Balcony"}}"#, to: "names.json")
        let now = ["--quiet", "--now", FixtureClock.nowText, "store.sqlite"]
        #expect(try folder.meterfix(arguments: ["import-kv", "names.json"] + now).code == 0)
        #expect(try folder.meterfix(arguments: ["set", "A4:C1:38:00:00:00", "--name", "Desk"] + now).code == 0)
        #expect(try Self.letter(in: folder).opening.text == "One entry was put in order. \(Self.date)")
    }

    @Test("is in the text to copy from its greeting to its signature, without a step that is not the owner's")
    func copy() throws {
        let letter = try Self.letters(Self.records(["Lab", "Bench"], ["iPad"])).before
        #expect(
            Self.text(of: letter) == """
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
