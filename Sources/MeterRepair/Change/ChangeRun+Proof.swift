internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

extension ChangeRun {
    /// The store as the plan leaves it, checked as `verify` does it and proven to be what was planned. One thread reads the
    /// records while the other does all else.
    /// - Parameter before: what must be known of the records before.
    /// - Returns: with it, the tables that were compared as a whole.
    /// - Throws: `ProofError`; the transaction must not be committed then.
    static func proven(
        _ proof: ChangeProof, by planner: some Planner, _ before: ParallelRead<RecordsBefore>,
        _ connection: StoreConnection, _ options: ChangeOptions, _ database: Database
    ) throws -> (store: InspectedStore, tables: [TableContents]) {
        let store = try InspectedStore(
            describing: connection.path, files: connection.files, letterCase: options.letterCase,
            model: options.model, now: options.now, migrations: options.migrations, database)
        let records = connection.parallel.read(beside: database) {
            [plan = proof.plan, rows = proof.rows, settings = proof.settings] database in
            let before = try before.value()
            let written = WrittenRecords(of: plan, rows, settings)
            var store = store
            try store.readRecords(database, continuing: before.pass, watch: written.visit)
            written.finish()
            return (store, before.updated, written)
        }
        // SQLite's own check is one of them. It must see all that the connection has in its memory.
        let findings = try Verification.findingsOfStore(in: store, database)
        let tables = try proof.check(store, before.value(), database)
        var (after, updated, written) = try records.value()
        after.findingsOfStore = ParallelRead(done: .success(findings))
        try proof.checkRecords(
            after, updated, written, remaining: planner.remaining(of: proof.plan, in: after, database),
            database)
        return (after, tables)
    }
}
