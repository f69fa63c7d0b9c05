package import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterJournal
package import MeterModel

/// A name or a unit that a user wants a rebuild to keep, as it was typed: `MAC=NAME`.
package struct ValueOverrideArgument: Hashable, Sendable {
    let meter: MeterReference
    /// A name or a unit.
    let field: SettingsField
    /// What the meter is to keep.
    let text: String

    /// - Parameter words: the meter, which has no `=` in its name, and the value. Nil where one of them is missing.
    package init?(_ words: String, as field: SettingsField) {
        guard let equals = words.firstIndex(of: "=") else { return nil }
        let (meter, text) = (words[..<equals], words[words.index(after: equals)...])
        guard !WhiteSpace.trimmed(String(meter)).isEmpty, !WhiteSpace.trimmed(String(text)).isEmpty else { return nil }
        self.meter = MeterReference(String(meter))
        self.field = field
        self.text = String(text)
    }
}

extension ValueOverrides {
    /// What is asked for, as values that a record of the meter has, or had as far as the files or the backups say. Leaves
    /// no trace.
    /// - Parameter folder: the folder `--backup-dir` names; nil for the one beside the store.
    /// - Throws: `StoreError`; `unsuitable` for a value that the meter never had, and for one that a rebuild does not
    ///   choose because the meter has one record.
    package init(
        _ requests: [ValueOverrideArgument], in path: String, folder: String?, now: Timestamp
    ) throws(StoreError) {
        guard !requests.isEmpty else {
            self.init()
            return
        }
        self = try MeterSession.look(at: path, now: now) { session in
            let store = session.store
            var chosen = ValueOverrides()
            // Read only where no record has what is asked for.
            var lost: FormerValues?
            for request in requests {
                let address = try request.meter.address(in: session)
                let meter = try MeterRecords(of: .meter(address), in: session)
                var value = request.match(among: meter.records.map { $0[request.field] })
                if value == nil {
                    let known = try lost ?? FormerValues(in: session, all: false, withMoved: true, folder: folder)
                    lost = known
                    value = request.match(
                        among: known.values.filter { $0.address == address && $0.field.known == request.field }
                            .map(\.value))
                    if let value, meter.records.count == 1 {
                        throw Refusal.nothingToChoose(value, request.field, of: address, in: store)
                    }
                }
                guard let value else { throw Refusal.neverHad(request, meter.records, address, in: store) }
                if let other = chosen[address, request.field], other != value {
                    throw Refusal.twoChoices(other, value, of: address, in: store)
                }
                chosen[address, request.field] = value
            }
            return chosen
        }
    }
}

extension ValueOverrideArgument {
    /// The very text, or else the one that differs in white space around it, or in how Unicode composes it.
    fileprivate func match(among values: [FieldValue]) -> FieldValue? {
        let texts = values.filter { !$0.isEmpty && $0.text != nil }
        return texts.first { $0.text!.utf8.elementsEqual(text.utf8) }
            ?? texts.first { WhiteSpace.trimmed($0.text!) == WhiteSpace.trimmed(text) }
    }
}

/// The reasons not to keep a value.
extension Refusal {
    fileprivate static func neverHad(
        _ request: ValueOverrideArgument, _ records: [DeviceSettings], _ address: MACAddress, in store: InspectedStore
    ) -> StoreError {
        let mac = address.text(in: store.letterCase)
        let noun = request.field.settable == .unit ? "unit" : "name"
        var known: [String] = []
        for record in records where !record.isEmpty(request.field) {
            let value = "\(record[request.field].shown) (row \(record.row))"
            if !known.contains(value) { known.append(value) }
        }
        let isUnit = request.field.settable == .unit
        let option = ShellWord.option(isUnit ? "--unit" : "--name", request.text)
        let other =
            isUnit && TemperatureUnit(rawValue: request.text) == nil
            ? "a unit is \(TemperatureUnit.allCases.map(\.rawValue).joined(separator: " or "))"
            : "for another \(noun), rebuild, and then: \(store.command("set \(mac) \(option)"))"
        return store.unsuitable(
            "no record of \(mac) has the \(noun) \(FieldValue.text(request.text).shown), and nothing says that one had it",
            hint: (known.isEmpty ? "none of its records has a \(noun)" : "its records have \(Phrase.list(known))")
                + "; \(other)")
    }

    fileprivate static func nothingToChoose(
        _ value: FieldValue, _ field: SettingsField, of address: MACAddress, in store: InspectedStore
    ) -> StoreError {
        let mac = address.text(in: store.letterCase)
        let option = RecordLayout.Field(name: field.rawValue, kind: field.kind).setOption(value)
        return store.unsuitable(
            "the meter \(mac) has one record, and a rebuild chooses only among several",
            hint: option.map { "give it the value back: \(store.command("set \(mac) \($0)"))" })
    }

    fileprivate static func twoChoices(
        _ one: FieldValue, _ other: FieldValue, of address: MACAddress, in store: InspectedStore
    ) -> StoreError {
        store.unsuitable(
            "the meter \(address.text(in: store.letterCase)) cannot keep both \(one.shown) and \(other.shown)",
            hint: "choose one of them")
    }
}
