internal import CoreDataStore
internal import MeterModel

extension Check {
    package static let writtenWithoutHistory = ofStore(
        "written-without-history", .warning, "rows that were written and no transaction of the history says so",
        """
        These values never reach CloudKit and the user's other devices, and what comes from there may overwrite them. \
        CloudKit's mirror learns from the history what to upload. The log of this store has changes of rows that are in \
        no transaction.

        Another tool wrote to the store, such as a SQLite editor or a script. (Or the main file and its log are of \
        different moments, in a way that nothing else shows.) Only the commits that are still in the -wal can be told.

        Find out who wrote to the store. A name or a unit that is to stay has to be changed once more, in the app or \
        with `meterfix set`: that writes the history. A copy from before has the store as it was.
        """
    ) { check, session in
        guard session.mirror != nil, session.history != nil, let unsaid = try session.pastSteps()?.unsaid else {
            return []
        }
        return session.description.entityTables.compactMap { entity in
            guard let rows = unsaid[entity.table.name]?.sorted(), !rows.isEmpty else { return nil }
            return check.finding(
                "\(Phrase.count(rows.count, "row")) of \(entity.root.name) written by another tool than the app: no "
                    + "transaction says so, and CloudKit does not learn of it",
                entity: entity.root.name, rows: rows,
                cure: "ask who wrote to the store, and change once more what is to stay: that writes the history")
        }
    }
}
