internal import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// A value that a meter once had and no record of it has now.
package struct FormerValue: Sendable {
    package let address: MACAddress
    package let field: RecordLayout.Field
    package let value: FieldValue
    /// The record that had it: of several the one that is most certain, and of these the last one.
    package let past: PastRecord
    package let records: Int
}

/// `lost`: what meters were called, and the units they had, as far as files still say so.
package struct FormerValues: Sendable {
    /// The store's path as the user gave it.
    package let store: String
    package let letterCase: LetterCase
    package let alerts: [StoreAlert]
    /// The last one first.
    package private(set) var values: [FormerValue]
    package let reach: PastRecords.Reach
    /// What could not be read, and why: sentences for a person.
    package let warnings: [String]

    /// - Parameters:
    ///   - all: whether every value that the user made counts, however possible; otherwise names and units that are at
    ///     least likely.
    ///   - withMoved: whether a name counts that its own meter has no more and another one has now: whoever misses it sees
    ///     it there.
    /// - Throws: also `StoreError` if a file cannot be read.
    package init(
        of session: MeterSession, _ past: PastRecords, saved: [PastRecord] = [], all: Bool, withMoved: Bool,
        warnings: [String] = []
    ) throws {
        let store = session.store
        self.store = store.path
        letterCase = store.letterCase
        alerts = try session.base.alerts()
        reach = past.reach
        self.warnings = [past.reach.warning].compactMap(\.self) + warnings
        var lost = Self.candidates(past.records + saved, all: all)
        // What is there is not lost.
        for address in Set(lost.keys.map(\.address)) {
            for record in store.addresses.records(of: address) {
                for field in Self.fields(all: all) {
                    lost[Key(address: address, field: field, value: record[field])] = nil
                }
            }
        }
        if !withMoved, !lost.isEmpty {
            let names = Set(try store.records.map { $0[.meterName] })
            lost = lost.filter { $0.key.field != .meterName || !names.contains($0.key.value) }
        }
        values = lost.map { key, past in
            FormerValue(
                address: key.address, field: RecordLayout.Field(name: key.field.rawValue, kind: key.field.kind),
                value: key.value, past: past, records: store.addresses.records(of: key.address).count)
        }.sorted { $0.isBefore($1) }
    }

    /// The names and units that the store's own files still have.
    /// - Throws: also `StoreError` if a file cannot be read.
    package init(of session: MeterSession, withMoved: Bool = false) throws {
        try self.init(of: session, PastRecords(of: session), all: false, withMoved: withMoved)
    }

    private struct Key: Hashable {
        let address: MACAddress
        let field: SettingsField
        let value: FieldValue
    }

    private static func fields(all: Bool) -> [SettingsField] {
        SettingsField.userData.filter { all || $0.settable != nil }
    }

    private static func candidates(_ records: [PastRecord], all: Bool) -> [Key: PastRecord] {
        var found: [Key: PastRecord] = [:]
        for past in records where all || past.certainty > .possible {
            // Whose it was is what makes a value worth something.
            guard let address = past.record.usableAddress else { continue }
            for field in fields(all: all) where !past.record.isEmpty(field) {
                let key = Key(address: address, field: field, value: past.record[field])
                if let known = found[key], !past.says(moreThan: known) { continue }
                found[key] = past
            }
        }
        return found
    }

    /// Only values with this text in them, or of meters with it in their address or another lost name.
    package func finding(_ text: String) -> FormerValues {
        let wanted = text.lowercased()
        func has(_ value: FormerValue) -> Bool {
            value.value.display(as: value.field.kind).lowercased().contains(wanted)
                || value.address.text(in: letterCase).lowercased().contains(wanted)
        }
        var found = self
        found.values = values.filter(has)
        return found
    }

    /// `2 names and 1 unit`; nil where nothing is lost.
    package var counts: String? {
        let names = values.count { $0.field.known?.settable == .name }
        let units = values.count { $0.field.known?.settable == .unit }
        let counts = [(names, "name"), (units, "unit"), (values.count - names - units, "other value")]
            .filter { $0.0 > 0 }.map { Phrase.count($0.0, $0.1) }
        return counts.isEmpty ? nil : Phrase.list(counts)
    }

    /// The command that gives a value back; nil where it is only possible that the meter had it.
    package func command(for lost: FormerValue) -> StoreCommand? {
        guard lost.past.certainty > .possible else { return nil }
        let mac = lost.address.text(in: letterCase)
        switch lost.records {
        case 0: return StoreCommand("restore-record --from lost \(mac)", stores: [store])
        case 1:
            return lost.field.setOption(lost.value).map {
                StoreCommand("set \(mac) \($0)", stores: [store])
            }
        default: return RebuildRequest().keeping(lost.value, as: lost.field, of: lost.address, in: letterCase, store)
        }
    }
}

extension PastRecord {
    package var lastKnown: Timestamp? { to ?? from }

    package func says(moreThan other: PastRecord) -> Bool {
        guard certainty == other.certainty else { return certainty > other.certainty }
        return lastSeconds > other.lastSeconds
    }

    /// Since 2001; before all others where it is not known.
    fileprivate var lastSeconds: Double { lastKnown?.secondsSince2001 ?? -.infinity }
}

extension FormerValue {
    /// The last one first; of one moment by address, field and value.
    fileprivate func isBefore(_ other: FormerValue) -> Bool {
        let (time, otherTime) = (past.lastSeconds, other.past.lastSeconds)
        guard time == otherTime else { return time > otherTime }
        guard address == other.address else { return address.bits < other.address.bits }
        guard field.name == other.field.name else { return field.name < other.field.name }
        return value.display(as: field.kind) < other.value.display(as: field.kind)
    }
}

extension FormerValues: JSONWritable {
    /// The document of `lost` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "lost", store: store))
            writer.member("values", each: values) { json($0).write(to: &$1) }
            writer.member("past", reach.json)
            writer.member("warnings", warnings)
        }
    }

    private func json(_ lost: FormerValue) -> JSONValue {
        let past = lost.past
        let seen: JSONValue = ["from": past.from, "to": past.to, "transaction": past.transaction]
        return [
            "mac": lost.address.text(in: letterCase), "field": lost.field.name,
            "value": lost.value.json(as: lost.field.kind), "source": past.source.rawValue,
            "certainty": past.certainty.rawValue, "seen": past.lastKnown == nil ? nil : seen,
            "row": past.record.row == 0 ? nil : past.record.row, "command": command(for: lost)?.description,
        ]
    }
}

extension PastRecords.Reach {
    fileprivate var json: JSONValue {
        [
            "commits": commits,
            "transactions": transactions.map { ["first": $0.lowerBound, "last": $0.upperBound] as JSONValue },
            "usable": problem == nil, "why": problem, "complete": isComplete,
        ]
    }
}
