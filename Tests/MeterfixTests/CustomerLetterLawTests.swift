import Answer
import CoreDataStore
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import meterfix

/// What the letter says after any chain of commands. A failure names its seed.
@Suite("every name in the letter")
struct CustomerLetterLawTests {
    private static let names = ["Attic", "Balcony", "Cellar", "Desk", "Garage", "Lab", "Shed", "iPad"]
    private static let meters = (1...4).map { "A4:C1:38:00:00:0\($0)" }
    private static let steps = [
        "rebuild", "first aid", "import", "set", "set", "unit", "unlock", "fix", "delete", "restore", "undo", "redo",
    ]

    @Test(
        "is the one the app shows, or is called discarded, whatever commands follow one another",
        arguments: LawSeeds.first(12))
    func names(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try TemporaryFolder()
        let path = try folder.store(StoreFixture(records: Self.records(&random)).with { $0.journalMode = .delete })
        var chain: [String] = []
        for number in 0..<8 {
            // A repair first: what came before it is of no concern.
            let step = number == 0 ? "rebuild" : Self.steps.randomElement(using: &random)!
            do {
                try Self.change(path, by: step, at: Double(number * 60), &random)
                chain.append(step)
            } catch let error as StoreError {
                #expect(error.kind != .internalFault && error.kind != .inputOutput, "seed \(seed): \(error)")
            }
            try Self.check(path, in: folder, "seed \(seed), after \(chain)")
        }
    }

    private static func check(_ path: String, in folder: TemporaryFolder, _ place: String) throws {
        var request = TicketReport.Request(now: now())
        request.shownNames = .max
        let report = try TicketReport.of(path, request)
        let letter = CustomerLetter(report.customer, in: .upper, showsAll: true)
        LetterSentenceTests.check(letter, "\(place)")
        let letterCase = report.verification.letterCase
        var shown = try shownNames(path, letterCase)
        if case .ahead = report.customer.repair {
            let copy = folder.path + "/ahead.sqlite"
            try FileBytes.write(FileBytes.read(path), to: copy)
            var options = ChangeOptions(now: now())
            options.makesBackup = false
            try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: copy, options: options)
            shown = try shownNames(copy, letterCase)
        }
        let checks = letter.questions.flatMap { [$0.text.text, $0.yes.text.text] } + letter.notes.map { told($0.text) }
        for sentence in [letter.opening.text] + checks {
            let said = names.filter { sentence.contains("“\($0)”") }
            #expect(Set(said).subtracting(shown) == [], "\(place): \(sentence)")
        }
    }

    /// A note without what it calls discarded.
    private static func told(_ note: String) -> String {
        note.hasSuffix(" discarded.") ? note.prefix { $0 != ";" } + "" : note
    }

    /// By SQL: of each address the first record that is written as the app looks for it; and what no address has.
    private static func shownNames(_ path: String, _ letterCase: LetterCase) throws -> Set<String> {
        try StoreText.read(path) { database in
            let sql = """
                SELECT ZMETERNAME FROM ZDEVICESETTINGS r WHERE ZMETERNAME NOT NULL AND (ZMACADDRESS NOT LIKE 'A4%'
                OR Z_PK = (SELECT MIN(Z_PK) FROM ZDEVICESETTINGS o WHERE o.ZMACADDRESS = \(letterCase)(r.ZMACADDRESS)))
                """
            return Set(try String.fetchAll(database, sql: sql))
        }
    }

    private static func records(_ random: inout SeededGenerator) -> [FixtureRecord] {
        var records: [FixtureRecord] = []
        for address in meters.dropLast() {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let row = Int64(records.count + 1)
                let isLower = Int.random(in: 0..<5, using: &random) == 0
                var record = FixtureRecord(
                    row: row, macAddress: isLower ? address.lowercased() : address,
                    meterName: Int.random(in: 0..<4, using: &random) == 0 ? nil : names.randomElement(using: &random))
                record.id = FixtureUUID(UInt64(row)).bytes
                record.tc66TemperatureUnit = [nil, "celsius", "fahrenheit", "F"].randomElement(using: &random)!
                record.createdAt = FixtureClock.now - 90 * FixtureClock.day
                record.updatedAt = FixtureClock.now - Double.random(in: 1...40, using: &random) * FixtureClock.day
                records.append(record)
            }
        }
        records.append(
            FixtureRecord(row: 20, macAddress: "nowhere", meterName: "Lost").with { $0.id = FixtureUUID(20).bytes })
        return records
    }

    private static func now(_ seconds: Double = 3_600) -> Timestamp {
        Timestamp(secondsSince2001: FixtureClock.now + seconds)
    }

    private static func change(
        _ path: String, by step: String, at seconds: Double, _ random: inout SeededGenerator
    ) throws {
        var options = ChangeOptions(now: now(seconds))
        options.force = true
        let mac = meters.randomElement(using: &random)!
        let address = try #require(MACAddress.parse(mac)?.address)
        let name = names.randomElement(using: &random)!
        switch step {
        case "rebuild": try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: options)
        case "first aid": try ChangeRun.run(FirstAidPlanner(), on: path, options: options)
        case "import":
            let values = LegacyValues([DumpEntry(dictionary: .meterNames, key: mac, value: .text(name))])
            let policy: ImportConflictPolicy = Bool.random(using: &random) ? .keep : .replace
            _ = try LegacyImport.run(
                ImportPlanner(values, sha256: String(repeating: "0", count: 64), policy: policy), on: path,
                creates: false, options: options)
        case "set":
            try ChangeRun.run(
                SetPlanner(address, name: Int.random(in: 0..<4, using: &random) == 0 ? "" : name, unit: nil),
                on: path, options: options)
        case "unit": try ChangeRun.run(SetPlanner(address, name: nil, unit: .celsius), on: path, options: options)
        case "unlock": try ChangeRun.run(UnlockPlanner(address, force: true), on: path, options: options)
        case "fix": try ChangeRun.run(FixPlanner([.unitUnknown]), on: path, options: options)
        case "delete":
            let rows = try StoreText.read(path) {
                try Int64.fetchAll($0, sql: "SELECT Z_PK FROM ZDEVICESETTINGS ORDER BY Z_PK")
            }
            guard let row = rows.randomElement(using: &random) else { return }
            try ChangeRun.run(DeletePlanner(row: row, force: true), on: path, options: options)
        case "restore": _ = try RestoreRecord.run(address, on: path, row: nil, entry: nil, options: options)
        case "undo": _ = try Undo.run(path, redoes: false, options: options)
        default: _ = try Undo.run(path, redoes: true, options: options)
        }
    }
}
