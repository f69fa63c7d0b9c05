internal import CoreDataStore
internal import MeterModel

extension ImportPlanner {
    /// What an import does to the records of one meter.
    struct Outcome {
        var update: RecordUpdate?
        var isMirrored: Bool
        var conflicts: [Conflict]
    }

    /// Fills the empty fields of the record that a rebuild would keep.
    ///
    /// Where a meter has several records, a field is empty only if all of them have none. The kept record then also
    /// takes what the others know better, as the rebuild would give it: its `updatedAt` becomes the latest, and a name
    /// of its own that is older than another record's would come out as the newest one. For the same reason a value of
    /// its own that replaces another record's is a reason to touch it, though it stays as it is.
    func fill(_ records: [DeviceSettings], from legacy: LegacyMeter, _ context: Context) -> Outcome {
        let merge = Merge(
            of: records, at: legacy.address, in: context.letterCase, policy: .mostComplete, now: context.now)
        let winner = merge.winner
        let merged = Dictionary(
            merge.changes.filter { $0.rule == .newestNonEmpty }.map { ($0.field.known, $0) },
            uniquingKeysWith: { first, _ in first })
        var changes: [SettingsField: FieldChange] = [:]
        var conflicts: [Conflict] = []
        /// Fields in which the record has the dump's value already, and another one's would win the rebuild.
        var upheld: Set<SettingsField> = []
        for (field, value) in legacy.values {
            guard let position = context.layout.position(of: field) else { continue }
            let current = merged[field]?.after ?? winner.values[position]
            let holder = merged[field]?.donor ?? winner.row
            guard current != value else { continue }
            let replaces = !current.isEmpty
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
            return Outcome(update: nil, isMirrored: winner.cloudRecord != nil, conflicts: conflicts)
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
        return Outcome(
            update: RecordUpdate(
                row: winner.row, address: legacy.address, cloudRecord: winner.cloudRecord?.name,
                fields: SettingsField.allCases.compactMap { changes[$0] }),
            isMirrored: winner.cloudRecord != nil, conflicts: conflicts)
    }

    /// A new record: identity, address, dates and the dump's values.
    func insertion(of legacy: LegacyMeter, _ context: inout Context) -> RecordInsertion {
        let now = FieldValue.real(context.now.secondsSince2001)
        let mac = legacy.address.text(in: .upper)
        let id = NameBasedUUID.bytes(of: Array("\(context.storeUUID) \(mac) \(context.now)".utf8))
        var values: [SettingsField: FieldValue] = [
            .id: .blob(id), .macAddress: .text(legacy.address.text(in: context.letterCase)), .createdAt: now,
            .updatedAt: now,
        ]
        for (field, value) in legacy.values { values[field] = value }
        let fields = context.layout.fields.compactMap { field -> FieldChange? in
            guard let known = field.known, let value = values[known] else { return nil }
            let isLegacy = SettingsField.userData.contains(known)
            return FieldChange(
                field: field, before: .null, after: value, donor: nil, rule: isLegacy ? .legacyFill : .newRecord)
        }
        defer { context.nextRow &+= 1 }
        return RecordInsertion(row: context.nextRow, address: legacy.address, fields: fields)
    }
}

extension LegacyMeter {
    /// The values to import and where they go.
    fileprivate var values: [(SettingsField, FieldValue)] {
        var values: [(SettingsField, FieldValue)] = []
        if let name { values.append((LegacyDictionary.meterNames.field, .text(name.value))) }
        if let unit { values.append((LegacyDictionary.temperatureUnits.field, .text(unit.value.rawValue))) }
        return values
    }
}
