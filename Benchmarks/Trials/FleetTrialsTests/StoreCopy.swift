import CoreDataStore
import MeterInspect
import MeterModel
import MeterStore

@testable import FleetSimulation

/// The records of one device's store, and which of them wait for CloudKit.
struct StoreCopy {
    let layout: RecordLayout
    let letterCase: LetterCase
    let records: [Fleet.Copy]

    init(_ path: String, now: Timestamp) throws {
        self = try MeterSession.look(at: path, now: now) { session in
            let (store, settings, database) = (session.description, session.settings, session.database)
            var names: [Int64: String?] = [:]
            try store.mirror?.forEachRecord(database) { found in
                if found.entityNumber == settings.entity.number { names[found.row] = .some(found.recordName) }
            }
            var waiting: [Int64: CloudKitMirror.Waiting] = [:]
            try store.mirror?.forEachWaiting(in: store, database) { found in
                if found.object.entityNumber == settings.entity.number { waiting[found.object.row] = found }
            }
            var records: [Fleet.Copy] = []
            for found in try session.store.records {
                let name = names[found.row]
                let standing = Self.standing(
                    of: waiting.removeValue(forKey: found.row), isKnown: name != nil, settings)
                records.append(
                    Fleet.Copy(
                        name: (name ?? nil) ?? "row \(found.row) of \(path)", values: found.values,
                        standing: standing))
            }
            let deleted = waiting.values.filter { $0.kind == .delete }.compactMap(\.recordName).sorted()
            records += deleted.map { Fleet.Copy(name: $0, values: [], standing: .deleted) }
            return StoreCopy(layout: settings.layout, letterCase: session.store.letterCase, records: records)
        }
    }

    private init(layout: RecordLayout, letterCase: LetterCase, records: [Fleet.Copy]) {
        self.layout = layout
        self.letterCase = letterCase
        self.records = records
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
}
