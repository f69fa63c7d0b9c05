package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// Whether a repair can be named as a cure.
extension InspectedStore {
    /// A repair, as a cure; where the store takes none, why not and what to do.
    /// - Parameter question: what a person has to find out first, as a sentence.
    func repair(_ words: String, changingRecords: Bool = true, after question: String? = nil) -> Cure {
        if let reason = reasonNotToDelete, Self.deletesRecords(words) {
            return .advice(Sentence(marked: [question, reason].compactMap(\.self).joined(separator: ": ")))
        }
        if changingRecords, let reason = reasonNotToChange { return .advice(reason) }
        let refusal = changingRecords ? refusals.ofRecordChanges : refusals.ofAnyChange
        guard let refusal else {
            let command = command(words)
            // By `migrate` the whole repair finds out that the store is of an old version.
            guard hasForeignTriggers, words != "fix foreign-trigger", !words.hasPrefix("migrate") else {
                return question.map { .question($0, then: command) } ?? .command(command)
            }
            guard !isPartOfWholeRepair(words) else { return .command(self.command("fix --all")) }
            let dropping = self.command("fix foreign-trigger")
            return "drop the triggers of another tool first: \(dropping); then \(command)"
        }
        let reason = [refusal.message, refusal.hint].compactMap(\.self).joined(separator: "; ")
        return .advice(Sentence(marked: [question, reason].compactMap(\.self).joined(separator: ": ")))
    }

    /// Every other repair than the whole one, which drops them, is refused while they are there.
    private var hasForeignTriggers: Bool { !description.foreignTriggers.isEmpty }

    private func isPartOfWholeRepair(_ words: String) -> Bool {
        if words == "rebuild" || words.hasPrefix("unlock ") || words == "fix --all" { return true }
        let alone = ["fix foreign-trigger", "fix mirror-orphan", "fix metadata-blob-malformed"]
        return words.hasPrefix("fix ") && !alone.contains(words)
    }

    /// Whether a repair takes records from CloudKit.
    private static func deletesRecords(_ words: String) -> Bool {
        words == "rebuild" || words.hasPrefix("delete ") || words == "fix mirror-orphan"
    }

    /// What a person does in the app, as a cure, unless nobody may open it.
    func inApp(_ advice: Cure) -> Cure { prohibition ?? advice }

    /// Why nobody may open the app now; nil where nothing forbids it.
    package var prohibition: Cure? {
        if hasPendingStorm { return Check.prohibitionDuringStorm }
        if deletesHere { return Check.prohibitionBeforeDeletion }
        return hasVanishedRecords ? Check.prohibitionAfterMassDelete : nil
    }

    /// The first aid for a meter with several records; nil where the store takes no repair.
    var firstAid: StoreCommand? {
        isChangeable && description.foreignTriggers.isEmpty ? command("rebuild --in-use") : nil
    }

    /// The whole repair; nil where the store takes no change of a record: it plans some.
    var wholeRepair: StoreCommand? { isChangeable ? command("fix --all") : nil }

    /// Whether a change of records can be advised as the store is.
    private var isChangeable: Bool { refusals.ofRecordChanges == nil && reasonNotToChange == nil }

    /// Why no change of a record is advised now, whichever it is; nil where nothing is against it.
    private var reasonNotToChange: Sentence? {
        if hasPendingStorm { return "not now: this copy must be put on no device; see delete-storm" }
        guard deletesHere else { return nil }
        return "not now: rows are deleted here as soon as the app opens, and this with them; see the mirror's errors"
    }

    /// The repair that sets the rebuild marker, as a cure: a rebuild where one is due.
    func marking(by words: String) -> Cure {
        metersNeedingRebuild().isEmpty ? repair(words, changingRecords: false) : repair("rebuild")
    }

    /// What to do with a record without a usable address, as a cure: delete it if nothing in it is needed, and otherwise
    /// give it the address of its meter.
    func curing(_ record: DeviceSettings) -> Cure {
        let values = record.irreplaceableTexts
        guard !values.isEmpty else { return repair("delete --row \(record.row)") }
        return repair(
            "set --row \(record.row) --address MAC",
            after: "row \(record.row) has \(Phrase.start(of: values, limit: 3)); if that shows which meter it is")
    }

    /// The repair that clears the lock of a record, as a cure; for a record without a usable address, and where the device
    /// is connected now, what a person can do.
    func unlocking(_ record: DeviceSettings) -> Cure {
        if let lock = record.locks.first(where: { $0.isLive(at: now) }) {
            let holder = lock.holder.map { "\"\($0)\"" } ?? "the device that holds the lock"
            return inApp("disconnect from the meter on \(holder), which is connected now")
        }
        guard let address = record.usableAddress else {
            return inApp("connect to the meter in the app once and disconnect")
        }
        return repair("unlock \(address.text(in: letterCase))")
    }
}

extension InspectedStore {
    /// Why changes are refused in this store, whatever they change; nil where none is. Found out once for a store: a
    /// million findings may each name a repair.
    struct Refusals: Sendable {
        var ofAnyChange: StoreError?
        /// Also of what is written into the history.
        var ofRecordChanges: StoreError?
    }

    func findRefusals() -> Refusals {
        guard let settings else {
            let refusal = StoreError(.unsuitable, at: path, "meterfix repairs only USB Meter's store")
            return Refusals(ofAnyChange: refusal, ofRecordChanges: refusal)
        }
        // The whole repair drops foreign triggers first.
        let ofAny = WriteObstacle.ofAnyChange(in: settings, of: description, without: description.foreignTriggers)?
            .error(at: path)
        let obstacle =
            WriteObstacle.ofRecordChanges(in: settings, of: description)
            ?? WriteObstacle.ofColumns(in: settings, of: description)
        let isDeaf = description.mirror != nil && description.history == nil
        return Refusals(
            ofAnyChange: ofAny,
            ofRecordChanges: ofAny ?? refusalOfUnknownModel ?? obstacle?.error(at: path)
                ?? (isDeaf ? Refusal.mirrorWithoutHistory(in: self, deletes: 0) : nil))
    }

    /// Why no record is changed where it is not known what CloudKit has of them, or what the app sees; nil where it is.
    package var refusalOfUnsureRecords: StoreError? {
        if lacksMirror { return Refusal.mirrorMissing(in: self) }
        guard let settings, let row = firstRow, row < 1 else { return nil }
        return WriteObstacle.rowNumber(row, in: settings.table.name).error(at: path)
    }
}

extension Merge {
    /// What a rebuild makes of a meter's records as they are.
    package init(rebuilding records: [DeviceSettings], of address: MACAddress, in store: InspectedStore) {
        self.init(of: records, at: address, in: store.letterCase, policy: .mostComplete, now: store.now)
    }
}

extension Session {
    /// The worst first. What cannot be read of the store for them is damage.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func alerts() throws -> [StoreAlert] {
        var damage: Finding?
        func readable(_ check: Check) throws -> [Finding] {
            do {
                return try check.findings(in: self)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
                damage = Check.unreadable(error, in: store)
                return []
            }
        }
        let (storms, vanished) = (try readable(.deleteStorm), try readable(.massDelete))
        // A token of another store deletes nothing here.
        let lostPlace = try readable(.mirrorTokenLost).filter { $0.severity == .error }
        let (deletions, recovered) = (try readable(.mirrorDeletesHere) + lostPlace, try readable(.recoveredStore))
        // What it shows never was.
        if damage == nil { damage = try readable(.filesMixed).first }
        func ofStorms(_ isPending: Bool) -> [StoreAlert] {
            storms.filter { ($0.severity != .note) == isPending }.map(StoreAlert.storm)
        }
        let first = [(store.past?.remark).map(StoreAlert.past), damage.map(StoreAlert.damaged)].compactMap(\.self)
        return first + ofStorms(true) + deletions.map(StoreAlert.deletion) + vanished.map(StoreAlert.vanished)
            + recovered.map(StoreAlert.recovered)
            + [store.missingLogFinding.map(StoreAlert.missingLog), store.hardLinkWarning.map(StoreAlert.otherNames)]
            .compactMap(\.self) + ofStorms(false)
    }

    /// Bytes of a store of which every page is read besides: some milliseconds' work.
    private static let mostBytes = 4 << 20

    /// What is said before anything else by an answer that says whether all is well, damage included.
    /// - Throws: SQLite's errors other than damage.
    func alertsWithPages() throws -> (alerts: [StoreAlert], pages: PageCheck) {
        let alerts = try alerts()
        guard alerts.damage == nil else { return (alerts, .damaged) }
        guard store.files.size <= Self.mostBytes else { return (alerts, .notMade) }
        let found = try Check.damage(database.integrityProblems(), in: store)
        guard let first = found.first else { return (alerts, .whole) }
        // What it finds is for `verify` to list.
        let damage =
            first.id == Check.notIntact.id
            ? Check.damage("SQLite's own integrity check reports damage", in: store) : first
        return ([.damaged(damage)] + alerts, .damaged)
    }
}
