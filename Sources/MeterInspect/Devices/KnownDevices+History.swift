package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

extension KnownDevices {
    /// Reads everything that stores say of devices.
    /// - Parameter preferences: the app's own, of the device that the one store is of.
    /// - Throws: `StoreError`; `unsuitable` for a store without records of meters.
    package static func of(
        _ paths: [String], preferences: AppPreferences? = nil, now: Timestamp
    ) throws(StoreError) -> KnownDevices {
        var known = KnownDevices()
        for path in paths {
            try MeterSession.look(at: path, now: now) { try known.add($0, preferences: preferences) }
        }
        return known
    }

    package mutating func add(_ session: MeterSession, preferences: AppPreferences? = nil) throws {
        try read(session.base, most: nil)
        let named = devices.compactMap(\.id).filter { preferences?.texts.contains($0) ?? false }
        named.forEach { confirm($0) }
        let signed = try session.ownDevice()
        let own = named.count == 1 ? named[0] : named.isEmpty ? signed : nil
        add(try copy(of: session.base), ofDevice: own, alerts: try session.base.alerts())
    }

    /// The same of a store that is open, without what its device did: as many records are read, and as much of the
    /// history, as it takes to name the devices.
    package init(of session: MeterSession) throws {
        try self.init(inRecordsOf: session.base)
        add(Copy(path: session.store.path), ofDevice: try session.ownDevice(), alerts: [])
    }

    private func copy(of session: Session) throws -> Copy {
        var copy = Copy(path: session.store.path)
        try session.history?.forEachSave(session.database) { save, _ in
            let time = save.time.map(Timestamp.init(secondsSince2001:))
            switch CloudKitMirror.Work(save) {
            case .import?: copy.lastImport = time ?? copy.lastImport
            case .export?, .reset?, .migration?, .setup?, .event?: break
            case nil where save.author == HistoryWriter.author || save.isMigration: break
            case nil:
                copy.transactions += 1
                copy.lastTransaction = time ?? copy.lastTransaction
                let program = save.process ?? save.bundle
                if let program, copy.programs.count < Self.mostPrograms, !copy.programs.contains(program) {
                    copy.programs.append(program)
                }
            }
        }
        for series in try session.mirror?.eventSeries(session.database) ?? [] {
            guard let end = series.lastSuccess?.endedAt.map(Timestamp.init(secondsSince2001:)) else { continue }
            if series.kind == CloudKitMirror.Event.Kind.export.rawValue { copy.lastUpload = end }
            if series.kind == CloudKitMirror.Event.Kind.import.rawValue {
                copy.lastImport = max(copy.lastImport ?? end, end)
            }
        }
        return copy
    }

    private static let mostPrograms = 8
}

/// Which device a store is of. The app signs what it writes: a lock or a discovery that it saved here itself, at
/// the very time that the record has for it, was made on this device. What it copied from another record is older than
/// its transaction, and what other devices wrote comes by an import.
extension MeterSession {
    private static let most = 10_000
    /// Changes that are read, the last ones: a device signs every few minutes while a meter is near.
    private static let mostChanges = 200_000
    /// All that is read was read.
    private struct Enough: Error {}
    /// Seconds between writing a value and saving it.
    private static let delay = 2.0

    /// A signature in a record: the attribute that has its time, the id of the device, and the time.
    private typealias Signature = (field: String, id: String, time: Timestamp)

    /// Nil where no record says so, or where records disagree.
    fileprivate func ownDevice() throws -> String? {
        guard let history = base.history else { return nil }
        var signatures = try signatures()
        var ids: Set<String> = []
        var fields = ChangedFields(base.store)
        var last: (save: PersistentHistory.Save, changes: [PersistentHistory.LoggedChange])?
        func finish() {
            guard let (save, changes) = last else { return }
            // A transaction of several records is a repair or an import of old values.
            let isSigned = changes.count == 1 && CloudKitMirror.Work(save) == nil && save.author != HistoryWriter.author
            for change in changes {
                guard let row = change.row, let known = signatures[row] else { continue }
                var changed: [String]?
                if change.kind == .update, let columns = change.columns, let number = change.entityNumber {
                    changed = fields.names(in: columns, ofEntity: number)
                }
                // What an earlier transaction wrote.
                var older: [Signature] = []
                for signature in known {
                    guard changed?.contains(signature.field) ?? true else {
                        older.append(signature)
                        continue
                    }
                    guard isSigned, let time = save.time, abs(signature.time.secondsSince2001 - time) <= Self.delay
                    else { continue }
                    ids.insert(signature.id)
                }
                signatures[row] = older.isEmpty ? nil : older
            }
            last = nil
        }
        var count = 0
        func visit(_ row: PersistentHistory.ChangeRow) throws {
            count += 1
            if count & 0x3FFF == 0 { try Interruption.check(base.store.path) }
            guard !signatures.isEmpty, count <= Self.mostChanges else { throw Enough() }
            let save = try row.save()
            if last?.save != save { finish() }
            if last == nil { last = (save, []) }
            // One of many says as little as all of them.
            if last!.changes.count < 2 || signatures[row.objectRow ?? 0] != nil { last!.changes.append(row.change) }
        }
        do { try history.forEachChange(ofEntities: settings.numbers, base.database, visit) } catch is Enough {}
        finish()
        return ids.count == 1 ? ids.first : nil
    }

    private func signatures() throws -> [Int64: [Signature]] {
        var signatures: [Int64: [Signature]] = [:]
        for record in try base.store.records.prefix(Self.most) {
            func note(_ field: SettingsField, _ id: String?, _ time: Timestamp?) {
                guard let id, !id.isEmpty, let time else { return }
                signatures[record.row, default: []].append((field.rawValue, id, time))
            }
            note(.connectedAt, record[.connectedByDeviceID].text, record.timestamp(.connectedAt))
            note(.lastSeenAt, record[.lastSeenByDeviceID].text, record.timestamp(.lastSeenAt))
            note(.connectionMetadata, record.blobLock?.deviceID, record.blobLock?.connectedAt)
            if case .value(let seen) = record.discoveryBlob { note(.discoveryMetadata, seen.deviceID, seen.seenAt) }
        }
        return signatures
    }
}
