package import CoreDataStore
internal import GRDB
package import JSON
package import MeterJournal
package import MeterModel

/// `show`: everything that is known about one meter, or about one record without a usable address.
package struct ShownMeter: Sendable {
    package let store: String
    /// The state that is shown, where it is not the present one.
    let past: PastState?
    package let details: MeterDetails
    package let log: ChangeLog
    package let backups: [MeterBackup]
    /// What could not be read, and why: sentences for a person.
    package let warnings: [String]

    private static let changes = 5

    /// - Throws: `StoreError`; `unsuitable` if the store has no such meter or record.
    package static func of(
        _ reference: RecordReference, in path: String, at moment: PastMoment? = nil, folder: String?, now: Timestamp
    ) throws(StoreError) -> ShownMeter {
        var request = ChangeLog.Request()
        request.backupFolder = folder
        request.limit = changes
        let folder = BackupFolder(for: path, named: folder)
        return try MeterSession.look(at: path, in: moment, now: now) { session in
            let details = try MeterDetails(of: reference, in: session)
            var backups: [MeterBackup] = []
            var warnings: [String] = []
            do {
                // Whose change a backup is of is told by the contents of the whole store.
                if try session.store.past == nil && folder.entryCount > 0 {
                    let stack = try session.base.stack(in: folder)
                    backups = try stack.backups(of: details.address, rows: details.records.map(\.row)) {
                        warnings.append($0)
                    }
                }
            } catch let error as StoreError where [.permissionDenied, .inputOutput].contains(error.kind) {
                warnings.append("\(error.path): \(error.message): the meter's backups are not known")
            }
            request.address = details.address
            if details.address == nil { request.row = details.records[0].row }
            let log = try ChangeLog.read(session.base, request)
            return ShownMeter(
                store: path, past: session.store.past, details: details, log: log, backups: backups,
                warnings: warnings + log.warnings.filter { !warnings.contains($0) })
        }
    }
}

extension ShownMeter: JSONWritable {
    /// The document of `show` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "show", store: store))
            if let past { writer.member("at", past.json) }
            writer.member("mac", details.address?.text(in: details.letterCase))
            writer.member("name", details.name)
            writer.member("records", each: details.records.enumerated()) { record, writer in
                record.element.write(isKept: record.offset == 0, details.merge, to: &writer)
            }
            writer.member("afterRebuild", details.valuesAfterRebuild)
            writer.member("conflicts", each: details.merge?.conflicts ?? []) {
                $0.write(in: .report, details.letterCase, to: &$1)
            }
            writer.member(
                "earlier",
                details.earlier.map { lost -> JSONValue in
                    [
                        "field": lost.field.name, "value": lost.value.json(as: lost.field.kind), "until": lost.past.to,
                        "source": lost.past.source.rawValue, "certainty": lost.past.certainty.rawValue,
                    ]
                })
            writer.member("levelled", details.level?.showsEverything)
            writer.member("firstAid", details.firstAid?.description)
            writer.member("changes", each: log.entries) { $0.write(in: details.letterCase, to: &$1) }
            writer.member("backups", backups.map(\.json))
            writer.member("next", details.next?.description)
        }
    }
}

extension MeterDetails.Record {
    fileprivate func write(isKept: Bool, _ merge: Merge?, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("row", row)
            writer.member("kept", isKept)
            let step = merge.flatMap { merge in
                zip(merge.losers, merge.advantages).first { $0.0.row == row }.map { $0.1.rawValue }
            }
            writer.member("because", step)
            writer.member("fields", record)
            writer.member("cloudRecord", record.cloudRecord?.name)
            writer.member("cloudZone", known.first?.zone)
            if let owner = known.first?.zoneOwner { writer.member("sharedBy", owner) }
            writer.member("exportedTransaction", known.first?.exportedTransaction)
            writer.member("waiting", waitingFields)
            writer.member("waitingKind", waiting.map { "\($0.waiting.kind)" })
            writer.member("locks", locks.map(\.json))
        }
    }

    /// The attributes that wait: of a new record those with a value. Nil where nothing waits.
    private var waitingFields: [String]? {
        guard let waiting else { return nil }
        switch waiting.waiting.kind {
        case .update: return waiting.fields ?? []
        case .delete: return []
        case .insert:
            return record.layout.fields.indices.filter { !record.values[$0].isNull }.map {
                record.layout.fields[$0].name
            }
        }
    }
}

extension RecordedLock {
    fileprivate var json: JSONValue {
        ["by": lock?.holder, "since": lock?.connectedAt, "until": lock?.expiresAt, "state": state]
    }
}

extension MeterBackup {
    fileprivate var json: JSONValue {
        [
            "entry": entry.name, "madeAt": journal.madeAt, "command": journal.command, "inStore": isInStore,
            "path": entry.path, "rows": effects.map(\.row),
        ]
    }
}

package struct MeterBackup: Sendable {
    package let entry: BackupEntry
    package let journal: BackupManifest
    package let isInStore: Bool
    /// Otherwise a change that is not in the store is one of another copy.
    package let isUndone: Bool
    /// What the change did to each record of the meter: `row 7: name "Lab" → "Bench"`.
    package let effects: [(row: Int64, words: String)]
}

extension BackupStack {
    /// The changes that were made to a meter, the last one first.
    /// - Parameters:
    ///   - address: nil for a record without a usable address.
    ///   - rows: of its records. No other record ever has their numbers.
    ///   - warn: handed what cannot be read, and why: sentences for a person.
    /// - Throws: `StoreError` where the user asked to stop.
    func backups(of address: MACAddress?, rows: [Int64], warn: (String) -> Void) throws(StoreError) -> [MeterBackup] {
        let (inStore, undone) = (changesInStore, undoneChanges)
        let unfinished = Set(unfinished.map(\.name))
        var backups: [MeterBackup] = []
        for entry in entries.reversed() where !unfinished.contains(entry.name) {
            guard let journal = entry.journal, let changes = journal.changes else { continue }
            var effects: [(row: Int64, words: String)] = []
            do throws(StoreError) {
                try entry.forEachObject(changes) { change in
                    let isOfMeter = change.address.map { $0 == address } ?? false
                    guard change.entityNumber == nil, isOfMeter || rows.contains(change.row) else { return }
                    effects.append((change.row, change.words))
                }
            } catch {
                guard error.kind != .interrupted else { throw error }
                warn("\(entry.path): what the change did cannot be told: \(error.message)")
                continue
            }
            guard !effects.isEmpty else { continue }
            backups.append(
                MeterBackup(
                    entry: entry, journal: journal, isInStore: inStore.contains(entry.name),
                    isUndone: undone.contains(entry.name), effects: effects))
        }
        return backups
    }
}

extension ObjectChange {
    fileprivate var words: String {
        switch self {
        case .update(let update, _):
            let changed = update.fields.filter { $0.rule != .now }.map { ChangeLog.Field($0.delta) }
            return "row \(row): \(changed.updatePhrase)"
        case .insert: return "row \(row) is new"
        case .delete(let deletion):
            return deletion.merger.map { "row \(row) was merged into row \($0.winner)" } ?? "row \(row) was deleted"
        case .cloudDelete: return "row \(row) was deleted in CloudKit only"
        }
    }
}
