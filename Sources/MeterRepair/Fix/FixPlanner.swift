internal import CoreDataStore
internal import GRDB
package import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// Carries out the cures of findings: those that the user names by their ids, or all that lose nothing, as a part of the
/// whole repair.
package struct FixPlanner: Planner {
    package let command = WritingCommand.fix
    /// Each once, in the order of all.
    package let cures: [FixableCheck]
    /// Whether a cure that this store does not take is left out with a note. One that was named is refused.
    let isAll: Bool
    /// Also clear a lock whose device is connected right now.
    let force: Bool
    /// Whose records are changed.
    let filter: MeterFilter

    package init(_ cures: some Collection<FixableCheck>, force: Bool = false, _ filter: MeterFilter = .all) {
        self.init(cures, isAll: false, force: force, filter)
    }

    private init(_ cures: some Collection<FixableCheck>, isAll: Bool, force: Bool, _ filter: MeterFilter) {
        self.cures = FixableCheck.allCases.filter(cures.contains)
        self.isAll = isAll
        self.force = force
        self.filter = filter
    }

    private static let losingNothing = FixableCheck.allCases.filter { !$0.isOptIn }

    /// The ids of what is cured without losing anything.
    package static let idsOfAll = losingNothing.map(\.rawValue)

    /// All cures that lose nothing.
    static func all(except excepted: Set<String>, force: Bool, _ filter: MeterFilter) -> FixPlanner {
        FixPlanner(losingNothing.filter { !excepted.contains($0.rawValue) }, isAll: true, force: force, filter)
    }

    /// Those that the filter leaves: what no meter has belongs to no one that is named.
    package var due: [FixableCheck] { filter.contains(nil) ? cures : cures.filter(\.isOfRecords) }

    package var changesRecords: Bool { cures.contains(where: \.changesRecords) }

    package func plan(in session: MeterSession) throws -> Plan {
        let store = session.store
        let due = due
        let isBookkeeping = due.contains(.primaryKeyBehind) || due.contains(.entityNumberMismatch)
        let triggers = due.contains(.foreignTrigger) ? store.description.foreignTriggers : []
        let bookkeeping =
            isBookkeeping ? try Bookkeeping(of: store.description, without: triggers, session.database) : nil
        var plan = Plan(of: try session.size())
        for cure in due {
            switch cure {
            // Made again before anything is planned.
            case .indexDamaged: break
            case .primaryKeyBehind: plan.schemaChanges += bookkeeping?.lastRows ?? []
            case .entityNumberMismatch:
                plan.schemaChanges += bookkeeping?.entityNumbers ?? []
                plan.notes += bookkeeping?.notes ?? []
            case .mirrorOrphan:
                let orphans = try OrphanedRecords(in: session.base)
                if let obstacle = orphans.obstacle { throw Refusal.unreachable(obstacle, in: store) }
                plan.cloudDeletions += orphans.deletions
                plan.notes += orphans.notes
            case .foreignIndex: plan.schemaChanges += session.base.foreignIndexes.compactMap { $0.dropping(as: .index) }
            case .foreignTrigger: plan.schemaChanges += triggers.compactMap { $0.dropping(as: .trigger) }
            // All cures of one record are one update of it.
            case .valueType, .unitUnknown, .lockTorn, .lockExpired, .metadataBlobMalformed, .idMissing, .idDuplicate:
                break
            case .rebuildMarkerMissing, .rebuildMarkerOld:
                guard let change = try markerChange(cure, in: session.base) else { continue }
                guard store.metersNeedingRebuild().isEmpty else {
                    guard isAll else { throw Refusal.rebuildFirst(cure, in: store) }
                    plan.notes.append(
                        "\(cure.rawValue): a rebuild is due, and sets the marker: \(store.command("rebuild").description)"
                    )
                    continue
                }
                plan.metadataChanges.append(change)
            }
        }
        let records = try RecordFixes(
            of: RecordsToFix(of: due, among: filter, in: session), by: cures, force: force, in: store,
            RecordEditor(layout: session.settings.layout, now: store.now))
        plan.meters = MeterPlan.updating(records.updates)
        plan.notes += records.notes
        return plan
    }

    /// Nil where the store needs none.
    private func markerChange(_ cure: FixableCheck, in session: Session) throws -> MetadataChange? {
        let store = session.store
        let isDue =
            cure == .rebuildMarkerMissing
            ? try session.isRebuiltWithoutMarker() : store.rebuildMarker != nil
        guard isDue else { return nil }
        return RebuildMarker.change(from: store.rebuildMarker)
    }
}

extension StoreSchema.Attachment {
    /// Nil for what is a part of its table's statement.
    fileprivate func dropping(as kind: SchemaChange.Foreign) -> SchemaChange? {
        sql.map { .dropForeign(kind, name: name.text, table: table.text, sql: $0) }
    }
}

extension OrphanedRecords {
    /// What a person must know of them.
    fileprivate var notes: [Sentence] {
        var notes: [Sentence] = []
        if !deletions.isEmpty {
            let (these, they, rows) =
                deletions.count == 1
                ? ("this record is", "it", "its row was") : ("these records are", "one of them", "their rows were")
            notes.append(
                "when the app opens this store next, \(these) deleted in CloudKit and on all of the user's other devices; "
                    + "to keep \(they), use a copy of the store from before \(rows) deleted instead")
        }
        if !ambiguous.isEmpty {
            notes.append(
                "\(Self.list(ambiguous)): record metadata more than once (mirror-duplicate-metadata), of which the mirror "
                    + "may delete only one record")
        }
        if !unread.isEmpty {
            notes.append(
                "\(Self.list(unread)): the mirror has yet to read the insert, and a delete after it would cancel it out; "
                    + "fix this once the app has exported it")
        }
        return notes
    }

    private static func list(_ deletions: [CloudDeletion]) -> String {
        Phrase.start(of: deletions.map { "row \($0.row) of \($0.entity)" })
    }
}

extension Bookkeeping {
    /// What is left as it is, and why.
    fileprivate var notes: [Sentence] {
        obstacles.map {
            "\(Phrase.count($0.rows, "row")) of \($0.table) with the number of another entity left: \($0.reason)"
        }
    }
}
