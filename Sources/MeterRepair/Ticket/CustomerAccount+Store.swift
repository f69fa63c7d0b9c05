internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// From the store as it is, and from what the backups say of the last repairs.
extension CustomerAccount {
    /// - Parameters:
    ///   - verification: with the names of records that findings are about.
    ///   - lastRepairs: that are in the store, in the order in which they were made.
    /// - Throws: SQLite's errors, and `StoreError` where the user asked to stop.
    init(
        of store: InspectedStore, _ verification: Report, _ rebuild: TicketReport.Rebuild,
        lastRepairs: [(entry: BackupEntry, journal: BackupManifest)], _ database: Database
    ) throws {
        var plan: Plan?
        if case .planned(let report) = rebuild, let planned = report.plan, planned.changesRecords { plan = planned }
        let names = Names(
            own: verification.names, shown: try Self.shownNames(of: verification.names.keys, in: store, plan, database))
        self.init(
            of: store, try Self.repair(of: store, rebuild, plan, lastRepairs, database), verification.findings,
            names: names, plan: plan, hadFirstAid: try plan != nil && Self.hadFirstAid(in: lastRepairs),
            former: try Self.former(in: store, database))
    }

    private static func repair(
        of store: InspectedStore, _ rebuild: TicketReport.Rebuild, _ plan: Plan?,
        _ lastRepairs: [(entry: BackupEntry, journal: BackupManifest)], _ database: Database
    ) throws -> Repair {
        if let plan { return .ahead(RepairAccount([plan])) }
        if case .refused = rebuild, store.addresses.groups > 0 {
            return .impossible(meters: store.addresses.groups)
        }
        guard let last = lastRepairs.last?.journal.madeAt else { return .none }
        var plans: [Plan] = []
        do throws(StoreError) {
            for (entry, journal) in lastRepairs {
                guard let plan = try entry.plan(journal) else { return .forgotten(at: last) }
                plans.append(plan)
            }
        } catch {
            guard error.kind != .interrupted else { throw error }
            return .forgotten(at: last)
        }
        let account = RepairAccount(plans)
        let records = try store.shownRecords(of: account.addresses, database)
        return .done(account.broughtUpToDate(by: records), at: last)
    }

    /// Whether a backup tells so.
    private static func hadFirstAid(
        in repairs: [(entry: BackupEntry, journal: BackupManifest)]
    ) throws(StoreError) -> Bool {
        for (entry, journal) in repairs {
            do throws(StoreError) {
                if let plan = try entry.plan(journal), !RepairAccount([plan]).filled.isEmpty { return true }
            } catch {
                guard error.kind != .interrupted else { throw error }
            }
        }
        return false
    }

    /// By row: what the app calls the meter now, or once the rebuild is made.
    private static func shownNames(
        of rows: some Collection<Int64>, in store: InspectedStore, _ plan: Plan?, _ database: Database
    ) throws -> [Int64: String] {
        guard !rows.isEmpty else { return [:] }
        var names = try store.shownNames(of: rows, database)
        for meter in plan.map(PlannedMeter.all) ?? [] where !meter.deletions.isEmpty {
            for row in meter.rows where rows.contains(row) { names[row] = meter.nameAfter }
        }
        return names
    }

    /// Nil unless the store has no record.
    private static func former(in store: InspectedStore, _ database: Database) throws -> FormerRecords? {
        guard let settings = store.settings, store.addresses.records == 0 else { return nil }
        guard let history = store.description.history else { return FormerRecords(deleted: nil, last: nil) }
        var deleted: Set<CloudKitMirror.Object> = []
        var last: Timestamp?
        var selection = PersistentHistory.Selection()
        selection.entities = settings.numbers
        try history.forEachChange(selection, database) { row in
            guard row.change.kind == .delete, let object = row.change.object else { return }
            deleted.insert(object)
            if last == nil { last = try row.save().time.map(Timestamp.init(secondsSince2001:)) }
        }
        return FormerRecords(deleted: deleted.count, last: last)
    }
}
