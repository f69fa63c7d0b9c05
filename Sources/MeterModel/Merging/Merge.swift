/// What becomes of the records of one meter: who wins, which of its fields change, which values were in conflict.
///
/// The outcome depends on the records' values only, not on the order they are given in.
package struct Merge: Hashable, Sendable {
    package let address: MACAddress
    package let winner: DeviceSettings
    /// In the winner's order.
    package let losers: [DeviceSettings]
    /// In the order of the record's layout; empty where the winner stays as it is.
    package let changes: [FieldChange]
    package let conflicts: [Conflict]
    /// For each loser, the step in which the winner came before it.
    package let advantages: [WinnerStep]

    /// - Parameters:
    ///   - records: all records of the meter at `address`, at least one.
    ///   - now: what `updatedAt` becomes, if any other field changes.
    package init(
        of records: [DeviceSettings], at address: MACAddress, in letterCase: LetterCase, policy: WinnerPolicy,
        now: Timestamp
    ) {
        precondition(!records.isEmpty, "a group has at least one record")
        let ranked = records.map { (key: WinnerKey($0, policy: policy), record: $0) }
            .sorted { $0.key < $1.key }
        var survivor = Survivor(ranked: ranked.map(\.record), address: address)
        survivor.canonicalise(in: letterCase)
        survivor.keepUserData()
        survivor.takeUnit(SettingsField.lock, rule: .latestLock) { $0.lockedAt }
        survivor.takeUnit(SettingsField.discovery, rule: .latestDiscovery) { $0.seenAt }
        survivor.keepEarliestCreation()
        survivor.fillNulls()
        survivor.stamp(now)
        self.address = address
        winner = ranked[0].record
        losers = ranked.dropFirst().map(\.record)
        advantages = ranked.dropFirst().map { ranked[0].key.advantage(over: $0.key) }
        changes = survivor.changes
        conflicts = survivor.conflicts
    }
}

/// The winner while its values are being decided.
private struct Survivor {
    /// The winner first.
    let ranked: [DeviceSettings]
    let address: MACAddress
    /// In the order they were decided.
    private var decided: [(position: Int, change: FieldChange)] = []
    var conflicts: [Conflict] = []

    init(ranked: [DeviceSettings], address: MACAddress) {
        self.ranked = ranked
        self.address = address
    }

    var winner: DeviceSettings { ranked[0] }
    var layout: RecordLayout { winner.layout }

    var changes: [FieldChange] {
        decided.isEmpty ? [] : decided.sorted { $0.position < $1.position }.map(\.change)
    }

    mutating func set(_ position: Int, to value: FieldValue, from donor: Int64?, by rule: SurvivorshipRule) {
        let before = winner.values[position]
        guard before != value else { return }
        decided.append(
            (
                position,
                FieldChange(
                    field: layout.fields[position], before: before, after: value, donor: donor, rule: rule)
            ))
    }

    /// Takes the value of another record, or the winner's own.
    mutating func set(_ position: Int, from donor: DeviceSettings, by rule: SurvivorshipRule) {
        guard !winner.values.isEqual(position, to: donor.values) else { return }
        set(position, to: donor.values[position], from: donor.row, by: rule)
    }

    mutating func canonicalise(in letterCase: LetterCase) {
        guard let position = layout.position(of: .macAddress) else { return }
        set(position, to: .text(address.text(in: letterCase)), from: winner.row, by: .canonicalText)
    }

    mutating func keepUserData() {
        for field in SettingsField.userData {
            guard let position = layout.position(of: field),
                let donor = latest(where: { !$0.values.isEmpty(position) }, at: { $0.updatedAt })
            else { continue }
            set(position, from: donor, by: .newestNonEmpty)
            var dropped: [Conflict.Dropped] = []
            for record in ranked
            where !record.values.isEmpty(position) && !record.values.isEqual(position, to: donor.values) {
                dropped.append(Conflict.Dropped(value: record.values[position], row: record.row))
            }
            if !dropped.isEmpty {
                conflicts.append(
                    Conflict(
                        address: address, field: layout.fields[position], kept: donor.values[position],
                        keptFrom: donor.row, dropped: dropped))
            }
        }
    }

    /// All fields of a unit from the record with the latest moment; the winner's own where no record has one.
    mutating func takeUnit(
        _ unit: [SettingsField], rule: SurvivorshipRule, at moment: (DeviceSettings) -> Timestamp?
    ) {
        guard let donor = latest(where: { moment($0) != nil }, at: moment) else { return }
        for field in unit {
            if let position = layout.position(of: field) { set(position, from: donor, by: rule) }
        }
    }

    mutating func keepEarliestCreation() {
        guard let position = layout.position(of: .createdAt) else { return }
        var earliest: (record: DeviceSettings, moment: Timestamp)?
        for record in ranked {
            guard let moment = record.createdAt else { continue }
            if earliest.map({ moment < $0.moment }) ?? true { earliest = (record, moment) }
        }
        guard let earliest else { return }
        set(position, from: earliest.record, by: .earliest)
    }

    /// An attribute meterfix does not know keeps the winner's value; a NULL takes the latest one of the others.
    mutating func fillNulls() {
        for position in layout.unknownPositions where winner.values.isNull(position) {
            guard let donor = latest(where: { !$0.values.isNull(position) }, at: { $0.updatedAt }) else { continue }
            set(position, from: donor, by: .fillNull)
        }
    }

    mutating func stamp(_ now: Timestamp) {
        guard !decided.isEmpty, let position = layout.position(of: .updatedAt) else { return }
        set(position, to: .real(now.secondsSince2001), from: nil, by: .now)
    }

    /// The record that can give a value with the latest moment, none being the oldest; of equals the first in the
    /// winner's order.
    private func latest(
        where canGive: (DeviceSettings) -> Bool, at moment: (DeviceSettings) -> Timestamp?
    ) -> DeviceSettings? {
        var best: (record: DeviceSettings, moment: Timestamp?)?
        for record in ranked where canGive(record) {
            let candidate = moment(record)
            guard let current = best else {
                best = (record, candidate)
                continue
            }
            if let candidate, current.moment.map({ $0 < candidate }) ?? true { best = (record, candidate) }
        }
        return best?.record
    }
}
