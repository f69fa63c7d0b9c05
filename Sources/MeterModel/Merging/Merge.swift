/// The merge of a meter's records: which one wins, which of its fields change, which values are in conflict.
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
    /// For each loser, the step by which the winner came before it.
    package let advantages: [WinnerStep]

    /// - Parameters:
    ///   - records: all records of the meter at `address`, at least one.
    ///   - chosen: what a person wants kept, where the meter has several records.
    ///   - now: what `updatedAt` becomes, if any other field changes.
    ///   - unsent: records that CloudKit does not have and never gets unless they are written. One of them that is kept
    ///     in the place of others is, or the meter would be gone on all other devices.
    package init(
        of records: [DeviceSettings], at address: MACAddress, in letterCase: LetterCase, policy: WinnerPolicy,
        choosing chosen: [SettingsField: FieldValue] = [:], now: Timestamp, unsent: Set<Int64> = []
    ) {
        precondition(!records.isEmpty, "a group has at least one record")
        let ranked = records.map { (key: WinnerKey($0, policy: policy), record: $0) }
            .sorted { $0.key < $1.key }
        var survivor = Survivor(ranked: ranked.map(\.record), address: address)
        let isSingle = ranked.count == 1
        let holder = isSingle ? nil : survivor.latest(where: { $0.lockedAt != nil }, at: \.lockedAt)
        let witness = isSingle ? nil : survivor.latest(where: { $0.seenAt != nil }, at: \.seenAt)
        for (position, survivorship) in survivor.layout.survivorships.enumerated() {
            // A single record keeps what it has, but for the text of its address.
            guard !isSingle || survivorship == .canonicalText else { continue }
            switch survivorship {
            case .kept, .mark: break
            case .canonicalText: survivor.canonicalise(position, in: letterCase)
            case .userData:
                survivor.keepUserData(position, choosing: survivor.layout.fields[position].known.flatMap { chosen[$0] })
            case .lock: if let holder { survivor.set(position, from: holder, by: .latestLock) }
            case .discovery: if let witness { survivor.set(position, from: witness, by: .latestDiscovery) }
            case .earliest: survivor.keepEarliest(position)
            // Decided after all others.
            case .stamped: break
            case .unknown: survivor.keepOwn(position)
            }
        }
        survivor.stamp(now, isSent: !isSingle && unsent.contains(survivor.winner.row))
        self.address = address
        winner = ranked[0].record
        losers = ranked.dropFirst().map(\.record)
        advantages = ranked.dropFirst().map { ranked[0].key.advantage(over: $0.key) }
        changes = survivor.changes
        conflicts = survivor.conflicts
    }
}

/// The winner while its values are decided.
private struct Survivor {
    /// The winner first.
    let ranked: [DeviceSettings]
    let address: MACAddress
    /// In the order of the layout.
    private var decided: [(position: Int, change: FieldChange)] = []
    var conflicts: [Conflict] = []

    init(ranked: [DeviceSettings], address: MACAddress) {
        self.ranked = ranked
        self.address = address
    }

    var winner: DeviceSettings { ranked[0] }
    var layout: RecordLayout { winner.layout }

    var changes: [FieldChange] { decided.map(\.change) }

    mutating func set(_ position: Int, to value: FieldValue, from donor: Int64?, by rule: SurvivorshipRule) {
        let before = winner.values[position]
        guard before != value else { return }
        let change = FieldChange(
            field: layout.fields[position], before: before, after: value, donor: donor, rule: rule)
        let place = decided.lastIndex { $0.position < position }.map { $0 + 1 } ?? 0
        decided.insert((position, change), at: place)
    }

    /// Takes the value of another record, or the winner's own.
    mutating func set(_ position: Int, from donor: DeviceSettings, by rule: SurvivorshipRule) {
        guard winner.values[position] != donor.values[position] else { return }
        set(position, to: donor.values[position], from: donor.row, by: rule)
    }

    mutating func canonicalise(_ position: Int, in letterCase: LetterCase) {
        set(position, to: .text(address.text(in: letterCase)), from: winner.row, by: .canonicalText)
    }

    /// - Parameter chosen: what a person wants kept; nil to take the newest.
    mutating func keepUserData(_ position: Int, choosing chosen: FieldValue?) {
        let field = layout.fields[position].known
        let donor =
            latest(
                where: { record in field.map { record.values[position].isUsable(as: $0) } ?? false }, at: \.updatedAt)
            ?? latest(
                where: { field?.settable == .unit && $0.values[position].understoodUnit != nil }, at: \.updatedAt)
            ?? latest(where: { !$0.values[position].isEmpty }, at: \.updatedAt)
        guard let chosen, donor?.values[position] != chosen else {
            keep(position, of: donor, by: .newestNonEmpty) { !$0.values[position].isEmpty }
            return
        }
        if let holder = latest(where: { $0.values[position] == chosen }, at: \.updatedAt) {
            keep(position, of: holder, by: .byHand) { !$0.values[position].isEmpty }
        } else {
            let field = layout.fields[position]
            set(position, to: chosen, from: nil, by: .byHand)
            reportDropped(position, for: chosen, of: nil) { record in
                let value = record.values[position]
                return !value.isEmpty && !value.meansTheSame(as: chosen, in: field)
            }
        }
    }

    mutating func keepOwn(_ position: Int) {
        let isNull = winner.values[position].isNull
        let donor = isNull ? latest(where: { !$0.values[position].isNull }, at: \.updatedAt) : winner
        keep(position, of: donor, by: .fillNull) { !$0.values[position].isNull }
    }

    /// Takes the value of `donor` and reports each different value of another record.
    private mutating func keep(
        _ position: Int, of donor: DeviceSettings?, by rule: SurvivorshipRule, where hasValue: (DeviceSettings) -> Bool
    ) {
        guard let donor else { return }
        set(position, from: donor, by: rule)
        let field = layout.fields[position]
        reportDropped(position, for: donor.values[position], of: donor.row) { record in
            guard hasValue(record), record.values[position] != donor.values[position] else { return false }
            // What reads the same is a question to nobody.
            return !field.isUserData || !record.values[position].meansTheSame(as: donor.values[position], in: field)
        }
    }

    /// Reports the values that are dropped for one that is kept.
    private mutating func reportDropped(
        _ position: Int, for kept: @autoclosure () -> FieldValue, of row: Int64?,
        where isDropped: (DeviceSettings) -> Bool
    ) {
        var dropped: [Conflict.Dropped] = []
        for record in ranked where isDropped(record) {
            dropped.append(Conflict.Dropped(value: record.values[position], row: record.row))
        }
        guard !dropped.isEmpty else { return }
        conflicts.append(
            Conflict(
                address: address, field: layout.fields[position], kept: kept(), keptFrom: row, dropped: dropped))
    }

    mutating func keepEarliest(_ position: Int) {
        var earliest: (record: DeviceSettings, moment: Timestamp)?
        for record in ranked {
            guard let moment = record.values[position].timestamp?.ifPlausible else { continue }
            if earliest.map({ moment < $0.moment }) ?? true { earliest = (record, moment) }
        }
        if let earliest { set(position, from: earliest.record, by: .earliest) }
    }

    /// - Parameter isSent: whether the record has to be written, whatever changes in it.
    mutating func stamp(_ now: Timestamp, isSent: Bool) {
        guard let position = layout.position(of: .updatedAt) else { return }
        // A date that counts as none gives way to a real one.
        let isNone = !winner.values[position].isNull && winner.updatedAt == nil
        guard !decided.isEmpty || isSent || isNone && ranked.contains(where: { $0.updatedAt != nil }) else { return }
        set(position, to: .real(now.secondsSince2001), from: nil, by: .now)
    }

    /// The record with the latest date that has a value (a missing date counts as oldest); among equals the first in
    /// the winner's order.
    func latest(
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

/// A field of a record before and after a change, and where the new value comes from.
package struct FieldChange: Hashable, Sendable {
    package let delta: FieldDelta
    /// The row that the value comes from; nil for a value that meterfix made.
    package let donor: Int64?
    package let rule: SurvivorshipRule

    package init(
        field: RecordLayout.Field, before: FieldValue, after: FieldValue, donor: Int64?, rule: SurvivorshipRule
    ) {
        delta = FieldDelta(field, before: before, after: after)
        self.donor = donor
        self.rule = rule
    }

    package var field: RecordLayout.Field { delta.field }
    package var before: FieldValue { delta.before }
    package var after: FieldValue { delta.after }
}

/// Different non-empty values of the same field in a group of records.
package struct Conflict: Hashable, Sendable {
    package struct Dropped: Hashable, Sendable {
        package let value: FieldValue
        /// Nil for a value of a legacy dump.
        package let row: Int64?

        package init(value: FieldValue, row: Int64?) {
            self.value = value
            self.row = row
        }
    }

    package let address: MACAddress
    package let field: RecordLayout.Field
    package let kept: FieldValue
    /// Nil for a value of a legacy dump, and for one that a person chose and no record has.
    package let keptFrom: Int64?
    /// In the winner's order.
    package let dropped: [Dropped]

    package init(
        address: MACAddress, field: RecordLayout.Field, kept: FieldValue, keptFrom: Int64?, dropped: [Dropped]
    ) {
        self.address = address
        self.field = field
        self.kept = kept
        self.keptFrom = keptFrom
        self.dropped = dropped
    }
}
