import Answer
import CoreDataStore
import MeterInspect
import MeterModel
import MeterTestSupport
import Testing

@testable import MeterRepair
@testable import meterfix

/// What is true of every sentence of the letter.
@Suite("the letter's sentences")
struct LetterSentenceTests {
    @Test(
        "are whole and plain English outside of names, in the letter about every sample",
        arguments: SampleShelf.samples)
    func samples(_ sample: Sample) throws {
        let folder = try ScratchFolder(of: sample)
        let now = try #require(Timestamp(iso8601: SampleSession.now))
        guard let report = try? TicketReport.of("\(folder.path)/\(sample.storeName)", .init(now: now)) else { return }
        Self.check(
            CustomerLetter(report.customer, in: report.verification.letterCase, showsAll: false), "\(sample.name)")
    }

    @Test("are short, too, whatever there is to say", arguments: LetterAccounts.repairs.indices)
    func all(_ repair: Int) {
        for account in LetterAccounts.all(LetterAccounts.repairs[repair]) {
            let letter = CustomerLetter(account, in: .upper, showsAll: false)
            Self.check(letter, "\(account)")
            for prose in Self.prose(of: letter) {
                // What somebody typed counts as one word.
                let text = prose.runs.map { $0.style == .customer ? "x" : $0.text }.joined()
                let sentences = text.split { ".?;:".contains($0) }
                #expect(sentences.allSatisfy { $0.split(separator: " ").count <= 20 }, "\(text)")
            }
        }
    }

    @Test("are about every cause that the exchange with iCloud can fail for")
    func causes() {
        let causes = Set(LetterAccounts.problems.map(\.cause))
        #expect(causes == Set(MirrorError.OwnersCause.allCases.map(Optional.some) + [nil]))
    }

    @Test("have dates with the year where it is another one")
    func dates() throws {
        let now = try #require(Timestamp(iso8601: "2026-11-23"))
        func date(_ text: String) throws -> String? { try #require(Timestamp(iso8601: text)).dateInLetter(now: now) }
        #expect(try date("2026-11-22") == "22\u{A0}November")
        #expect(try date("2025-08-01") == "1\u{A0}August 2025")
        #expect(try date("2027-03-09") == "9\u{A0}March 2027")
        #expect(Timestamp(secondsSince2001: 1e300).dateInLetter(now: now) == nil)
        #expect(Timestamp(secondsSince2001: .nan).dateInLetter(now: now) == nil)
    }

    @Test("have numbers as words up to ten, and lists with and or or")
    func parts() {
        #expect([0, 1, 10, 11, 100].map { Inline.count($0).text } == ["0", "one", "ten", "11", "100"])
        #expect(Inline.list([]).text.isEmpty && Inline.list(["a"]).text == "a")
        #expect(Inline.list(["a", "b"]).text == "a and b" && Inline.list(["a", "b", "c"], "or").text == "a, b or c")
    }

    @Test("leave the letters of a name alone at their beginning")
    func names() {
        let name = Inline.typed("été {count}")
        let start: Inline = "\(name) is reserved"
        #expect(start.withCapital.text == "“été {count}” is reserved")
        #expect(name.runs.filter { $0.style == .customer }.map(\.text) == ["été {count}"])
        #expect(("the meter 7" as Inline).withCapital.text == "The meter 7")
    }

    /// What is true of every letter.
    static func check(_ letter: CustomerLetter, _ place: Comment) {
        let titles = [letter.title] + (letter.oneThing.map { [Inline($0.title), Inline($0.tag)] } ?? [])
        for title in titles {
            let end = title.text.last
            #expect(end != nil && end != "." && end != "?", place)
        }
        for prose in prose(of: letter) {
            #expect(prose.text.hasSuffix(".") || prose.text.hasSuffix("?"), place)
            let first = prose.text.first
            #expect(
                first?.isUppercase == true || first?.isNumber == true || first == "“" || prose.text.hasPrefix("iCloud"),
                place)
        }
        for part in titles + prose(of: letter)
            + letter.questions.flatMap({ [Inline($0.yes.label), Inline($0.no.label)] })
        {
            let own = part.runs.filter { $0.style != .customer }.map(\.text).joined(separator: "…")
            #expect(!part.text.isEmpty && technical(own).isEmpty, "\(place): \(own)")
            #expect(!own.contains { "{}\"'".contains($0) }, "\(place): \(own)")
            #expect(!part.text.contains("“”") && !part.text.contains("  ") && !own.contains(".."), "\(place): \(own)")
        }
        #expect(!letter.word.isEmpty && letter.closing.allSatisfy { !$0.isEmpty }, place)
        #expect(letter.steps.count { $0.state == .now } <= 1, place)
    }

    /// The parts of a letter that are whole sentences.
    private static func prose(of letter: CustomerLetter) -> [Inline] {
        [letter.lead, letter.opening] + letter.notes + [letter.oneThing?.text, letter.questionsLead].compactMap(\.self)
            + letter.questions.flatMap { [$0.text, $0.yes.text, $0.no.text] }
    }

    /// The words of a text that its reader does not know.
    private static func technical(_ text: String) -> Set<String> {
        let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
        return words.intersection([
            "store", "stores", "record", "records", "row", "rows", "lock", "locks", "locked", "unlock", "cloudkit",
            "sync", "syncs", "synced", "merge", "merges", "merged", "mirror", "token",
        ])
    }
}

/// Accounts of stores of which a letter says everything that it can say: each repair with each thing besides.
enum LetterAccounts {
    private static let now = Timestamp(secondsSince2001: FixtureClock.now)
    private static let day = Timestamp(secondsSince2001: FixtureClock.now - 9 * FixtureClock.day)
    private static let never = Timestamp(secondsSince2001: .infinity)

    private static func meters(_ count: Int, named: Bool = true) -> [RepairSummary.Meter] {
        (0..<count).map {
            RepairSummary.Meter(
                address: MACAddress(bits: 0xA4C1_3800_0000 | UInt64($0)), name: named ? "lab \($0)" : nil)
        }
    }

    private static let choices: [RepairSummary.Choice] = ["meterName", "tc66TemperatureUnit", "fuse"].flatMap { name in
        let field = RecordLayout.Field(name: name, kind: .text)
        return [[FieldValue.text("celsius")], [.text("b"), .text("c")]].flatMap { discarded in
            [(FieldValue.text("a"), true), (.text("a"), false), (.null, false)].map { value, isKept in
                RepairSummary.Choice(
                    meter: meters(1, named: isKept)[0], field: field, value: value, isKept: isKept, discarded: discarded
                )
            }
        }
    }

    /// What a repair can do, a thing at a time, and with others.
    private static let accounts: [RepairSummary] = {
        var all: [RepairSummary] = []
        for count in [1, 2, 13] {
            for named in [true, false] {
                for copies in [2...2, 3...3, 2...4] {
                    all.append(RepairSummary(merged: meters(count, named: named), copies: copies))
                }
                all.append(RepairSummary(filled: meters(count, named: named)))
            }
            all.append(RepairSummary(named: meters(count)))
            all.append(RepairSummary(others: count))
            all.append(RepairSummary(merged: meters(1), copies: 2...2, others: count, gone: count, rejects: count))
        }
        all.append(RepairSummary(changesSchema: true))
        for choice in choices { all.append(RepairSummary(merged: meters(1), copies: 2...2, choices: [choice])) }
        for count in [7, 8] {
            all.append(
                RepairSummary(
                    merged: meters(1), copies: 2...2,
                    choices: meters(count).map {
                        RepairSummary.Choice(
                            meter: $0, field: choices[0].field, value: .text("a"), isKept: true, discarded: [.text("b")]
                        )
                    }))
        }
        return all + [RepairSummary()]
    }()

    static let repairs: [CustomerSummary.Repair] =
        [.none, .impossible(meters: 1), .impossible(meters: 3), .forgotten(at: day), .forgotten(at: never)]
        + accounts.filter { !$0.merged.isEmpty || $0.others > 0 }.map { .ahead($0) }
        + accounts.map { .done($0, at: day) }

    static let problems =
        MirrorFault.all.filter { !$0.codes.isEmpty }.map {
            CustomerSummary.CloudProblem(
                cause: MirrorError(domain: $0.domain ?? "", code: Int64($0.codes[0])).forTheOwner, since: day)
        }
        + [CustomerSummary.CloudProblem(cause: nil, since: nil)]

    private static let checks = [
        Check.macMissing.id, Check.nameMachineMade.id, Check.nameShared.id, Check.unitUnknown.id,
        Check.clockInFuture.id, Check.deviceNameGeneric.id,
        Check.lockTTL.id, Check.walMissing.id, Check.notIntact.id, Check.mirrorTokenLost.id, Check.duplicateMAC.id,
    ]

    /// All accounts with one repair.
    static func all(_ repair: CustomerSummary.Repair) -> [CustomerSummary] {
        var all = [account(repair)]
        for meters in [nil, 0, 1] { all.append(account(repair, meters: meters, others: meters == 0 ? 1 : 0)) }
        all.append(account(repair, meters: 0, others: 3))
        all.append(account(repair, meters: 0))
        for deleted in [nil, 0, 1, 12] {
            for last in [nil, day] {
                all.append(account(repair, meters: 0, former: .init(deleted: deleted, last: last)))
            }
        }
        for author in [Author.otherDevice, .mirror(.reset), .mirror(.export), .program(nil)] {
            for (left, at) in [(0, day), (2, never), (2, nil)] {
                for deleted in [1, 5] {
                    all.append(account(repair, vanished: .init(author: author, at: at, deleted: deleted, left: left)))
                }
            }
        }
        all += problems.map { account(repair, cloud: $0) }
        for check in checks {
            for count in [1, 14] {
                for names in [[], ["lab"], ["lab", "shed"]] {
                    let point = CustomerSummary.OpenPoint(check: check, severity: .warning, count: count, names: names)
                    all.append(account(repair, open: [point]))
                }
            }
        }
        for (address, name) in [(nil, nil), (MACAddress(bits: 0xA4C1_3800_0000), nil), (nil, "lab")] {
            for (holder, until) in [("Ana’s iPhone", day), (nil, never)] {
                for count in [1, 13, 14] {
                    let reserved = CustomerSummary.Reservation(
                        address: address, name: name, holder: holder, until: until)
                    all.append(account(repair, reservations: Array(repeating: reserved, count: count)))
                }
            }
        }
        all.append(account(repair, showsEverything: true))
        all.append(account(repair, showsEverything: true, showsEverythingByFirstAid: true))
        all.append(account(repair, isOfNewerApp: true))
        for returned in [CustomerSummary.Return.opened, .arrived] { all.append(account(repair, returned: returned)) }
        all.append(account(repair, isRecovered: true))
        for storm in CustomerSummary.Storm.allCases { all.append(account(repair, storm: storm)) }
        return all
    }

    private static func account(
        _ repair: CustomerSummary.Repair, meters: Int? = 3, others: Int = 0,
        former: CustomerSummary.FormerRecords? = nil, showsEverything: Bool = false,
        showsEverythingByFirstAid: Bool = false,
        isOfNewerApp: Bool = false, isRecovered: Bool = false, returned: CustomerSummary.Return? = nil,
        storm: CustomerSummary.Storm? = nil, vanished: CustomerSummary.Vanished? = nil,
        reservations: [CustomerSummary.Reservation] = [], open: [CustomerSummary.OpenPoint] = [],
        cloud: CustomerSummary.CloudProblem? = nil
    ) -> CustomerSummary {
        CustomerSummary(
            now: now, meters: meters, otherRecords: others, former: former, repair: repair,
            showsEverything: showsEverything,
            showsEverythingByFirstAid: showsEverythingByFirstAid, isOfNewerApp: isOfNewerApp, isMirrored: true,
            returned: returned, vanished: vanished, storm: storm, stormTime: day, isRecovered: isRecovered,
            reservations: reservations, open: open, cloud: cloud)
    }
}
