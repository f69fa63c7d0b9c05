internal import CoreDataStore
internal import GRDB
package import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// What becomes of a value that the store already has otherwise.
package enum ImportConflictPolicy: String, Sendable, CaseIterable {
    /// The store's value is newer than any legacy one: it stays.
    case keep
    /// The legacy value takes its place.
    case replace
}

/// The import of the legacy dictionaries: fills what is empty, creates what is missing.
package struct ImportPlanner: Planner, Sendable {
    package let command = WritingCommand.importKV
    /// What it imports of the dump.
    package let values: LegacyValues
    /// What of the dump was read though it was written otherwise, and what was left out: sentences for a person.
    let notesOnDump: [String]
    /// Of the dump's bytes, in hex.
    let sha256: String
    let policy: ImportConflictPolicy
    /// Meters that the dump has and `values` has not.
    let leftOut: Set<MACAddress>
    /// Who deleted the meters that the store once had.
    var deleted: [MACAddress: RevivedMeter] = [:]

    package init(
        _ dump: LegacyValues, sha256: String, notesOnDump: [String] = [], policy: ImportConflictPolicy,
        _ filter: MeterFilter = .all
    ) {
        self.notesOnDump = notesOnDump
        values = dump.filtered(by: filter)
        leftOut = Set(dump.meters.lazy.map(\.address).filter { !filter.contains($0) })
        self.sha256 = sha256
        self.policy = policy
    }

    /// The records of each meter of the dump, by its place, and how many rows the store has of it; nil in place of the
    /// records where a meter has one, with the dump's values in it.
    private func records(in session: MeterSession) throws -> (records: [[DeviceSettings]?], rowCounts: [Int]) {
        let addresses = session.store.addresses
        let found = try session.withCloudRecords(
            values.meters.map { AddressIndex.Meter(address: $0.address, records: addresses.records(of: $0.address)) })
        let records = zip(values.meters, found).map { legacy, meter in
            meter.records.count == 1 && legacy.isHeld(by: meter.records[0]) ? nil : meter.records
        }
        return (records, found.map(\.records.count))
    }

    package func plan(in session: MeterSession) throws -> Plan {
        let store = session.store
        let (records, rowCounts) = try records(in: session)
        try refuseValuesWithoutPlace(in: session)
        var draft = Draft(
            context: Context(
                layout: session.settings.layout, letterCase: store.letterCase, now: store.now,
                identities: NewIdentities(inStore: store.description.metadata.uuid ?? "", at: store.now),
                nextRow: try session.settings.nextRow(session.database)))
        draft.meters.reserveCapacity(records.count { $0 != nil })
        for case (let meter, let records?) in zip(values.meters, records) {
            if draft.meters.count & 0x3FF == 0 { try Interruption.check(store.path) }
            try draft.add(meter, records, self, store)
        }
        var plan = Plan(meters: draft.meters, rejects: values.rejects, of: try session.size())
        if store.description.metadata.dictionary != nil, plan.changesRecords {
            plan.metadataChanges.append(
                MetadataChange(
                    key: LegacyImportMark.key, before: LegacyImportMark(in: store.description.metadata)?.value,
                    after: .legacyImport(date: store.now, sha256: sha256)))
        }
        let isMaking = plan.summary.inserted > 0
        plan.revived = isMaking ? revived(plan.meters) : []
        plan.notes = notesOnDump.map { Sentence($0) }
        if isMaking, try session.base.awaitsFirstImport() { plan.notes.append(Self.noteOnDownload) }
        let (guesses, slips) = (try guesses(in: session), slips(in: session, rowCounts: rowCounts))
        let reversed = reversed(in: store, rowCounts: rowCounts)
        plan.notes += guesses.map { $0.sentence(in: store.letterCase) }
        plan.notes += slips.map { $0.sentence(in: store.letterCase) }
        plan.notes += reversed.map { Self.sentence(about: $0, in: store.letterCase) }
        plan.notes += try notesOnNamesakes(in: store, rowCounts: rowCounts)
        plan.doubts = (reversed + slips.flatMap(\.doubts)).sorted { ($0.address, $0.other) < ($1.address, $1.other) }
        for guess in guesses {
            plan.nearRejects[guess.key] = "the store has \(guess.meant.text(in: store.letterCase))"
        }
        if !draft.unitless.isEmpty {
            plan.notes.append(
                "the app shows a temperature unit only for a TC66, so that nobody sees the dump's unit of "
                    + "\(Phrase.start(of: draft.unitless))")
        }
        if !draft.going.isEmpty {
            plan.notes.append(
                "what \(Phrase.start(of: draft.going)) gets is lost soon: the record is about to be deleted on all devices; let "
                    + "this device sync first, and import into a new copy")
        }
        if !draft.hidden.isEmpty {
            plan.notes.append(
                "the app does not show \(Phrase.start(of: draft.hidden)), and may delete the record: show the meter in the app "
                    + "again")
        }
        if plan.isEmpty, !values.meters.isEmpty { plan.notes.append(noteOnEarlierImport(store)) }
        return plan
    }

    private static let noteOnDownload: Sentence =
        "nothing has been downloaded from CloudKit yet: records of these meters may still come down, and then there are "
        + "duplicates; let the app download first, and import into a new copy"

    private func revived(_ meters: [MeterPlan]) -> [RevivedMeter] {
        guard !deleted.isEmpty else { return [] }
        return meters.compactMap { meter in
            if case .insert? = meter.records.first { meter.address.flatMap { deleted[$0] } } else { nil }
        }
    }

    /// Why there may be nothing to do. The mark is of the last import that changed something.
    private func noteOnEarlierImport(_ store: InspectedStore) -> Sentence {
        guard let last = LegacyImportMark(in: store.description.metadata) else {
            return "each meter of the dump has its values already, or others, which are kept; no import by meterfix is "
                + "noted in this store"
        }
        return last.sha256 == sha256
            ? "this dump was imported before, on \(last.date)"
            : "the last import that changed this store, on \(last.date), was from another dump (SHA-256 \(last.sha256))"
    }

    /// An older app version may lack an attribute; its values would be dropped.
    private func refuseValuesWithoutPlace(in session: MeterSession) throws {
        for dictionary in LegacyDictionary.allCases where !session.settings.layout.has(dictionary.field) {
            let count = values.meters.count { $0.value(of: dictionary) != nil }
            if count > 0 { throw Refusal.noPlace(for: dictionary, count: count, in: session.store) }
        }
    }

    /// What every decision about a meter needs.
    struct Context {
        let layout: RecordLayout
        let letterCase: LetterCase
        let now: Timestamp
        var identities: NewIdentities
        /// The row number the next new record gets; nil where there is none left.
        var nextRow: Int64?
    }

    /// The changes decided so far.
    private struct Draft {
        var context: Context
        var meters: [MeterPlan] = []
        /// Meters with a unit in the dump and a type that has none, for a person.
        var unitless: [String] = []
        /// Meters that get a value, and all of whose records the app hides, or that are about to be deleted; for a person.
        var hidden: [String] = []
        var going: [String] = []

        /// - Parameter records: all the store's records of the meter.
        mutating func add(
            _ legacy: LegacyMeter, _ records: [DeviceSettings], _ planner: ImportPlanner, _ store: InspectedStore
        ) throws(StoreError) {
            guard !records.isEmpty else {
                guard let row = context.nextRow else { throw Refusal.noRowNumbersLeft(in: store) }
                meters.append(
                    MeterPlan(legacy.address, [.insert(planner.insertion(of: legacy, row: row, &context))]))
                context.nextRow = row < .max ? row + 1 : nil
                return
            }
            if legacy.unit != nil, let type = records.lazy.compactMap({ $0.typeWithoutUnit }).first {
                unitless.append("\(legacy.address.text(in: context.letterCase)) (\(type))")
            }
            let meter = planner.fill(records, from: legacy, context)
            if !meter.records.isEmpty || !meter.conflicts.isEmpty { meters.append(meter) }
            guard !meter.records.isEmpty else { return }
            let address = legacy.address.text(in: context.letterCase)
            if records.allSatisfy({ $0.cloudRecord?.isAboutToBeDeleted ?? false }) {
                going.append(address)
            } else if records.allSatisfy(\.isMarked) {
                hidden.append(address)
            }
        }
    }
}
