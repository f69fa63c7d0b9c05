package import CoreDataStore
internal import GRDB
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// What a rehearsal needs from one store, read once from a private copy or from the untouched file: its records, and
/// what of them waits for CloudKit.
package struct StoreCopy: Sendable {
    /// The record of a row, and what the mirror knows about it.
    struct Entry: Sendable {
        let row: Int64
        let values: RecordValues
        let standing: Fleet.Copy.Standing
        /// Its name in CloudKit; nil if the mirror has none.
        let name: String?
    }

    /// What is said of the store by its name.
    package struct Source: Sendable {
        /// As the user gave it.
        package let path: String
        /// What is said first.
        package var alerts: [StoreAlert] = []
        /// Why what waits in it is not sent, or perhaps not; nil where it is.
        package var obstacle: String?
    }

    let path: String
    let layout: RecordLayout
    let letterCase: LetterCase
    let entries: [Entry]
    /// Names of records that are gone from the store and that CloudKit still has to delete.
    let waitingDeletions: [String]
    /// What the mirror does when the app opens the store; nil for one that is not mirrored.
    let forecast: MirrorForecast?
    /// What is said first.
    let alerts: [StoreAlert]

    /// - Throws: `StoreError`, `unsuitable` for a store that does not sync.
    package init(_ path: String, now: Timestamp) throws(StoreError) {
        self = try InspectedStore.look(at: path, now: now) { inspected, database in
            let store = inspected.description
            guard let settings = inspected.settings else {
                throw Refusal.noSettings(in: inspected)
            }
            guard !settings.isAddressUnique else {
                throw StoreError(
                    .unsuitable, at: path, "schema v1 does not sync, so there is nothing to rehearse",
                    hint: "bring a copy of it to schema v2 with `meterfix migrate` and rehearse with that")
            }
            var names: [Int64: String?] = [:]
            try store.mirror?.forEachRecord(database) { found in
                if found.entityNumber == settings.entity.number { names[found.row] = .some(found.recordName) }
            }
            var waiting: [Int64: CloudKitMirror.Waiting] = [:]
            try store.mirror?.forEachWaiting(in: store, database) { found in
                if found.object.entityNumber == settings.entity.number { waiting[found.object.row] = found }
            }
            var entries: [Entry] = []
            try settings.forEachRow(database) { found in
                let name = names[found.row]
                let change = waiting.removeValue(forKey: found.row)
                entries.append(
                    Entry(
                        row: found.row, values: found.record.values,
                        // Nothing is known about a store that is not mirrored: it counts as synced.
                        standing: store.mirror == nil
                            ? .uploaded : Self.standing(of: change, isKnown: name != nil, settings),
                        name: name ?? nil))
            }
            let deleted = waiting.values.filter { $0.kind == .delete }.compactMap(\.recordName)
            return StoreCopy(
                path: path, layout: settings.layout, letterCase: inspected.letterCase, entries: entries,
                waitingDeletions: deleted.sorted(), forecast: try MirrorForecast(of: store, database),
                alerts: try inspected.alerts(database))
        }
    }

    /// - Parameters:
    ///   - change: what waits for CloudKit; nil for nothing.
    ///   - isKnown: whether the mirror has metadata of the record.
    private static func standing(
        of change: CloudKitMirror.Waiting?, isKnown: Bool, _ settings: SettingsTable
    ) -> Fleet.Copy.Standing {
        guard let change else { return isKnown ? .uploaded : .unnoticed }
        switch change.kind {
        case .insert where change.recordName == nil, .update where !change.hasMetadata: return .new
        case .insert, .update:
            return .changed(fields: Set(change.columns.flatMap(settings.fields(changedIn:)) ?? []))
        // Deleted in the history, and there again without it.
        case .delete: return isKnown ? .uploaded : .unnoticed
        }
    }

    private init(
        path: String, layout: RecordLayout, letterCase: LetterCase, entries: [Entry], waitingDeletions: [String],
        forecast: MirrorForecast?, alerts: [StoreAlert]
    ) {
        self.path = path
        self.layout = layout
        self.letterCase = letterCase
        self.entries = entries
        self.waitingDeletions = waitingDeletions
        self.forecast = forecast
        self.alerts = alerts
    }

    var source: Source { .init(path: path, alerts: alerts, obstacle: forecast?.obstacle) }

    var isMirrored: Bool { forecast != nil }

    /// Whether the mirror has lost its place in the history, so that it deletes its rows and downloads them again.
    var hasLostHistory: Bool {
        forecast?.deletions.contains { if case .lostPlace = $0 { true } else { false } } ?? false
    }

    /// The store's records in a layout that has all of its fields and perhaps more.
    func copies(in union: RecordLayout) -> [Fleet.Copy] {
        let positions = union.fields.map { layout.position(of: $0) }
        return entries.map { entry in
            let values = positions.map { position in position.map { entry.values[$0] } ?? FieldValue.null }
            return Fleet.Copy(name: name(of: entry), values: values, standing: entry.standing)
        } + waitingDeletions.map { Fleet.Copy(name: $0, values: [], standing: .deleted) }
    }

    /// Without a mirror, only what the app itself synced can tell that two stores have the same record.
    private func name(of entry: Entry) -> String {
        if let name = entry.name { return name }
        func text(_ field: SettingsField) -> String? {
            guard let position = layout.position(of: field), !entry.values.isEmpty(position) else { return nil }
            return entry.values[position].display(as: field.kind)
        }
        if !isMirrored, let name = text(.cloudKitRecordID) ?? text(.id) { return name }
        return "row \(entry.row) of \(path)"
    }
}
