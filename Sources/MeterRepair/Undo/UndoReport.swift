package import JSON
package import MeterInspect
internal import MeterJournal
package import MeterModel

/// What `undo` answers.
package struct UndoReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A dry run: this is what the real run does.
        case planned
        case applied
        /// There is nothing to take back.
        case unchanged
        /// The store has changed since the change; nothing was done.
        case stale
    }

    /// The change that is taken back.
    package struct Change: Hashable, Sendable {
        /// The name of the backup's entry.
        package let entry: String
        package let command: String
        package let madeAt: Timestamp
    }

    package struct File: Hashable, Sendable {
        package let name: String
        /// Bytes.
        package let size: Int
    }

    /// A part of a change that a command takes back by itself, and loses nothing that was done since.
    package enum Part: Hashable, Sendable {
        /// The record in this row was deleted.
        case record(row: Int64, MACAddress)
        /// The meter had this name; nil for none.
        case name(String?, MACAddress)
        case unit(TemperatureUnit, MACAddress)
    }

    /// What CloudKit has to do with it.
    package struct Cloud: Hashable, Sendable {
        /// Whether the mirror has read the history past the change, so that it has perhaps gone up; nil where that cannot
        /// be told.
        package let hasGoneUp: Bool?
        /// What waits in the store as it is after the undo.
        package let after: MirrorForecast
    }

    /// The store's path as the user gave it.
    package var store: String
    /// Whether an undo is taken back instead of a change.
    package var redoes: Bool
    package var outcome: Outcome
    /// Nil where there is nothing to take back.
    package var change: Change?
    /// Of what is put back in the place of what; nil where there is nothing to take back.
    package var fingerprint: PlanFingerprint?
    /// The files that are put back.
    package var files: [File] = []
    /// The names of the store's files afterwards: those that go back to the device together.
    package var filesToReturn: [String] = []
    /// What is said first of the store as it is now.
    package var alerts: [StoreAlert] = []
    /// The rows that moved since the change; nil where they cannot be told.
    package var moved: [RowDifference]? = []
    /// The records among them, as the user knows them: as many as are shown.
    package var changedMeters: [RecordDifference] = []
    /// What can be taken back by itself, where the store has changed since.
    package var parts: [Part] = []
    /// Nil for a store that is not mirrored.
    package var cloud: Cloud?
    /// The letter case of the store's addresses.
    package var letterCase = LetterCase.upper
    /// Whether the files are the very bytes that were saved: a backup that somebody opened may have the same contents in
    /// others, and in a store with a rollback journal SQLite's counters go on.
    package var isByteForByte = true
    /// How many more changes can be taken back after this one.
    package var remaining = 0
    /// What the user must know although the command went on.
    package var warnings: [String] = []
    /// The folder with the state before this, as a path the user can type.
    package var backup: String?
}

extension UndoReport {
    /// What to do with the files that were put back.
    package var steps: [Step] {
        if let check = alerts.reasonToStayClosed { return [.keepingCopy(because: check)] }
        guard alerts.questions.isEmpty else { return alerts.questions }
        var summary = StoreSummary(store: store, schemaVersion: nil, letterCase: letterCase, findings: [])
        summary.isMirrored = cloud != nil
        return Step.givingBack(filesToReturn) + (waiting.map { summary.steps(after: $0, own: nil) } ?? [])
    }

    /// What has to hold until that is uploaded which waits after the undo; nil where nothing waits.
    private var waiting: WritingCommand.Condition? {
        guard let forecast = cloud?.after, forecast.total > 0 else { return nil }
        return forecast.deletes > 0 ? .atRest : .namesLeftAlone
    }
}

/// One document, keys in their fixed order.
extension UndoReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(beginning)
            writer.member("fingerprint", fingerprint?.description)
            writer.member("moved", moved)
            writer.members(ending)
        }
    }

    /// The report without the rows that moved, which may be every row of the store.
    var account: JSONValue { .object(beginning + ending) }

    private var beginning: [JSONValue.Member] {
        JSONDocument.head(command: BackupManifest.undoCommand, store: store) + [
            .init("outcome", outcome.rawValue), .init("redo", redoes),
            .init(
                "undone",
                change.map { ["entry": $0.entry, "command": $0.command, "madeAt": $0.madeAt] as JSONValue }),
            .init("files", files.map { ["name": $0.name, "size": $0.size] as JSONValue }),
            .init("byteForByte", isByteForByte),
        ]
    }

    private var ending: [JSONValue.Member] {
        [.init("remaining", remaining), .init("warnings", warnings), .init("backup", backup)]
    }
}

extension RowDifference: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("table", table)
            writer.member("row", row)
            writer.member("kind", kind.rawValue)
            writer.member("fields", each: fields) { field, writer in
                writer.object { writer in
                    writer.member("name", field.field.name)
                    field.writeValues("then", "now", to: &writer)
                }
            }
        }
    }
}
