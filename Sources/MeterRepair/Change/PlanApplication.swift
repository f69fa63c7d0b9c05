internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

/// Carries a plan out, change by change. Belongs into a transaction.
enum PlanApplication {
    static func apply(
        _ plan: Plan, to store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        for change in plan.schemaChanges { try change.apply(database) }
        // Without a change of a record there is nothing for the history, and no transaction in it.
        if plan.changesRecords { try applyRecordChanges(plan, to: store, settings, database) }
        var metadata = store.description.metadata
        let changes = plan.metadataChanges
        guard !changes.isEmpty else { return }
        // Where it was lost, it is made anew.
        metadata.dictionary = plan.applied(to: metadata.dictionary)
        try metadata.write(to: database)
    }

    private static func applyRecordChanges(
        _ plan: Plan, to store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws {
        var writer = try SettingsWriter(settings, store.description, now: store.now, database)
        for index in order(of: plan, isConstrained: !settings.uniqueIndexes.isEmpty) {
            switch plan.changes[index] {
            case .delete(let deletion): try writer.delete(deletion)
            case .update(let update): try writer.update(update)
            case .insert(let insertion): try writer.insert(insertion)
            case .schema, .metadata: break
            }
        }
        try writer.finish()
    }

    /// The changes of records in the order in which they are carried out: as the rows lie in the file, so that each page
    /// is written once.
    /// - Parameter isConstrained: whether no two records may have one address, not even for a moment. Deletes come first
    ///   then.
    private static func order(of plan: Plan, isConstrained: Bool) -> [Int] {
        var order: [(step: Int, row: Int64, index: Int)] = []
        order.reserveCapacity(plan.changes.count)
        for (index, change) in plan.changes.enumerated() {
            switch change {
            case .delete(let deletion): order.append((0, deletion.record.row, index))
            case .update(let update): order.append((isConstrained ? 1 : 0, update.row, index))
            case .insert(let insertion): order.append((2, insertion.row, index))
            case .schema, .metadata: break
            }
        }
        order.sort { ($0.step, $0.row) < ($1.step, $1.row) }
        return order.map(\.index)
    }
}

extension Plan {
    var metadataChanges: [MetadataChange] {
        changes.compactMap { change in
            if case .metadata(let change) = change { change } else { nil }
        }
    }

    /// A metadata dictionary as the plan leaves it; nil stays nil where the plan says nothing of it.
    func applied(to dictionary: [String: PropertyList]?) -> [String: PropertyList]? {
        let changes = metadataChanges
        guard !changes.isEmpty else { return dictionary }
        return changes.reduce(into: dictionary ?? [:]) { $0[$1.key] = $1.after.propertyList }
    }
}
