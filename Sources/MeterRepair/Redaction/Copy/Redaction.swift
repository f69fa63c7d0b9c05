package import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// `redact`: a copy of a store without personal data, of which `verify`, `rebuild --dry-run` and `sync` say the same.
package enum Redaction {
    /// Writes the copy of the store at `path` to the new file `output`, and leaves no trace in the store.
    /// - Throws: `StoreError`; then there is no new file.
    package static func run(
        _ path: String, to output: String, _ options: RedactionOptions
    ) throws(StoreError) -> RedactionReport {
        let key = try options.keyFile.map { file throws(StoreError) in try RedactionKey.at(file) }
        let newKey = key.flatMap { $0.isNew ? $0.key : nil }
        var files = [OutputPlaces.NewFile(output, "OUT", isStore: true)]
        if let map = options.mapFile { files.append(.init(map, "--map")) }
        if let file = options.keyFile, newKey != nil { files.append(.init(file, "--key")) }
        try OutputPlaces.check(files, for: path)
        let folder = try PrivateFolder.beside(output)
        let copy = "\(folder.path)/\(fileName)"
        let (redacted, map) = try write(path, to: copy, key?.key ?? .random(), named: output, options)
        let log = access(copy + "-wal", F_OK) == 0 ? copy + "-wal" : nil
        var made: [NewFilePublication] = []
        if let newKey, let file = options.keyFile {
            made.append(NewFilePublication(file) { file throws(StoreError) in try newKey.write(to: file) })
        }
        if let map, let file = options.mapFile {
            made.append(NewFilePublication(file) { file throws(StoreError) in try redacted.write(map, to: file) })
        }
        if let log { made.append(.moving(log, to: output + "-wal")) }
        made.append(.moving(copy, to: output))
        try NewFilePublication.publish(made)
        var report = redacted
        if let file = options.keyFile, newKey == nil, (try? FileStatus(path: file))?.isOpenToOthers == true {
            report.warnings.append(
                "others may read \(file); whoever has it and the copy can try out who is who: "
                    + "chmod go-rwx \(ShellWord.quoted(file))")
        }
        return report
    }

    private static let fileName = "copy.sqlite"

    /// Writes the copy, and compares what is said of it with what is said of the store.
    private static func write(
        _ path: String, to copy: String, _ key: RedactionKey, named output: String, _ options: RedactionOptions
    ) throws(StoreError) -> (RedactionReport, RedactionMap?) {
        try StoreConnection.look(at: path) { connection, database in
            let store = try InspectedStore(
                StoreRequest(path, now: options.now), files: connection.files, database)
            guard store.description.isCoreData else { throw Refusal.noSettings(in: store) }
            if let table = store.description.schema.misnamed.min() {
                throw WriteObstacle.misnamed(table).error(at: path)
            }
            // Where the store changed while it was read, it is read again from the start.
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(copy + suffix) }
            let pseudonyms = Pseudonyms(key, keepsMap: options.mapFile != nil)
            let order = try WinnerOrder(of: store, pseudonyms, database)
            pseudonyms.assign(texts: order.texts, blobs: order.blobs)
            var values = ValueRedaction(
                pseudonyms: pseudonyms,
                dates: options.keepsDates
                    ? .none
                    : DateShift(
                        key, now: options.now.secondsSince2001,
                        inseparable: try InseparableDates.find(in: store, database)),
                now: options.now.secondsSince2001, words: try HarmlessWords(store.description, database))
            var changedFields = ChangedFields(store)
            values.isMask = { changedFields.names(in: $1, ofEntity: $0) != nil }
            WorkProgress.begin(.redacting, of: try store.settings?.likelyCount(database))
            let written = try RewrittenCopy.write(
                database, of: store.description, isWAL: store.files.header.isWAL, to: copy, shownAs: path,
                output: output, statement: values.statement
            ) { table in
                let redaction = RowRedaction(table, in: store.description, store.settings, values)
                return { redaction($0) }
            }
            var report = RedactionReport(path: path, output: output, options, pseudonyms.tally)
            report.leftOut = written.leftOut
            report.hasMeters = store.settings != nil
            report.dates = values.dates
            report.size = try FileStatus(path: copy)?.size ?? 0
            do {
                // Beside the copy as beside the store, which says whether the store came whole.
                if store.files.header.isWAL, store.files.has("-wal") { try FileOutput.create(copy + "-wal") { _ in } }
                report.differences = try AnswerComparison.differences(
                    between: (store, database, connection.files.pathOfContents ?? path), and: copy)
            } catch let error as StoreError where error.path.hasPrefix(copy) {
                throw StoreError(error.kind, at: output, error.message, hint: error.hint)
            }
            try Interruption.check(path)
            return (report, pseudonyms.map)
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
        report = try Redaction.run(store, to: "\(privateFolder.path)/\(name)", RedactionOptions(now: now))
    }
}
