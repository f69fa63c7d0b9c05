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

    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
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
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
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
    /// Seconds between writing a value and saving it.
    private static let delay = 2.0

    /// A signature in a record: the attribute that has its time, the id of the device, and the time.
    private struct Signature {
        let row: Int64
        let field: String
        let id: String
        let time: Timestamp
    }

    /// Nil where no record says so, or where records disagree.
    fileprivate func ownDevice() throws -> String? {
        guard let history = base.history, let times = try history.times(base.database) else { return nil }
        var ids: Set<String> = []
        var fields = ChangedFields(base.store)
        // By the times, for which Core Data has an index: a long history is not read.
        for signature in try signatures() where !ids.contains(signature.id) {
            let time = signature.time.secondsSince2001
            let span = time - Self.delay...time + Self.delay
            // Most are older than the history, of which Core Data keeps some days.
            guard span.overlaps(times) else { continue }
            try Interruption.check(base.store.path)
            let isSigned = try history.changes(
                ofEntities: settings.numbers, row: signature.row, savedIn: span, base.database
            ).contains { save, change in
                guard CloudKitMirror.Work(save) == nil, save.author != HistoryWriter.author,
                    // A transaction of several records is a repair or an import of old values.
                    try history.changeCount(
                        ofTransaction: save.transaction ?? 0, ofEntities: settings.numbers, base.database) == 1
                else { return false }
                guard change.kind == .update, let columns = change.columns, let number = change.entityNumber else {
                    return true
                }
                return fields.names(in: columns, ofEntity: number)?.contains(signature.field) ?? true
            }
            if isSigned { ids.insert(signature.id) }
        }
        return ids.count == 1 ? ids.first : nil
    }

    private func signatures() throws -> [Signature] {
        var signatures: [Signature] = []
        for record in try base.store.records.prefix(Self.most) {
            func note(_ field: SettingsField, _ id: String?, _ time: Timestamp?) {
                guard let id, !id.isEmpty, let time else { return }
                signatures.append(Signature(row: record.row, field: field.rawValue, id: id, time: time))
            }
            note(.connectedAt, record[.connectedByDeviceID].text, record.timestamp(.connectedAt))
            note(.lastSeenAt, record[.lastSeenByDeviceID].text, record.timestamp(.lastSeenAt))
            note(.connectionMetadata, record.blobLock?.deviceID, record.blobLock?.connectedAt)
            note(.discoveryMetadata, record.blobDiscovery?.deviceID, record.blobDiscovery?.seenAt)
        }
        return signatures
    }
}
