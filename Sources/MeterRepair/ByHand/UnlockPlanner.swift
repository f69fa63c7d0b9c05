internal import CoreDataStore
package import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

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

    /// Whose locks are cleared.
    private struct Locked {
        /// Each with its records.
        var meters: [MeterRecords]
        /// The only one whose locks are cleared; nil for all.
        var device: KnownDevices.Device?
        /// Where two devices have its id, the name of the one that is meant; nil for both, and otherwise.
        var name: String?

        /// Whether a lock is to be cleared.
        func takes(_ lock: ConnectionLock) -> Bool {
            guard let device else { return true }
            return device.holds(lock) && (name == nil || lock.deviceName == name)
        }
    }

    private func locked(in session: MeterSession, _ size: StoreSize) throws -> Locked {
        switch subject {
        case .meter(let address):
            return Locked(meters: [try MeterRecords(of: .meter(address), in: session, size: size)])
        case .heldBy(let word):
            let device = try device(word, in: session)
            var locked = Locked(meters: [], device: device)
            if device.isShared { locked.name = device.names.first { $0.lowercased() == word.lowercased() } }
            var named: [NamedRecords] = []
            var known: Set<NamedRecords> = []
            for record in try session.store.records where record.locks.contains(where: locked.takes) {
                let records = record.usableAddress.map(NamedRecords.meter) ?? .row(record.row)
                if known.insert(records).inserted { named.append(records) }
            }
            locked.meters = try named.map { try MeterRecords(of: $0, in: session, size: size) }
            return locked
        }
    }

    /// Nothing is left to do where no record names the device any more. Another one may now be the only one that its name
    /// fits.
    package func remaining(of plan: Plan, in session: MeterSession) throws -> Plan {
        if case .heldBy(let word) = subject {
            let known = try KnownDevices(inRecordsOf: session.base, most: nil).matches(word)
            let isThere =
                known.count == 1 && known[0].id != nil && (known[0].id == word || known[0].names.contains(word))
            guard isThere else { return Plan(of: try session.size()) }
        }
        return try self.plan(in: session)
    }

    private func device(_ word: String, in session: MeterSession) throws -> KnownDevices.Device {
        let known = try KnownDevices(inRecordsOf: session.base, most: nil)
        let matches = known.matches(word)
        guard let device = matches.first, matches.count == 1 else {
            throw matches.isEmpty
                ? Refusal.noDevice(word, among: known, in: session.store)
                : Refusal.severalDevices(matches, named: word, in: session.store)
        }
        return device
    }

    package func plan(in session: MeterSession) throws -> Plan {
        let store = session.store
        var plan = Plan(of: try session.size())
        let locked = try locked(in: session, plan.size)
        for meter in locked.meters {
            var updates: [(record: DeviceSettings, fields: [FieldChange])] = []
            for record in meter.records where record.hasLock {
                let locks = record.locks.filter(locked.takes)
                for lock in locks where !lock.isExpired(at: store.now) {
                    if lock.isLive(at: store.now) && !force { throw Refusal.liveLock(lock, of: record, in: store) }
                    plan.notes.append(lock.warning(row: record.row))
                }
                let fields =
                    locked.device == nil
                    ? meter.editor.unlocking(record) : locks.flatMap { meter.editor.clearing($0, of: record) }
                guard locked.device == nil || !fields.isEmpty else { continue }
                updates.append((record, meter.editor.stamped(fields, of: record)))
            }
            if let note = orderNote(meter, updates, store) { plan.notes.append(note) }
            if let meterPlan = meter.meterPlan(updating: updates) { plan.meters.append(meterPlan) }
        }
        return plan
    }

    /// A meter's records are merged by `updatedAt`, and clearing a lock moves that: says so where another value of the
    /// user's would come out on top.
    private func orderNote(
        _ meter: MeterRecords, _ updates: [(record: DeviceSettings, fields: [FieldChange])], _ store: InspectedStore
    ) -> Sentence? {
        guard meter.records.count > 1, !updates.isEmpty, let address = meter.address else { return nil }
        let changed = Dictionary(uniqueKeysWithValues: updates.map { ($0.record.row, $0.fields) })
        let after = meter.records.map { record in changed[record.row].map(record.with) ?? record }
        let (before, later) = (
            Merge(rebuilding: meter.records, of: address, in: store).userData,
            Merge(rebuilding: after, of: address, in: store).userData
        )
        let moved = SettingsField.userData.filter { before[$0] != later[$0] }
        guard !moved.isEmpty else { return nil }
        let values = moved.map {
            "\($0.rawValue) \((later[$0] ?? .null).shown) instead of \((before[$0] ?? .null).shown)"
        }
        let name =
            switch subject {
            case .meter: "the meter"
            case .heldBy: "the meter \(address.text(in: store.letterCase))"
            }
        return
            "\(name) has \(meter.records.count) records, and the latest write wins: a rebuild would now keep "
            + "\(Phrase.list(values)); rebuild first to keep the other"
    }
}
