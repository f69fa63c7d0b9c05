internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// What a rebuild makes of the records of some meters; a function of its arguments alone.
struct RebuildOutcome: Sendable {
    private var meters: [MeterPlan] = []
    private var circumstances = RebuildCircumstances()

    /// Reads the records of some meters and merges them, so that only what changes is kept.
    /// - Parameter meters: those in need, in the order of addresses.
    /// - Throws: SQLite's errors.
    static func reading(
        _ meters: [AddressIndex.Meter], in session: MeterSession, policy: WinnerPolicy, _ chosen: ValueOverrides
    ) throws -> RebuildOutcome {
        let store = session.store
        WorkProgress.expect(meters.reduce(0) { $0 + $1.rows.count }, in: .planning)
        // What the mirror knows need not be read then.
        guard !meters.isEmpty else { return RebuildOutcome() }
        var outcome = RebuildOutcome()
        // An array that grows by doubling may be twice as large as needed.
        outcome.meters.reserveCapacity(meters.count)
        try session.forEachPart(of: meters[...]) { groups in
            outcome.add(groups, in: store, policy: policy, chosen)
        }
        return outcome
    }

    private mutating func add(
        _ groups: [(address: MACAddress, records: [DeviceSettings])], in store: InspectedStore, policy: WinnerPolicy,
        _ chosen: ValueOverrides
    ) {
        for group in groups where !group.records.isEmpty {
            let merge = Merge(
                of: group.records, at: group.address, in: store.letterCase, policy: policy,
                choosing: chosen[group.address], now: store.now)
            circumstances.add(merge, in: store.letterCase, now: store.now)
            let meter = MeterPlan(merge)
            if !meter.records.isEmpty { meters.append(meter) }
        }
    }

    /// - Parameters:
    ///   - marker: the version the store claims to have been rebuilt to.
    ///   - mayOpen: whether nothing forbids to open the app.
    func plan(of size: StoreSize, marker: Int64?, mayOpen: () throws -> Bool = { true }) rethrows -> Plan {
        var plan = Plan(meters: meters, of: size)
        guard !plan.isEmpty else { return plan }
        // The marker goes with a change; alone it would be a write for nothing. It is never lowered.
        if let change = RebuildMarker.change(from: marker) { plan.metadataChanges.append(change) }
        plan.notes += try circumstances.sentences(mayOpen: mayOpen)
        if let marker, marker > RebuildMarker.current {
            plan.notes.append(
                "the marker \(RebuildMarker.key) is \(marker), from a later rebuild than this one, and is kept")
        }
        return plan
    }
}
