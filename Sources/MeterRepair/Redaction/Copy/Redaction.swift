package import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// `redact`: a copy of a store without personal data, of which `verify`, `rebuild --dry-run` and `sync` say the same.
package enum Redaction {
    /// Writes the copy of the store at `path` to the new file `output`, and leaves no trace in the store.
    /// - Parameter mapPath: where it is written who is who, and read if it is there; nil for nowhere.
    /// - Throws: `StoreError`; then there is no new file.
    package static func run(
        _ path: String, to output: String, map mapPath: String? = nil, now: Timestamp
    ) throws(StoreError) -> RedactionReport {
        var files = [OutputPlaces.NewFile(output, "OUT", isStore: true)]
        if let mapPath { files.append(.init(mapPath, "--map", mayBeThere: true)) }
        try OutputPlaces.check(files, for: path)
        let mapFile = try mapPath.map { file throws(StoreError) in try RedactionMapFile(file) }
        let folder = try PrivateFolder.beside(output)
        let copy = "\(folder.path)/\(fileName)"
        var (report, map) = try write(path, to: copy, mapFile?.map ?? RedactionMap(), named: output, now: now)
        report.mapFile = mapFile?.path
        map.store = path
        let log = access(copy + "-wal", F_OK) == 0 ? copy + "-wal" : nil
        var made: [NewFilePublication] = []
        if let mapFile, mapFile.isNew {
            made.append(NewFilePublication(mapFile.path) { [map] _ throws(StoreError) in try mapFile.write(map) })
        }
        if let log { made.append(.moving(log, to: output + "-wal")) }
        made.append(.moving(copy, to: output))
        if let mapFile, !mapFile.isNew {
            // Before the copy: a number that nobody uses does no harm, and one that means two things would.
            if (try? FileStatus(path: mapFile.path))?.isOpenToOthers == true {
                report.warnings.append(
                    "others could read \(mapFile.path), which says who is who: from now on only its owner can")
            }
            try mapFile.write(map)
        }
        try NewFilePublication.publish(made)
        return report
    }

    private static let fileName = "copy.sqlite"

    /// How much memory it takes to know what becomes of each text, and all that is said of each record. Measured were 4
    /// bytes for each of a store of huge values, 170 for a row with one short text, and 5,900 for a record in which
    /// everything is wrong.
    private static func memory(for store: InspectedStore, of size: Int, _ database: Database) throws -> Int {
        let rows = try database.rowCounts(of: Array(store.description.schema.tables.keys))
        let records = store.settings.flatMap { rows[$0.table.name] } ?? 0
        return 5 * min(size, 1 << 60) + 200 * rows.values.reduce(0, +) + 6_000 * records
    }

    /// Writes the copy, and compares what is said of it with what is said of the store.
    private static func write(
        _ path: String, to copy: String, _ map: RedactionMap, named output: String, now: Timestamp
    ) throws(StoreError) -> (RedactionReport, RedactionMap) {
        try StoreConnection.look(at: path) { connection, database in
            let store = try InspectedStore(StoreRequest(path, now: now), files: connection.files, database)
            try store.requireCoreData()
            if let table = store.description.schema.misnamed.min() {
                throw WriteObstacle.misnamed(table).error(at: path)
            }
            let memory = try memory(for: store, of: connection.files.size, database)
            if let shortage = Resources.shortage(ofMemory: memory) { throw shortage }
            // Where the store changed while it was read, it is read again from the start.
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
            let replacements = Replacements(continuing: map, letterCase: store.letterCase)
            var values = ValueRedaction(
                replacements: replacements, words: try HarmlessWords(store.description, database))
            var changedFields = ChangedFields(store)
            values.isMask = { changedFields.names(in: $1, ofEntity: $0) != nil }
            // Once to collect what there is, and once to replace it; rows of all tables, of which nobody knows how many.
            WorkProgress.begin("reading and redacting", .records)
            var rewritten = RewrittenCopy(
                of: database, store.description, shownAs: path, output: output, statement: values.statement
            ) { table in
                let redaction = RowRedaction(table, in: store.description, store.settings, values)
                return { redaction($0) }
            }
            try rewritten.read()
            replacements.assignNumbers()
            try rewritten.write(to: copy, isWAL: store.files.header.isWAL)
            var report = RedactionReport(store: path, output: output, tally: replacements.tally)
            report.leftOut = rewritten.leftOut
            report.kept = try NamesByHand.found(
                in: store.description, store.settings, without: rewritten.namesLeftOut, database)
            report.hasMeters = store.settings != nil
            report.size = try FileStatus(path: copy)?.size ?? 0
            do {
                // Beside the copy as beside the store, which says whether the store came whole.
                if store.files.header.isWAL, store.files.has("-wal") { try FileOutput.create(copy + "-wal") { _ in } }
                report.differences = try AnswerComparison.differences(
                    between: (Session(store, database), connection.files.pathOfContents ?? path), and: copy)
            } catch let error as StoreError where error.path.hasPrefix(copy) {
                throw StoreError(error.kind, at: output, error.message, hint: error.hint)
            }
            try Interruption.check(path)
            return (report, replacements.map)
        }
    }
}

/// A redacted copy that nobody keeps: it goes with the value.
package struct RedactedScratchCopy: Sendable {
    package let report: RedactionReport
    /// What the copy is called: the name of a customer's file may be personal too.
    package let name = "redacted.sqlite"
    private let privateFolder: PrivateFolder

    /// Where the copy is, and nothing else.
    package var folder: String { privateFolder.path }
    package var path: String { "\(folder)/\(name)" }

    /// - Throws: `StoreError`.
    package init(of store: String, now: Timestamp) throws(StoreError) {
        do {
            privateFolder = try PrivateFolder(.temporary)
        } catch {
            throw error.storeError(at: PrivateFolder.temporary)
        }
        report = try Redaction.run(store, to: "\(privateFolder.path)/\(name)", now: now)
    }
}
