internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
internal import MeterModel

/// The transaction of a change, and what damage of the store makes of it.
extension ChangeRun {
    /// How far a change has come.
    struct Progress {
        /// The store, from when damage of it is a reason to refuse the change.
        var store: InspectedStore?
        var backup: Backup?
        /// What the user should know of the backups that were there.
        var warnings: [String] = []
        /// What another tool did, as only the log tells, which the change folds in.
        var logEvidence = LogEvidence()
        /// Of a first attempt. It is gone, and holds files open.
        var discarded: Backup?
        /// Indexes that are all that was damaged; nil where nobody has looked for them.
        var remadeIndexes: [DamagedIndex]?
        var isCommitting = false
    }

    /// The transaction. Of a store whose indexes are damaged there is a second one, for a planner that makes them again: what
    /// was read by them in the first one cannot be trusted.
    static func carryOut(
        _ planner: some Planner, on connection: StoreConnection, _ options: ChangeOptions, _ progress: inout Progress
    ) throws(StoreError) -> ChangeReport {
        func attempt() throws(StoreError) -> ChangeReport {
            try connection.change { database in
                let report = try change(connection, by: planner, options, database, &progress)
                progress.isCommitting = true
                return report
            }
        }
        do throws(StoreError) { return try attempt() } catch {
            guard let refusal = refusalOfDamage(progress, connection, after: error) else { throw error }
            guard planner.due.contains(.indexDamaged) else { throw refusal }
            progress.backup?.discard()
            (progress.discarded, progress.backup) = (progress.backup, nil)
            progress.remadeIndexes = []
            do throws(StoreError) { return try attempt() } catch {
                throw progress.remadeIndexes == [] ? refusal : error
            }
        }
    }

    /// SQLite's own check is made once, after the writing, where it proves most. A change that failed before or because of
    /// it is rolled back: then the same check tells whether the store was damaged before, which is what its user must know.
    private static func refusalOfDamage(
        _ progress: Progress, _ connection: StoreConnection, after error: StoreError
    ) -> StoreError? {
        guard let store = progress.store, !progress.isCommitting, ![.interrupted, .inUse].contains(error.kind),
            let problems = try? connection.read({ try $0.integrityProblems(limit: 1) }), !problems.isEmpty
        else { return nil }
        return Refusal.notIntact(problems, in: store)
    }
}
