internal import CoreDataStore
package import MeterInspect
package import MeterModel
package import MeterStore

/// Gives a meter's record a name or a unit that the user of meterfix typed.
package struct SetPlanner: MeterPlanner {
    package let command = WritingCommand.set
    package let address: MACAddress
    /// Without white space around it; empty to clear the name, nil to leave it.
    let name: String?
    /// Nil to leave it.
    let unit: TemperatureUnit?

    /// - Parameter name: white space around it is taken off; empty to clear the name, nil to leave it as it is.
    package init(_ address: MACAddress, name: String?, unit: TemperatureUnit?) {
        self.address = address
        self.name = name.map(WhiteSpace.trimmed)
        self.unit = unit
    }

    package func plan(
        for store: InspectedStore, _ settings: SettingsTable, by meter: MeterRecords
    ) throws -> Plan {
        guard meter.records.count == 1 else {
            throw Refusal.severalRecords(meter.records.map(\.row), of: address, in: store)
        }
        let record = meter.records[0]
        var changes: [FieldChange] = []
        for (field, value) in values {
            guard let change = meter.editor.change(field, of: record, to: value, by: .byHand) else {
                throw Refusal.noAttribute(field, in: store)
            }
            let isCleared = change.before.isEmpty && value.isEmpty
            if !isCleared && change.before != value { changes.append(change) }
        }
        guard !changes.isEmpty else { return meter.plan(updating: []) }
        var notes: [String] = []
        if let name, changes.contains(where: { $0.field.known == .meterName }), let kind = MachineMadeName(name) {
            notes.append("the name \"\(name)\" is \(kind.noun); it tells the user nothing about the meter")
        }
        return meter.plan(updating: [(record, meter.editor.stamped(changes, of: record))], notes: notes)
    }

    private var values: [(SettingsField, FieldValue)] {
        var values: [(SettingsField, FieldValue)] = []
        if let name { values.append((.meterName, name.isEmpty ? .null : .text(name))) }
        if let unit { values.append((.tc66TemperatureUnit, .text(unit.rawValue))) }
        return values
    }
}
