internal import CoreDataStore
internal import JSON
import MeterInspect
package import MeterModel
internal import MeterRepair
package import MeterTestSupport

/// Every command on one store, strange as it may be: each answers or refuses; what only looks leaves no trace, and
/// neither does what was refused.
package struct StoreTrial {
    /// The store, alone in its folder with what belongs to it.
    package let path: String

    package static let now = Timestamp(secondsSince2001: FixtureClock.now)

    /// Two records of one meter, the first without the unit, a lock, a cloud mirror.
    package static let fixture = StoreFixture(
        records: [3, 7].map { row in
            FixtureRecord(row: row, macAddress: "A4:C1:38:0B:7E:21", meterName: row == 3 ? "Kitchen" : nil).with {
                $0.id = FixtureUUID(UInt64(row)).bytes
                $0.tc66TemperatureUnit = row == 3 ? nil : "celsius"
                $0.updatedAt = FixtureClock.now - Double(row)
                $0.cloudRecordName = FixtureUUID(UInt64(row)).text
            }.locked(by: .anasPhone, at: FixtureClock.now - 60)
        }
    ).with { $0.mirror = .current }

    /// Of the fixture's meter.
    private static let address = MACAddress(bits: 0xA4C1_380B_7E21)

    /// Is there for as long as the trial.
    private let home: TemporaryFolder

    /// - Parameter path: of a store alone in its folder.
    package init(path: String, in home: TemporaryFolder) {
        self.path = path
        self.home = home
    }

    /// Everything, one after the other.
    /// - Throws: `BrokenLaw`.
    package func run() throws {
        let before = try FolderSnapshot(home.path)
        let number = try number()
        // A dry run plans what the change after it plans again.
        for look in number.map({ $0.isMultiple(of: 4) }) ?? true ? looks + dryRuns + thoroughLooks : looks {
            try look()
        }
        try checkUntouched(since: before)
        for (index, change) in changes.enumerated() where Self.isDue(index, number) { try tryChange(change) }
        try lookAtBackups()
        for redoes in [false, true] { try undo(redoes: redoes) }
    }

    /// One of the commands that look, or one that changes and one of what may follow it, so that many stores can be tried
    /// in little time.
    /// - Parameter number: which of them, 0 or more.
    /// - Throws: `BrokenLaw`.
    package func run(only number: Int) throws {
        let before = try FolderSnapshot(home.path)
        let looks = looks + dryRuns + thoroughLooks
        let (sequel, first) = number.quotientAndRemainder(dividingBy: looks.count + changes.count)
        guard first >= looks.count else {
            try looks[first]()
            return try checkUntouched(since: before)
        }
        try tryChange(changes[first - looks.count])
        if sequel.isMultiple(of: 2) {
            try lookAtBackups(only: sequel / 2)
        } else {
            for redoes in [false, true] { try undo(redoes: redoes) }
        }
    }

    /// The numbers for `run(only:)` of the commands that change a store, as far as this store meets them, each with an
    /// undo and a redo after it.
    package func changesAndUndos() throws -> [Int] {
        let number = try number()
        let looks = looks.count + dryRuns.count + thoroughLooks.count
        let commands = looks + changes.count
        return changes.indices.filter { Self.isDue($0, number) }.map { commands + looks + $0 }
    }

    /// What is read from the journals of the store's backups.
    /// - Parameter number: of the one command to look with, 0 or more; nil is each.
    /// - Throws: `BrokenLaw`.
    package func lookAtBackups(only number: Int? = nil) throws {
        let before = try FolderSnapshot(home.path)
        let looks = looksAtBackups
        for look in number.map({ [looks[$0 % looks.count]] }) ?? looks { try look() }
        try checkUntouched(since: before)
    }

    /// One look, which may be refused for a reason that lies in a file.
    /// - Throws: `BrokenLaw`.
    func look(_ look: () throws -> Void) throws {
        let before = try FolderSnapshot(home.path)
        try allowed(look)
        try checkUntouched(since: before)
    }

    private func checkUntouched(since before: FolderSnapshot) throws {
        let differences = try FolderSnapshot(home.path).differences(from: before)
        guard differences.isEmpty else { throw BrokenLaw("looking left a trace: \(differences)") }
    }

    /// Each of the commands that read the journals.
    private var looksAtBackups: [() throws -> Void] {
        [
            { try allowed { _ = try ChangeHistory.of(path, folder: nil, now: Self.now).json.text(pretty: false) } },
            { try allowed { _ = try ChangeLog.of(path, ChangeLog.Request(), now: Self.now).text(pretty: false) } },
            {
                try allowed {
                    _ = try MergedRecords.of(Self.address, in: path, folder: nil, now: Self.now).text(pretty: false)
                }
            },
        ]
            + [false, true].map { redoes in
                {
                    var options = ChangeOptions(now: Self.now)
                    options.isDryRun = true
                    try allowed { _ = try Undo.run(path, redoes: redoes, options: options).text(pretty: false) }
                }
            }
    }

    private func undo(redoes: Bool) throws {
        try allowed { _ = try Undo.run(path, redoes: redoes, options: ChangeOptions(now: Self.now)) }
    }

    private func tryChange(_ change: (ChangeOptions) throws -> ChangeReport) throws {
        let before = try FolderSnapshot(home.path)
        guard try !allowed({ _ = try change(ChangeOptions(now: Self.now)) }) else { return }
        guard try FolderSnapshot(home.path).hasSameBytes(as: before) else {
            throw BrokenLaw("a command that was refused left a trace")
        }
    }

    /// The commands that look and take longest.
    private var thoroughLooks: [() throws -> Void] {
        [
            { try allowed { _ = try TicketReport.of(path, TicketReport.Request(now: Self.now)) } },
            {
                try allowed {
                    _ = try Timeline.of([path, path], ChangeLog.Request(), now: Self.now).text(pretty: false)
                }
            },
            {
                let folder = try TemporaryFolder()
                try allowed {
                    _ = try Redaction.run(
                        path, to: folder.path + "/copy.sqlite", map: folder.path + "/map.json", now: Self.now)
                }
            },
        ]
    }

    /// Whether a store with that number meets that command, which changes a store: one in so many does.
    private static func isDue(_ index: Int, _ number: Int?) -> Bool { number.map { (index + $0) % 4 == 0 } ?? true }

    /// A number that follows from the store's bytes, by which it meets a part of the commands; nil where `METERFIX_LAWS`
    /// asks for all of them.
    private func number() throws -> Int? {
        guard !LawSeeds.isThorough else { return nil }
        return try FileBytes.read(path).reduce(0) { $0 &+ Int($1) }
    }

    private var looks: [() throws -> Void] {
        [
            { try allowed { _ = try StatusReport.of(path, now: Self.now).json.text(pretty: true) } },
            { try allowed { _ = try Verify.report(path, VerifyOptions(now: Self.now)).text(pretty: false) } },
            readSnapshot,
        ] + looksAtBackups
    }

    /// What the library hands out of any store.
    private func readSnapshot() throws {
        var opened: StoreSnapshot?
        try allowed { opened = try StoreSnapshot(of: path) }
        guard let store = opened else { return }
        for entity in store.entityNames {
            try allowed { _ = try store.count(of: entity) }
            try allowed { try store.forEachObject(of: entity) { _ in } }
        }
        try allowed { _ = try store.transactions(last: 8) }
        try allowed { _ = try store.mirror() }
        try allowed { _ = try store.past() }
    }

    /// What the files say of the past, by each of the commands that ask for it.
    /// - Parameter commit: whose state is looked at.
    /// - Throws: `BrokenLaw`.
    func lookAtPast(_ commit: Int) throws {
        let before = try FolderSnapshot(home.path)
        try allowed { _ = try FormerValues.of(path, all: true, folder: nil, now: Self.now).text(pretty: false) }
        try allowed { _ = try ChangeLog.of(path, ChangeLog.Request(), now: Self.now).text(pretty: false) }
        try allowed { _ = try MeterList.of(path, in: .commit(commit), now: Self.now).text(pretty: false) }
        try checkUntouched(since: before)
    }

    private var dryRuns: [() throws -> Void] {
        changes.map { change in
            {
                var options = ChangeOptions(now: Self.now)
                options.isDryRun = true
                try allowed { _ = try change(options) }
            }
        }
    }

    private var changes: [(ChangeOptions) throws -> ChangeReport] {
        [
            { try ChangeRun.run(FirstAidPlanner(), on: path, options: $0) },
            { try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: $0) },
            { try ChangeRun.run(MigrationPlanner(), on: path, options: $0) },
            { options in
                let dump = try KeyValueDump(.bytes(SampleDumps.withOthers.binaryPropertyList(), name: "dump"))
                let planner = ImportPlanner(LegacyValues(dump.entries), sha256: dump.sha256, policy: .keep)
                return try LegacyImport.run(planner, on: path, creates: false, options: options)
            },
            { options in
                var planning = options
                planning.isDryRun = true
                var options = options
                options.expected = try ChangeRun.run(RebuildPlanner(policy: .newest), on: path, options: planning)
                    .fingerprint
                return try ChangeRun.run(RebuildPlanner(policy: .newest), on: path, options: options)
            },
            { options in
                var options = options
                options.force = true
                return try ChangeRun.run(UnlockPlanner(Self.address, force: options.force), on: path, options: options)
            },
            { try ChangeRun.run(SetPlanner(Self.address, name: "Bench", unit: .celsius), on: path, options: $0) },
            { try ChangeRun.run(WholeRepair(force: true), on: path, options: $0) },
            { try ChangeRun.run(FixPlanner(FixableCheck.allCases), on: path, options: $0) },
            { try ChangeRun.run(DeletePlanner(row: 1, force: true), on: path, options: $0) },
            { try RestoreRecord.run(Self.address, on: path, row: nil, entry: nil, options: $0) },
        ]
    }

    /// Whether the command did not refuse; that it did so for a reason which lies in the file.
    @discardableResult
    private func allowed(_ command: () throws -> Void) throws -> Bool {
        do {
            try command()
            return true
        } catch let error as StoreError {
            guard [.damaged, .unsuitable, .inputOutput].contains(error.kind) else { throw BrokenLaw("\(error)") }
            return false
        }
    }
}
