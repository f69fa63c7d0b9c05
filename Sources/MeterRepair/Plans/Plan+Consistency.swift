internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

extension Plan {
    /// Whether the plan says one thing, and nothing that no planner says. What a reviewer takes out or rewrites leaves
    /// a good plan, as long as all of it fits together.
    /// - Parameters:
    ///   - records: that the plan updates, deletes and merges others into, as they are before it; by row number.
    ///   - places: the lines of its changes and of its conflicts.
    /// - Throws: `PlanError` for the first thing that does not.
    func checkConsistency(
        _ context: PlanContext, _ records: [Int64: DeviceSettings], _ places: (changes: [Int], conflicts: [Int])
    ) throws(PlanError) {
        var check = PlanConsistency(self, context, records, places)
        try check.run()
    }
}

/// The check of one plan.
private struct PlanConsistency {
    private let plan: Plan
    private let context: PlanContext
    private let records: [Int64: DeviceSettings]
    private let places: (changes: [Int], conflicts: [Int])
    private let updates: [Int64: RecordUpdate]
    /// Which change is of each row.
    private var changes: [Int64: Int] = [:]
    /// Values that were given up, by row and field.
    private var dropped: [Int64: Set<String>] = [:]

    init(
        _ plan: Plan, _ context: PlanContext, _ records: [Int64: DeviceSettings],
        _ places: (changes: [Int], conflicts: [Int])
    ) {
        self.plan = plan
        self.context = context
        self.records = records
        self.places = places
        var updates: [Int64: RecordUpdate] = [:]
        for case .update(let update) in plan.changes { updates[update.row] = update }
        self.updates = updates
        for conflict in plan.conflicts {
            for value in conflict.dropped {
                if let row = value.row { dropped[row, default: []].insert(conflict.field.name) }
            }
        }
    }

    private func place(_ index: Int) -> PlanPlace { .line(places.changes[index]) }

    mutating func run() throws(PlanError) {
        var keys: Set<String> = []
        var inserted: Set<MACAddress> = []
        var gone: Set<CloudKitMirror.Object> = []
        for (index, change) in plan.changes.enumerated() {
            switch change {
            case .update(let update): try claim(update.row, index)
            case .delete(let deletion): try claim(deletion.record.row, index)
            case .cloudDelete(let deletion):
                guard gone.insert(deletion.object).inserted else {
                    throw PlanError(
                        at: .member(place(index), "row"), "row \(deletion.row) of \(deletion.entity) is deleted twice")
                }
            case .insert(let insertion):
                try claim(insertion.row, index)
                guard let address = insertion.address else {
                    throw PlanError(at: .member(place(index), "mac"), "a new record is of a meter")
                }
                guard inserted.insert(address).inserted else {
                    throw PlanError(at: .member(place(index), "mac"), "a second new record of this meter")
                }
            case .schema: break
            case .metadata(let change):
                guard keys.insert(change.key).inserted else {
                    throw PlanError(at: .member(place(index), "key"), "`\(change.key)` is changed twice")
                }
            }
        }
        var merged: Set<Int64> = []
        for (index, change) in plan.changes.enumerated() {
            switch change {
            case .update(let update): try check(update, at: place(index))
            case .delete(let deletion):
                try check(deletion, at: place(index))
                if let merger = deletion.merger { merged.insert(merger.survivor.row) }
            case .insert(let insertion): try check(insertion, at: place(index))
            case .cloudDelete, .schema: break
            case .metadata(let change): try check(change, at: place(index))
            }
        }
        if let row = records.keys.filter({ changes[$0] == nil && !merged.contains($0) }).min() {
            throw PlanError(at: .file, "no change is about row \(row), whose record has a line")
        }
        try checkConflicts()
    }

    private mutating func claim(_ row: Int64, _ index: Int) throws(PlanError) {
        if let first = changes.updateValue(index, forKey: row) {
            throw PlanError(at: .member(place(index), "row"), "row \(row) is changed by \(place(first)) already")
        }
    }

    // MARK: - Records

    private func check(_ update: RecordUpdate, at place: PlanPlace) throws(PlanError) {
        guard !update.fields.isEmpty else { throw PlanError(at: .member(place, "fields"), "no field is changed") }
        guard let record = records[update.row] else {
            throw PlanError(at: .member(place, "row"), "no line has the record of row \(update.row)")
        }
        guard record.usableAddress == update.address else {
            throw PlanError(at: .member(place, "mac"), "row \(update.row) is not a record of this meter")
        }
        var names: Set<String> = []
        for (index, change) in update.fields.enumerated() {
            let place = PlanPlace.element(.member(place, "fields"), index)
            guard names.insert(change.field.name).inserted else {
                throw PlanError(at: .member(place, "name"), "`\(change.field.name)` is changed twice")
            }
            try check(change, of: update.address, at: place)
            guard ![.newRecord, .restored].contains(change.rule) else {
                throw PlanError(at: .member(place, "rule"), "this record is not new")
            }
            guard change.before != change.after else {
                throw PlanError(at: .member(place, "after"), "the same value as before")
            }
            guard context.layout.position(named: change.field.name).map({ record.values[$0] }) == change.before else {
                throw PlanError(at: .member(place, "before"), "the record of row \(update.row) has another value")
            }
        }
        if let change = update.fields.first(where: { $0.rule == .unreadable && !record.isUnreadable($0.field) }) {
            throw PlanError(at: .member(place, "fields"), "`\(change.field.name)` of row \(update.row) can be read")
        }
        guard record.cloudRecord?.name == update.cloudRecord else {
            throw PlanError(at: .member(place, "cloudRecord"), "the record of row \(update.row) has another one")
        }
    }

    private func check(_ insertion: RecordInsertion, at place: PlanPlace) throws(PlanError) {
        var names: Set<String> = []
        for (index, change) in insertion.fields.enumerated() {
            let place = PlanPlace.element(.member(place, "fields"), index)
            guard names.insert(change.field.name).inserted else {
                throw PlanError(at: .member(place, "name"), "duplicate field `\(change.field.name)`")
            }
            try check(change, of: insertion.address, at: place)
            guard [.newRecord, .legacyFill, .restored].contains(change.rule) else {
                throw PlanError(at: .member(place, "rule"), "no rule for a new record")
            }
        }
        guard names.contains(SettingsField.macAddress.rawValue) else {
            throw PlanError(at: .member(place, "fields"), "a new record without `macAddress`")
        }
    }

    private func check(_ deletion: RecordDeletion, at place: PlanPlace) throws(PlanError) {
        let row = deletion.record.row
        guard let survivor = deletion.merger?.survivor else {
            guard deletion.record.usableAddress == deletion.address else {
                throw PlanError(at: .member(place, "row"), "row \(row) is not a record of this meter")
            }
            return
        }
        if let index = changes[survivor.row], case .delete = plan.changes[index] {
            throw PlanError(at: .member(place, "mergedInto"), "row \(survivor.row) is deleted itself")
        }
        guard survivor.row != row, changes[survivor.row] == nil || updates[survivor.row] != nil else {
            throw PlanError(at: .member(place, "mergedInto"), "row \(survivor.row) is not there before the plan")
        }
        for (record, key) in [(deletion.record, "row"), (survivor, "mergedInto")] {
            guard record.usableAddress == deletion.address else {
                throw PlanError(at: .member(place, key), "row \(record.row) is not a record of this meter")
            }
        }
        let update = updates[survivor.row]
        guard update == nil || update?.address == deletion.address else {
            throw PlanError(at: .member(place, "mac"), "the update of row \(survivor.row) has another address")
        }
        // What the user typed, and what meterfix does not know, lives on in the record that is kept, or is named as given
        // up. A NULL of that record is no reason to give up anything.
        for (position, field) in context.layout.fields.enumerated() where field.survivorship.reportsConflicts {
            let values = deletion.record.values
            let isNothing = field.known == nil ? values.isNull(position) : values.isEmpty(position)
            guard !isNothing, values[position] != survivor.values[position],
                update?.fields.contains(where: { $0.field == field }) != true
            else { continue }
            if field.known == nil, survivor.values.isNull(position) {
                throw PlanError(
                    at: place,
                    "`\(field.name)` of row \(row) would be lost: row \(survivor.row) has none and does not take it")
            }
            guard dropped[row]?.contains(field.name) == true else {
                throw PlanError(
                    at: place,
                    "`\(field.name)` of row \(row) would be lost: row \(survivor.row) does not take it, and no conflict "
                        + "names it")
            }
        }
    }

    // MARK: - Fields

    /// - Parameter address: of the meter; nil for a record without a usable one.
    private func check(_ change: FieldChange, of address: MACAddress?, at place: PlanPlace) throws(PlanError) {
        guard change.rule.decides(change.field) else {
            throw PlanError(
                at: .member(place, "rule"), "`\(change.rule.rawValue)` does not decide `\(change.field.name)`")
        }
        guard change.rule.hasDonor == (change.donor != nil) else {
            throw PlanError(
                at: .member(place, "fromRow"),
                change.rule.hasDonor
                    ? "the row whose value it is, is missing" : "`\(change.rule.rawValue)` takes no row's value")
        }
        let after = PlanPlace.member(place, "after")
        // A restored value is one that the app stored once, whatever it is.
        guard change.rule == .restored || change.after.fits(change.field.kind) || isStored(change.after, change.field)
        else {
            throw PlanError(at: after, "`\(change.field.name)` holds values of the kind \(change.field.kind.rawValue)")
        }
        switch change.rule {
        case .newestNonEmpty, .legacyFill, .legacyReplace:
            guard !change.after.isEmpty else { throw PlanError(at: after, "an empty value takes no other one's place") }
        case .fillNull:
            guard change.before.isNull, !change.after.isNull else {
                throw PlanError(at: place, "`fill-null` puts a value in the place of NULL")
            }
        case .now, .earliest:
            guard change.after.timestamp != nil else { throw PlanError(at: after, "not a date") }
        case .unlocked, .unreadable:
            guard change.after.isNull else { throw PlanError(at: after, "`\(change.rule.rawValue)` only clears") }
        case .understood:
            guard let unit = change.before.text.flatMap(TemperatureUnit.init(understanding:)),
                change.after == .text(unit.rawValue)
            else { throw PlanError(at: after, "not the unit that was there") }
        case .byHand:
            guard change.after.isAcceptable(as: change.field) else {
                throw PlanError(at: after, "not a value that `set` gives `\(change.field.name)`")
            }
        case .canonicalText, .latestLock, .latestDiscovery, .newRecord, .restored, .newIdentity: break
        }
        guard change.field.known == .macAddress else { return }
        // Checked by the rule: the record gets the address of another meter, or its first one.
        let address = change.rule == .byHand ? change.after.text.flatMap(MACAddress.parse)?.0 : address
        guard let address else {
            throw PlanError(at: place, "a record without a usable address gets none by this rule")
        }
        if change.rule == .restored, change.after.text.flatMap(MACAddress.parse)?.0 == address { return }
        guard change.after == .text(address.text(in: context.letterCase)) else {
            throw PlanError(at: after, "not `\(address.text(in: context.letterCase))`, the address of this meter")
        }
    }

    /// A value that one of the plan's records has there may be moved to another one, whatever it is.
    private func isStored(_ value: FieldValue, _ field: RecordLayout.Field) -> Bool {
        guard let position = context.layout.position(named: field.name) else { return false }
        return records.values.contains { $0.values[position] == value }
    }

    // MARK: - The rest

    private func check(_ change: MetadataChange, at place: PlanPlace) throws(PlanError) {
        let isGood =
            switch (change.key, change.after) {
            case (RebuildMarker.key, .number(RebuildMarker.current)), (LegacyImportMarker.key, .legacyImport): true
            case ("NSStoreModelVersionHashes", .hashes), ("NSStoreModelVersionIdentifiers", .texts): true
            case ("NSStoreModelVersionHashesDigest", .text), ("NSStoreModelVersionChecksumKey", .text): true
            case (ZoneFetchMarker.key, .flag(true)): true
            case ("NSStoreType", .text("SQLite")), ("_NSAutoVacuumLevel", .text): true
            case ("NSStoreModelVersionHashesVersion", .number), ("NSPersistenceFrameworkVersion", .number): true
            default: false
            }
        guard isGood else {
            throw PlanError(at: place, "no command puts this under `\(change.key)`")
        }
    }

    private func checkConflicts() throws(PlanError) {
        var survivors: [MACAddress: DeviceSettings] = [:]
        for case .delete(let deletion) in plan.changes {
            if let address = deletion.address { survivors[address] = deletion.merger?.survivor }
        }
        for (index, conflict) in plan.conflicts.enumerated() {
            let place = PlanPlace.line(places.conflicts[index])
            guard conflict.field.survivorship.reportsConflicts else {
                throw PlanError(
                    at: .member(place, "field"),
                    "only what the user typed can be in conflict, and what meterfix does not know")
            }
            guard !conflict.dropped.isEmpty else {
                throw PlanError(at: .member(place, "dropped"), "nothing is in conflict with the value that is kept")
            }
            guard let survivor = survivors[conflict.address] else { continue }
            let change = updates[survivor.row]?.fields.first { $0.field == conflict.field }
            let position = context.layout.position(of: conflict.field)
            guard conflict.kept == change?.after ?? position.map({ survivor.values[$0] }) else {
                throw PlanError(at: .member(place, "kept"), "row \(survivor.row) has another value after the plan")
            }
        }
    }
}

extension DeviceSettings {
    /// Whether a JSON attribute has something else in it.
    fileprivate func isUnreadable(_ field: RecordLayout.Field) -> Bool {
        if field.known == .connectionMetadata, case .malformed = lockBlob { return true }
        if field.known == .discoveryMetadata, case .malformed = discoveryBlob { return true }
        return false
    }
}

extension FieldValue {
    /// Whether the app itself stores such a value in a field of this kind.
    fileprivate func fits(_ kind: FieldKind) -> Bool {
        switch (self, kind) {
        case (.null, _), (.text, .text), (.malformedText, .text), (.integer, .integer), (.integer, .boolean),
            (.blob, .binary):
            true
        case (.integer, .date), (.integer, .real), (.real, .real): true
        case (.real(let number), .date): number.isFinite
        case (.blob(let bytes), .uuid): bytes.count == 16
        default: false
        }
    }
}
