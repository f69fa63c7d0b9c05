internal import CoreDataStore
internal import GRDB
package import MeterInspect
internal import MeterJournal
package import MeterModel
package import MeterStore

/// Clears the locks of one meter, in each of its records and in each spelling, or all that one device holds.
package struct UnlockPlanner: Planner {
    package let command = WritingCommand.unlock
    let subject: Subject
    /// Also clear a lock whose device is connected right now.
    let force: Bool

    package enum Subject: Hashable, Sendable {
        case meter(MACAddress)
        /// The locks of the device with this id, or of the only one with this name.
        case heldBy(String)
    }

    package init(_ subject: Subject, force: Bool) {
        self.subject = subject
        self.force = force
    }

    package init(_ address: MACAddress, force: Bool) { self.init(.meter(address), force: force) }

    package struct Evidence {
        /// Each with its records.
        fileprivate(set) var meters: [MeterRecords]
        /// The only one whose locks are cleared; nil for all.
        let device: KnownDevices.Device?
        /// Where two devices have its id, the name of the one that is meant; nil for both, and otherwise.
        fileprivate(set) var name: String?
        let size: StoreSize

        /// Whether a lock is to be cleared.
        func takes(_ lock: ConnectionLock) -> Bool {
            guard let device else { return true }
            return device.holds(lock) && (name == nil || lock.deviceName == name)
        }
    }

    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        let database = source.database
        let size = try store.size(settings, database)
        switch subject {
        case .meter(let address):
            let meter = try MeterRecords(of: .meter(address), in: store, settings, size: size, database)
            return Evidence(meters: [meter], device: nil, size: size)
        case .heldBy(let word):
            let device = try device(word, in: store, database)
            var evidence = Evidence(meters: [], device: device, size: size)
            if device.isShared { evidence.name = device.names.first { $0.lowercased() == word.lowercased() } }
            var named: [NamedRecords] = []
            var known: Set<NamedRecords> = []
            try settings.forEachRow(database) { row in
                if row.row & 0x3FF == 0 { try Interruption.check(store.path) }
                guard row.hasLock, row.record.locks.contains(where: evidence.takes) else { return }
                let records = row.record.usableAddress.map(NamedRecords.meter) ?? .row(row.row)
                if known.insert(records).inserted { named.append(records) }
            }
            evidence.meters = try named.map { try MeterRecords(of: $0, in: store, settings, size: size, database) }
            return evidence
        }
    }

    /// Nothing is left to do where no record names the device any more. Another one may now be the only one that its name
    /// fits.
    package func remaining(
        of plan: Plan, in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Plan {
        if case .heldBy(let word) = subject {
            let known = try KnownDevices(inRecordsOf: store, most: nil, source.database).matches(word)
            let isThere =
                known.count == 1 && known[0].id != nil && (known[0].id == word || known[0].names.contains(word))
            guard isThere else { return Plan(changes: [], of: try store.size(settings, source.database)) }
        }
        return try self.plan(for: store, settings, source)
    }

    private func device(
        _ word: String, in store: InspectedStore, _ database: Database
    ) throws -> KnownDevices.Device {
        let known = try KnownDevices(inRecordsOf: store, most: nil, database)
        let matches = known.matches(word)
        guard let device = matches.first, matches.count == 1 else {
            throw matches.isEmpty
                ? Refusal.noDevice(word, among: known, in: store)
                : Refusal.severalDevices(matches, named: word, in: store)
        }
        return device
    }

    package func plan(
        for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence
    ) throws -> Plan {
        var plan = Plan(changes: [], of: evidence.size)
        for meter in evidence.meters {
            var updates: [(record: DeviceSettings, fields: [FieldChange])] = []
            for record in meter.records where record.hasLock {
                let locks = record.locks.filter(evidence.takes)
                for lock in locks where !lock.isExpired(at: store.now) {
                    if lock.isLive(at: store.now) && !force { throw Refusal.liveLock(lock, of: record, in: store) }
                    plan.notes.append(lock.warning(row: record.row))
                }
                let fields =
                    evidence.device == nil
                    ? meter.editor.unlocking(record) : locks.flatMap { meter.editor.clearing($0, of: record) }
                guard evidence.device == nil || !fields.isEmpty else { continue }
                updates.append((record, meter.editor.stamped(fields, of: record)))
            }
            if let note = orderNote(meter, updates, store) { plan.notes.append(note) }
            plan.changes += meter.changes(updating: updates)
        }
        return plan
    }

    /// A meter's records are merged by `updatedAt`, and clearing a lock moves that: says so where another value of the
    /// user's would come out on top.
    private func orderNote(
        _ meter: MeterRecords, _ updates: [(record: DeviceSettings, fields: [FieldChange])], _ store: InspectedStore
    ) -> String? {
        guard meter.records.count > 1, !updates.isEmpty, let address = meter.address else { return nil }
        let changed = Dictionary(uniqueKeysWithValues: updates.map { ($0.record.row, $0.fields) })
        let after = meter.records.map { record in changed[record.row].map(record.with) ?? record }
        let (before, later) = (kept(of: meter.records, address, store), kept(of: after, address, store))
        let moved = SettingsField.userData.filter { before[$0] != later[$0] }
        guard !moved.isEmpty else { return nil }
        let values = moved.map {
            "\($0.rawValue) \((later[$0] ?? .null).shown) instead of \((before[$0] ?? .null).shown)"
        }
        let name = shownName(of: address, in: store)
        return
            "\(name) has \(meter.records.count) records, and the latest write wins: a rebuild would now keep "
            + "\(Phrase.list(values)); rebuild first to keep the other"
    }

    private func shownName(of address: MACAddress, in store: InspectedStore) -> String {
        switch subject {
        case .meter: "the meter"
        case .heldBy: "the meter \(address.text(in: store.letterCase))"
        }
    }

    private func kept(
        of records: [DeviceSettings], _ address: MACAddress, _ store: InspectedStore
    ) -> [SettingsField: FieldValue] {
        Merge(rebuilding: records, of: address, in: store).userData
    }
}
