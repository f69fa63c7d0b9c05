internal import CoreDataStore
package import MeterInspect
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// Gives a meter's record a name or a unit that the user of meterfix typed, or an address to a record that has none that
/// can be used.
package struct SetPlanner: Planner {
    package let command = WritingCommand.set
    let named: NamedRecords
    /// Without white space around it; empty to clear the name, nil to leave it.
    let name: String?
    /// Nil to leave it.
    let unit: TemperatureUnit?
    /// Nil to leave it.
    let address: MACAddress?

    /// - Parameters:
    ///   - name: white space around it is taken off; empty, or a text in which nobody sees anything, to clear the name; nil
    ///     to leave it as it is.
    ///   - address: for a record without a usable one; nil to leave it as it is.
    package init(_ named: NamedRecords, name: String?, unit: TemperatureUnit?, address: MACAddress? = nil) {
        self.named = named
        self.name = name.map { WhiteSpace.showsNothing($0) ? "" : WhiteSpace.trimmed($0) }
        self.unit = unit
        self.address = address
    }

    package func plan(in session: MeterSession) throws -> Plan {
        let store = session.store
        let meter = try MeterRecords(of: named, in: session)
        guard meter.records.count == 1 else {
            throw Refusal.severalRecords(meter.records, of: meter.address, requested: kept(of: meter), in: store)
        }
        let record = meter.records[0]
        if let address { try refuse(address, for: record, in: store) }
        var changes: [FieldChange] = []
        for (field, value) in values(for: record, in: store) {
            guard let change = meter.editor.change(field, of: record, to: value, by: .byHand) else {
                throw Refusal.noAttribute(field, in: store)
            }
            let isCleared = change.before.isEmpty && value.isEmpty
            if !isCleared && change.before != value { changes.append(change) }
        }
        var notes = record.notesOnFate
        if changes.isEmpty {
            guard try session.rowsNeverSent().contains(record.row) else { return meter.plan(updating: []) }
            notes.append("row \(record.row) has these values already, and is written again, so that CloudKit gets them")
        }
        let changesName = changes.contains { $0.field.known == .meterName }
        return try meter.plan(
            updating: [(record, meter.editor.stamped(changes, of: record))],
            notes: (changesName ? self.notes(on: namesakes(of: meter, in: session), in: store) : []) + notes)
    }

    /// Other meters that have the new name.
    private func namesakes(of meter: MeterRecords, in session: MeterSession) throws -> [MACAddress] {
        guard let name, !name.isEmpty else { return [] }
        let own = meter.address ?? address
        let namesakes = try session.store.records.compactMap { record -> MACAddress? in
            guard let text = record[.meterName].text, WhiteSpace.trimmed(text).utf8.elementsEqual(name.utf8) else {
                return nil
            }
            return record.usableAddress
        }
        return Set(namesakes).subtracting([own].compactMap(\.self)).sorted()
    }

    /// What is asked for, as far as one of several records has it: a rebuild can keep it.
    private func kept(of meter: MeterRecords) -> ValueOverrides {
        var chosen = ValueOverrides()
        guard let address = meter.address else { return chosen }
        let wishes: [(SettingsField, String?)] = [(.meterName, name), (.tc66TemperatureUnit, unit?.rawValue)]
        for case (let field, let text?) in wishes {
            let values = meter.records.lazy.map { $0[field] }
            chosen[address, field] = values.first { $0.text.map(WhiteSpace.trimmed) == text && !text.isEmpty }
        }
        return chosen
    }

    /// An address is only given to a record that no other one takes the place of.
    private func refuse(_ address: MACAddress, for record: DeviceSettings, in store: InspectedStore) throws(StoreError)
    {
        guard record.usableAddress != address else { return }
        if record.usableAddress != nil { throw Refusal.addressIsUsable(of: record, in: store) }
        guard !address.isPlaceholder else { throw Refusal.placeholder(address, in: store) }
        let rows = store.addresses.rows(of: address)
        guard rows.isEmpty else { throw Refusal.addressTaken(address, by: rows, for: record, in: store) }
    }

    private func notes(on namesakes: [MACAddress], in store: InspectedStore) -> [Sentence] {
        guard let name else { return [] }
        var notes: [Sentence] = []
        if let kind = MachineMadeName(name) {
            notes.append("the name \"\(name)\" is \(kind.noun); it tells the user nothing about the meter")
        }
        if !namesakes.isEmpty {
            let others = Phrase.start(of: namesakes.map { $0.text(in: store.letterCase) }, limit: 3)
            notes.append(
                "the name \"\(name)\" is also on \(others); the user cannot tell these meters apart (name-shared)")
        }
        return notes
    }

    private func values(for record: DeviceSettings, in store: InspectedStore) -> [(SettingsField, FieldValue)] {
        var values: [(SettingsField, FieldValue)] = []
        // An address that it has already stays as it is written.
        if let address, record.usableAddress != address {
            values.append((.macAddress, .text(address.text(in: store.letterCase))))
        }
        if let name { values.append((.meterName, name.isEmpty ? .null : .text(name))) }
        if let unit { values.append((.tc66TemperatureUnit, .text(unit.rawValue))) }
        return values
    }
}

extension DeviceSettings {
    /// Why what is written into it may be in vain.
    fileprivate var notesOnFate: [Sentence] {
        if cloudRecord?.isAboutToBeDeleted ?? false {
            return [
                "row \(row) is about to be deleted on all devices, and what is written now with it (delete-pending-alive)"
            ]
        }
        return isMarked ? ["the app does not show row \(row), and may delete it (record-marked-deleted)"] : []
    }
}
