internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterStore

extension ImportPlanner {
    /// Fills the empty fields of the record that a rebuild would keep.
    ///
    /// Where a meter has several records, a field is empty only if all of them have none. The kept record then also
    /// takes what the others know better, as the rebuild would give it: its `updatedAt` becomes the latest, and a name
    /// of its own that is older than another record's would come out as the newest one. For the same reason a value of
    /// its own that replaces another record's is a reason to touch it, though it stays as it is.
    func fill(_ records: [DeviceSettings], from legacy: LegacyMeter, _ context: Context) -> MeterPlan {
        var winner = records[0]
        /// What a rebuild would take from other records.
        var merged: [SettingsField: FieldChange] = [:]
        if records.count > 1 {
            let merge = Merge(
                of: records, at: legacy.address, in: context.letterCase, policy: .mostComplete, now: context.now)
            winner = merge.winner
            for change in merge.changes where change.rule == .newestNonEmpty {
                if let known = change.field.known { merged[known] = change }
            }
        }
        var changes: [SettingsField: FieldChange] = [:]
        var conflicts: [Conflict] = []
        /// Fields in which the record has the dump's value already, and another one's would win the rebuild.
        var upheld: Set<SettingsField> = []
        for (field, value) in legacy.values {
            guard let position = context.layout.position(of: field) else { continue }
            let current = merged[field]?.after ?? winner.values[position]
            let holder = merged[field]?.donor ?? winner.row
            // What reads the same is nothing to ask about.
            guard !current.readsLike(value) else { continue }
            let replaces = !current.isEmpty
            let policy = current.isUsable(as: field) ? policy : .replace
            if replaces {
                conflicts.append(
                    Conflict(
                        address: legacy.address, field: context.layout.fields[position],
                        kept: policy == .keep ? current : value, keptFrom: policy == .keep ? holder : nil,
                        dropped: [policy == .keep ? .init(value: value, row: nil) : .init(value: current, row: holder)])
                )
                if policy == .keep { continue }
            }
            guard winner.values[position] != value else {
                upheld.insert(field)
                continue
            }
            changes[field] = FieldChange(
                field: context.layout.fields[position], before: winner.values[position], after: value, donor: nil,
                rule: replaces ? .legacyReplace : .legacyFill)
        }
        guard !changes.isEmpty || !upheld.isEmpty else {
            return MeterPlan(legacy.address, [], conflicts: conflicts)
        }
        for field in SettingsField.userData where changes[field] == nil && !upheld.contains(field) {
            if let change = merged[field] { changes[field] = change }
        }
        if let position = context.layout.position(of: .updatedAt) {
            // A clock in the future beside it must not win the rebuild over what is written now.
            let latest = records.count > 1 ? records.compactMap(\.updatedAt).max() : nil
            let moment = FieldValue.real(max(context.now, latest ?? context.now).secondsSince2001)
            if winner.values[position] != moment {
                changes[.updatedAt] = FieldChange(
                    field: context.layout.fields[position], before: winner.values[position], after: moment, donor: nil,
                    rule: .now)
            }
        }
        let update = RecordUpdate(of: winner, SettingsField.allCases.compactMap { changes[$0] })
        return MeterPlan(legacy.address, [.update(update)], conflicts: conflicts)
    }

    /// A new record: identity, address, dates and the dump's values.
    func insertion(of legacy: LegacyMeter, row: Int64, _ context: inout Context) -> RecordInsertion {
        let moment = FieldValue.real(context.now.secondsSince2001)
        var values: [SettingsField: FieldValue] = [
            .id: .blob(context.identities.identity(of: legacy.address)),
            .macAddress: .text(legacy.address.text(in: context.letterCase)), .createdAt: moment, .updatedAt: moment,
        ]
        for (field, value) in legacy.values { values[field] = value }
        let fields = context.layout.fields.compactMap { field in
            field.known.flatMap { values[$0] }.map { value in
                FieldChange(
                    field: field, before: .null, after: value, donor: nil,
                    rule: field.isUserData ? .legacyFill : .newRecord)
            }
        }
        return RecordInsertion(row: row, fields: fields)
    }
}

extension LegacyMeter {
    /// Whether a record has the values to import.
    func isHeld(by record: DeviceSettings) -> Bool {
        LegacyDictionary.allCases.allSatisfy { dictionary in
            value(of: dictionary).map { record.layout.has(dictionary.field) && record[dictionary.field] == $0 } ?? true
        }
    }

    func value(of dictionary: LegacyDictionary) -> FieldValue? {
        switch dictionary {
        case .meterNames: name.map { .text($0.value) }
        case .temperatureUnits: unit.map { .text($0.value.rawValue) }
        }
    }

    /// The values to import and where they go.
    var values: [(SettingsField, FieldValue)] {
        LegacyDictionary.allCases.compactMap { dictionary in value(of: dictionary).map { (dictionary.field, $0) } }
    }
}

/// Addresses of the dump that look like a mistyped address of the store.
extension ImportPlanner {
    /// A meter of the dump that gets a new record, and the meters of the store without a name that its address may
    /// mean.
    struct Slip {
        let meter: LegacyMeter
        let meant: [AddressIndex.Meter]
    }

    /// How many new records are looked at: nobody types more addresses by hand, and each has nearly 200 neighbours.
    private static let most = 1_000

    /// - Parameter rowCounts: how many rows the store has of each meter of the dump.
    func slips(in session: MeterSession, rowCounts: [Int]) -> [Slip] {
        guard (1...Self.most).contains(rowCounts.count { $0 == 0 }) else { return [] }
        let new = zip(values.meters, rowCounts).filter { $0.1 == 0 }.map(\.0)
        // A meter that the dump has too gets its own name.
        let known = leftOut.union(values.meters.map(\.address))
        var slips: [Slip] = []
        for meter in new {
            let meant = meter.address.slips.filter { !known.contains($0) }.sorted()
                .map { AddressIndex.Meter(address: $0, records: session.store.addresses.records(of: $0)) }
                .filter { !$0.records.isEmpty }
            if !meant.isEmpty { slips.append(Slip(meter: meter, meant: meant)) }
        }
        return slips.compactMap { slip in
            let nameless = slip.meant.filter { $0.records.allSatisfy { $0.isEmpty(.meterName) } }
            return nameless.isEmpty ? nil : Slip(meter: slip.meter, meant: nameless)
        }
    }
}

/// Addresses of the dump that are an address of the store from the end to the beginning.
extension ImportPlanner {
    /// - Parameter rowCounts: how many rows the store has of each meter of the dump.
    func reversed(in store: InspectedStore, rowCounts: [Int]) -> [DoubtfulMeter] {
        zip(values.meters, rowCounts).compactMap { meter, count in
            let other = meter.address.reversed
            guard count == 0, other != meter.address, !store.addresses.rows(of: other).isEmpty else { return nil }
            return DoubtfulMeter(meter.address, looksLike: other, .reversed)
        }
    }

    /// For a person, who alone can tell.
    static func sentence(about doubt: DoubtfulMeter, in letterCase: LetterCase) -> Sentence {
        "the dump's \(doubt.address.text(in: letterCase)) gets a new record; it is "
            + "\(doubt.other.text(in: letterCase)) of the store with its bytes in reverse: if that meter is meant, correct "
            + "the address there first"
    }
}

/// Keys of the dump that are no addresses, and look like one of the store.
extension ImportPlanner {
    /// A key that is rejected, and the meter of the store that it nearly is.
    struct Guess {
        let key: String
        let meant: NearMeter
    }

    /// How many keys are looked at, and how many of them are told of.
    private static let mostGuesses = (looked: 1_000, told: 20)

    /// - Throws: SQLite's errors.
    func guesses(in session: MeterSession) throws -> [Guess] {
        var keys: [String] = []
        for reject in values.rejects.prefix(Self.mostGuesses.looked) where reject.reason == .badAddress {
            if !keys.contains(reject.key) { keys.append(reject.key) }
        }
        var guesses: [Guess] = []
        for key in keys where guesses.count < Self.mostGuesses.told {
            let meant = MACAddress.guesses(from: key).filter { !session.store.addresses.rows(of: $0).isEmpty }
                .sorted()
            guard let address = meant.first, meant.count == 1 else { continue }
            guesses.append(Guess(key: key, meant: NearMeter(at: address, in: session)))
        }
        return guesses
    }
}

extension ImportPlanner.Guess {
    func sentence(in letterCase: LetterCase) -> Sentence {
        "\"\(key)\" is not an address; did you mean \(meant.text(in: letterCase))? correct it and import it again"
    }
}

extension DeviceSettings {
    /// The type of a meter that shows no temperature; nil for a TC66, and where the type is not known.
    var typeWithoutUnit: String? {
        guard !isEmpty(.modelType), let type = self[.modelType].text,
            !WhiteSpace.trimmed(type).uppercased().hasPrefix("TC66")
        else { return nil }
        return WhiteSpace.trimmed(type)
    }
}

extension ImportPlanner.Slip {
    var doubts: [DoubtfulMeter] { meant.map { DoubtfulMeter(meter.address, looksLike: $0.address, .slip) } }

    /// For a person, who alone can tell.
    func sentence(in letterCase: LetterCase) -> Sentence {
        let value = meter.name.map { " (\"\($0.value)\")" } ?? ""
        let meters = meant.map { meter in
            let rows = meter.rows.count == 1 ? "row" : "rows"
            return "\(meter.address.text(in: letterCase)) "
                + "(\(rows) \(Phrase.list(meter.rows.map(String.init))))"
        }
        let others =
            meters.count == 1
            ? "\(meters[0]), which has no name, differs"
            : "\(Phrase.start(of: meters, limit: 3)), which have no name, differ"
        return
            "the dump's \(meter.address.text(in: letterCase))\(value) gets a new record; \(others) from it only by a "
            + "digit or by two that changed places: if the dump is mistyped, correct the address there first"
    }
}
