internal import CoreDataStore
package import MeterModel
internal import MeterStore

extension Check {
    package static let writtenWithoutHistory = store(
        "written-without-history", .warning, "rows that were written and no transaction of the history says so",
        """
        These values never reach CloudKit and the user's other devices, and what comes from there may overwrite them. \
        CloudKit's mirror learns from the history what to upload. The log of this store has changes of rows that are in \
        no transaction; or rows are gone, or back, and the history's last word on them is another one.

        Another tool wrote to the store, such as a SQLite editor or a script. (Or the main file and its log are of \
        different moments, in a way that nothing else shows.) Of values, only the commits that are still in the -wal \
        can be told.

        Find out who wrote to the store. A name or a unit that is to stay has to be changed once more, in the app or \
        with `meterfix set`: that writes the history. A copy from before has the store as it was.
        """
    ) { check, session in
        guard let history = session.history else { return [] }
        let unsaid = session.mirror == nil ? [:] : try session.pastSteps()?.unsaid ?? [:]
        return try session.description.entityTables.flatMap { entity in
            let denied = try history.deniedRows(of: entity, session.database)
            // Without a mirror nobody learns of a change from the history.
            let written =
                session.mirror == nil ? [] : unsaid[entity.table.name, default: []].union(denied.alive).sorted()
            // What CloudKit still has of a row that is gone, `mirror-orphan` says.
            let orphans: Set<CloudKitMirror.Object> =
                try denied.gone.isEmpty
                ? [] : Set(session.mirror?.orphans(in: session.description, session.database).map(\.object) ?? [])
            let gone = denied.gone.filter { row in
                !entity.numbers.contains { orphans.contains(.init(entityNumber: $0, row: row)) }
            }
            var findings: [Finding] = []
            if !written.isEmpty { findings.append(check.finding(onWritten: written, of: entity.root.name)) }
            if !gone.isEmpty {
                let finding = check.finding(
                    "\(Phrase.count(gone.count, "row")) of \(entity.root.name) gone, and no transaction says that "
                        + "\(gone.count == 1 ? "it was" : "they were") deleted: "
                        + "\(Phrase.start(of: gone.map { "row \($0)" }, limit: 6))",
                    entity: entity.root.name,
                    cure: "ask who wrote to the store, and for a copy from before: another device may have the records")
                let isEmpty = try entity.largestRow(session.database) == 0
                findings.append(isEmpty ? finding.with(.error) : finding)
            }
            return findings
        }
    }
}

extension Check {
    fileprivate func finding(onWritten rows: [Int64], of entity: String) -> Finding {
        finding(
            "\(Phrase.count(rows.count, "row")) of \(entity) written by another tool than the app: no transaction says so, and "
                + "CloudKit does not learn of it",
            entity: entity, rows: rows,
            cure: "ask who wrote to the store, and change once more what is to stay: that writes the history")
    }

    /// The finding on records of which only the log tells, which a dry run has folded in; nil where there are none.
    package static func writtenWithoutHistory(_ evidence: LogEvidence) -> Finding? {
        let rows = evidence.rowsWithoutHistory.sorted()
        return rows.isEmpty ? nil : writtenWithoutHistory.finding(onWritten: rows, of: SettingsTable.entityName)
    }
}

/// What another tool did to a store in its log, and no transaction says so.
package struct LogEvidence: Sendable {
    /// Records that it wrote, by row number.
    package var rowsWithoutHistory: Set<Int64> = []
    /// Rows that it gave another number, by table.
    var moved: [SQLName: Set<Int64>] = [:]

    package init() {}
}

extension Session {
    /// - Throws: SQLite's errors; `StoreError` if a file cannot be read.
    package func logEvidenceWithPast() throws -> LogEvidence {
        var evidence = store.logEvidence
        guard mirror != nil, history != nil, let settings, let past = try pastSteps() else { return evidence }
        evidence.rowsWithoutHistory.formUnion(past.unsaid[settings.table.name] ?? [])
        evidence.moved.merge(past.moved) { $0.union($1) }
        return evidence
    }
}

extension Check {
    /// What is said of such records when a change folds the log in.
    package static func lastWord(on rows: Set<Int64>) -> String {
        let (verb, them) = rows.count == 1 ? ("was", "it") : ("were", "them")
        return
            "\(Phrase.start(of: rows.sorted().map { "row \($0)" }, limit: 6)) \(verb) written by another tool, and no "
            + "transaction says so: CloudKit does not learn of \(them), and after this change nothing in the store shows it; "
            + "change once more what is to stay"
    }
}
