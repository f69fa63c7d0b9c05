internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import MeterStore

/// What is refused before anything is written.
extension ChangeRun {
    /// Refuses a store of another model than the one that was given.
    static func refuseOtherModel(_ session: Session, _ options: ChangeOptions) throws(StoreError) {
        guard let model = options.model, let difference = session.differences(from: model).first else { return }
        throw Refusal.otherModel(model.path, difference, in: session.store)
    }

    /// Refuses a store that SQLite's own check finds damaged.
    static func refuseDamage(in session: Session) throws {
        let problems = try session.database.integrityProblems(limit: 1)
        guard problems.isEmpty else { throw Refusal.notIntact(problems, in: session.store) }
    }

    /// The plan, if the store is one that may be written to. Whether it is intact is asked besides.
    static func acceptedPlan(
        _ planner: some Planner, _ session: MeterSession, _ options: ChangeOptions
    ) throws -> Plan {
        let (store, settings) = (session.store, session.settings)
        // That there is nothing to do would be no answer either: nobody knows what is missing.
        try refuseMissingLog(store, options)
        try refuseOtherNames(store, options)
        let dropped = planner.due.contains(.foreignTrigger) ? store.description.foreignTriggers : []
        try refuse(.ofAnyChange(in: settings, of: store.description, without: dropped), store)
        if planner.changesRecords {
            if let refusal = store.refusalOfUnknownModel { throw refusal }
            try refuse(.ofRecordChanges(in: settings, of: store.description), store)
        }
        let plan = try planner.plan(in: session)
        if plan.changesRecords {
            if let refusal = store.refusalOfUnsureRecords { throw refusal }
            try refuseRecordChanges(in: plan, of: settings, in: store)
        }
        let related = try settings.relatedRows(among: plan.deletedRows, store.description, session.database)
        guard related.isEmpty else { throw Refusal.related(related, in: store) }
        try refuseDeletingTwo(with: plan, in: session)
        guard !plan.isEmpty, !options.force else { return plan }
        if plan.cloud.deletes > 0, let reason = store.reasonOfRecovery { throw Refusal.recovered(reason, in: store) }
        if let reference = try settings.possibleReference(
            among: plan.deletedRows, store.description, session.database)
        {
            throw Refusal.perhapsRelated(reference, in: store)
        }
        if plan.changesRecords, store.description.mirror != nil, store.description.history == nil {
            throw Refusal.mirrorWithoutHistory(in: store, deletes: plan.cloud.deletes)
        }
        return plan
    }

    /// Refuses another plan than the one that the user has seen.
    static func refuseOther(_ plan: Plan, in session: MeterSession, _ options: ChangeOptions) throws {
        guard let expected = options.expected else { return }
        let fingerprint = plan.fingerprint(inStore: options.uuid(of: session.store))
        guard fingerprint != expected else { return }
        guard !plan.isEmpty else { throw try Refusal.nothingNow(insteadOf: expected, in: session.base) }
        throw try Refusal.otherPlan(fingerprint, expected, plan.work(in: session.store), in: session.base)
    }

    /// Refuses to change a store that came without its newest changes, or probably did. A dry run says it, and goes on.
    static func refuseMissingLog(_ store: InspectedStore, _ options: ChangeOptions) throws(StoreError) {
        guard !options.isDryRun, !options.acceptsMissingLog else { return }
        if let trace = store.missingLog { throw Refusal.logMissing(trace, in: store) }
        if let finding = store.lossOfLog { throw Refusal.logLost(finding, in: store) }
    }

    /// Refuses to change a store that another process may have open by another name, with another log. A dry run says it,
    /// and goes on.
    static func refuseOtherNames(_ store: InspectedStore, _ options: ChangeOptions) throws(StoreError) {
        guard let suffix = store.files.suffixWithOtherNames, !options.isDryRun, !options.force else { return }
        throw Refusal.otherNames(suffix, in: store)
    }

    /// Refuses to delete an object whose record in CloudKit is that of another one, which stays.
    private static func refuseDeletingTwo(with plan: Plan, in session: MeterSession) throws {
        let own = session.settings.numbers
        var deleted = Set(plan.cloudDeletions.map(\.object))
        for row in plan.deletedRows {
            deleted.formUnion(own.map { CloudKitMirror.Object(entityNumber: $0, row: row) })
        }
        guard !deleted.isEmpty else { return }
        for (name, objects) in try session.base.mirrorSigns()?.sharedNames ?? [] {
            let kept = objects.filter { !deleted.contains($0) }
            guard kept.count < objects.count, let first = kept.first else { continue }
            throw session.store.unsuitable(
                "the record \(name) in CloudKit is that of row \(first.row) of "
                    + "\(session.store.entityName(first.entityNumber)) too, which is kept: a delete would take it from all devices",
                hint: "show the store to the app's developers (\(Check.mirrorDuplicateMetadata.id))")
        }
    }

    private static func refuse(_ obstacle: WriteObstacle?, _ store: InspectedStore) throws(StoreError) {
        if let obstacle { throw obstacle.error(at: store.path) }
    }

    /// Refuses changes of records that this store would not keep as they are planned.
    private static func refuseRecordChanges(
        in plan: Plan, of settings: SettingsTable, in store: InspectedStore
    ) throws(StoreError) {
        try refuse(.ofColumns(in: settings, of: store.description), store)
        let obstacles = RowObstacles(in: settings)
        for meter in plan.meters {
            // Of a meter whose records are merged, also the one that is kept and may stay as it is.
            if let winner = meter.winner {
                try refuse(obstacles.ofUpdate(of: winner.row, EmptyCollection()), store)
            }
            for change in meter.records { try refuse(obstacle(to: change, obstacles, settings), store) }
        }
    }

    private static func obstacle(
        to change: RecordChange, _ obstacles: RowObstacles, _ settings: SettingsTable
    ) -> WriteObstacle? {
        func writes(_ fields: [FieldChange]) -> [RowObstacles.Write] {
            zip(fields.positions(in: settings.layout), fields).map { RowObstacles.Write(position: $0, value: $1.after) }
        }
        return switch change {
        case .update(let update): obstacles.ofUpdate(of: update.row, writes(update.fields))
        case .delete(let deletion): obstacles.ofUpdate(of: deletion.record.row, EmptyCollection())
        case .insert(let insertion): obstacles.ofInsertion(writes(insertion.fields))
        }
    }
}

extension InspectedStore {
    /// That a command cannot do with this store what was asked of it.
    func unsuitable(_ message: String, hint: String? = nil) -> StoreError {
        StoreError(.unsuitable, at: path, message, hint: hint)
    }
}
