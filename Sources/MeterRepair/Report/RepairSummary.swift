internal import MeterInspect
package import MeterModel

/// What a repair does to the meters, as far as their owner can tell; it may be several changes, one after the other.
package struct RepairSummary: Sendable {
    package struct Meter: Hashable, Sendable {
        package let address: MACAddress
        /// What it is called afterwards; nil where it has no name.
        package let name: String?
    }

    /// Values of one meter of which it can have only one.
    package struct Choice: Hashable, Sendable {
        package let meter: Meter
        package let field: RecordLayout.Field
        /// What the meter has.
        package let value: FieldValue
        /// Whether the repair kept it; otherwise it was changed since.
        package let isKept: Bool
        /// Those that the meter does not have, each once.
        package fileprivate(set) var discarded: [FieldValue]
    }

    /// Meters that had several records and have one afterwards.
    package private(set) var merged: [Meter] = []
    /// How many records the meter with the fewest and the one with the most had.
    package private(set) var copies: ClosedRange<Int>?
    /// Meters that have the name again that they had in the old app.
    package private(set) var named: [Meter] = []
    /// Meters of which the app shows again what only another of their records had.
    package private(set) var filled: [Meter] = []
    /// Other records that are updated, made or deleted.
    package private(set) var others = 0
    /// Records that are deleted and that lie in somebody else's iCloud.
    package private(set) var sharedDeletions = 0
    /// Meters of which only the record stays that somebody else shares, and that are gone when the sharing ends.
    package private(set) var leftToOthers = 0
    /// Meters that were repaired and that the store no longer has.
    package private(set) var gone = 0
    /// Whether the store is of another version afterwards.
    package private(set) var changesSchema = false
    package private(set) var choices: [Choice] = []
    /// Old names and units that could not be used.
    package private(set) var rejects = 0
}

extension RepairSummary {
    /// Whether it changes no record: only what Core Data keeps beside them.
    package var isOfFileAlone: Bool { merged.isEmpty && named.isEmpty && filled.isEmpty && others == 0 }

    /// - Parameter plans: in the order in which they are carried out.
    package init(_ plans: [Plan]) {
        for plan in plans { add(plan) }
        // First aid and then a rebuild: the second says it all.
        let merged = Set(merged.map(\.address))
        filled.removeAll { merged.contains($0.address) }
    }

    private mutating func add(_ plan: Plan) {
        for meter in plan.meters { add(meter) }
        changesSchema = changesSchema || plan.schemaChanges.contains(where: \.isOfModel)
        addChoices(of: plan)
        rejects += plan.rejects.count
    }

    private mutating func add(_ meter: MeterPlan) {
        let inserted = meter.records.compactMap { if case .insert(let insertion) = $0 { insertion } else { nil } }
        for insertion in inserted { add(insertion, meter.address) }
        let deletions = meter.deletions
        let sharedDeletions = deletions.count { $0.record.cloudRecord?.sharedBy != nil }
        self.sharedDeletions += sharedDeletions
        if meter.winner?.cloudRecord?.sharedBy != nil, sharedDeletions < deletions.count { leftToOthers += 1 }
        guard let address = meter.address else {
            others += meter.records.count - inserted.count
            return
        }
        let named = Meter(address: address, name: meter.nameAfter)
        guard !deletions.isEmpty else {
            guard let update = meter.update else { return }
            guard !update.isFirstAid else {
                filled.append(named)
                return
            }
            let isNamed = update.fields.contains { $0.field.known == .meterName && $0.rule.isLegacy }
            if isNamed, named.name != nil { self.named.append(named) } else { others += 1 }
            return
        }
        merged.append(named)
        let records = deletions.count + 1
        copies = min(copies?.lowerBound ?? records, records)...max(copies?.upperBound ?? records, records)
    }

    private mutating func add(_ insertion: RecordInsertion, _ address: MACAddress?) {
        let name = insertion.fields.first { $0.field.known == .meterName }?.after.text
        guard let address, let name else {
            others += 1
            return
        }
        named.append(Meter(address: address, name: name))
    }

    private mutating func addChoices(of plan: Plan) {
        let names = Dictionary((merged + named).map { ($0.address, $0) }, uniquingKeysWith: { first, _ in first })
        var places: [ChoiceKey: Int] = [:]
        func add(_ address: MACAddress, _ field: RecordLayout.Field, kept: FieldValue, _ value: FieldValue) {
            let key = ChoiceKey(address: address, field: field)
            guard let place = places[key] else {
                places[key] = choices.count
                let meter = names[address] ?? Meter(address: address, name: nil)
                choices.append(Choice(meter: meter, field: field, value: kept, isKept: true, discarded: [value]))
                return
            }
            if !choices[place].discarded.contains(value) { choices[place].discarded.append(value) }
        }
        plan.forEachDiscarded { discarded in
            // What nobody can use is no choice.
            if let known = discarded.field.known, !discarded.value.isUsable(as: known) { return }
            add(discarded.address, discarded.field, kept: discarded.kept, discarded.value)
        }
        for conflict in plan.conflicts {
            // A value of a dump was never in the store.
            for dropped in conflict.dropped where dropped.row == nil {
                add(conflict.address, conflict.field, kept: conflict.kept, dropped.value)
            }
        }
    }

    fileprivate struct ChoiceKey: Hashable {
        let address: MACAddress
        let field: RecordLayout.Field
    }
}

/// What was done is told of the store as it is now: somebody may have renamed or deleted a meter since.
extension RepairSummary {
    /// The meters that it is about.
    var addresses: Set<MACAddress> {
        Set((merged + named + filled).map(\.address)).union(choices.map(\.meter.address))
    }

    /// - Parameter records: what the app shows now, of the meters that are still there.
    func updated(by records: [MACAddress: DeviceSettings]) -> RepairSummary {
        var account = self
        var seen: Set<MACAddress> = []
        func now(_ meters: [Meter], _ isTrue: (Meter, DeviceSettings) -> Bool = { _, _ in true }) -> [Meter] {
            var known: Set<MACAddress> = []
            return meters.filter { known.insert($0.address).inserted }.compactMap { meter in
                guard let record = records[meter.address] else {
                    if seen.insert(meter.address).inserted { account.gone += 1 }
                    return nil
                }
                guard isTrue(meter, record) else {
                    account.others += 1
                    return nil
                }
                return Meter(address: meter.address, name: record.shownName)
            }
        }
        account.merged = now(merged)
        account.named = now(named) { $0.name == $1.shownName }
        account.filled = now(filled) { !$1.isEmpty(.meterName) || !$1.isEmpty(.tc66TemperatureUnit) }
        account.choices = choices(now: records)
        return account
    }

    /// One for each meter and field, whatever repair discarded a value.
    private func choices(now records: [MACAddress: DeviceSettings]) -> [Choice] {
        var choices: [Choice] = []
        var places: [ChoiceKey: Int] = [:]
        for choice in self.choices {
            guard let record = records[choice.meter.address], let position = record.layout.position(of: choice.field)
            else { continue }
            let value = record.values[position]
            let place = places[ChoiceKey(address: choice.meter.address, field: choice.field)]
            var discarded = place.map { choices[$0].discarded } ?? []
            for other in [choice.value] + choice.discarded
            where other != value && !other.isEmpty && !discarded.contains(other) {
                discarded.append(other)
            }
            let meter = Meter(address: choice.meter.address, name: record.shownName)
            let now = Choice(
                meter: meter, field: choice.field, value: value, isKept: choice.value == value, discarded: discarded)
            if let place {
                choices[place] = now
            } else {
                places[ChoiceKey(address: choice.meter.address, field: choice.field)] = choices.count
                choices.append(now)
            }
        }
        return choices.filter { !$0.discarded.isEmpty }
    }
}

extension RecordUpdate {
    /// Whether it only fills what the app shows of a meter: every other change of a record moves its `updatedAt`, too.
    fileprivate var isFirstAid: Bool { fields.allSatisfy { $0.rule == .newestNonEmpty && $0.before.isEmpty } }
}

extension SurvivorshipRule {
    /// Whether the value comes from what the old app kept.
    fileprivate var isLegacy: Bool {
        switch self {
        case .legacyFill, .legacyReplace: true
        case .newestNonEmpty, .fillNull, .canonicalText, .latestLock, .latestDiscovery, .earliest, .now, .newRecord,
            .restored, .unlocked, .byHand, .newIdentity, .unreadable, .understood:
            false
        }
    }
}
