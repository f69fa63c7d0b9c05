internal import MeterInspect
internal import MeterModel

/// What a rebuild makes of the records of some meters; a function of its arguments alone.
struct RebuildOutcome: Sendable {
    private var meters: [MeterPlan] = []
    private var circumstances = RebuildCircumstances()

    /// - Parameter meters: those in need, in the order of addresses, with what CloudKit knows of their records.
    init(
        of meters: [AddressIndex.Meter], in store: InspectedStore, policy: WinnerPolicy, _ chosen: ValueOverrides
    ) {
        for meter in meters {
            let merge = Merge(
                of: meter.records, at: meter.address, in: store.letterCase, policy: policy,
                choosing: chosen[meter.address], now: store.now)
            circumstances.add(merge, in: store.letterCase, now: store.now)
            let plan = MeterPlan(merge)
            if !plan.records.isEmpty { self.meters.append(plan) }
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
