/// What can be imported from a dump, and what cannot. Every entry is counted in one of `used`, `empty` and `rejects`.
/// The order of the entries does not matter.
package struct LegacyValues: Hashable, Sendable {
    /// By address.
    package let meters: [LegacyMeter]
    /// Names before units, each by the bytes of their keys.
    package let rejects: [Reject]
    /// Entries of the dump in `meters`, including several keys for the same address.
    package let used: Int
    /// Entries without a value; nothing is lost with them.
    package let empty: Int
    /// The letter case in which the dump writes the addresses of its meters, as a store's is told; nil where none of
    /// them tells one.
    package let letterCase: LetterCase?

    /// Sorts the entries of a dump by meter, and those that cannot be used by the reason.
    /// - Parameter keepsBlanks: whether white space around a name is a part of it.
    package init(_ entries: [DumpEntry], keepsBlanks: Bool = false) {
        var rejects: [Reject] = []
        var usable: [UsableEntry] = []
        usable.reserveCapacity(entries.count)
        var empty = 0
        for index in entries.indices {
            switch entries[index].judged() {
            case nil: empty += 1
            case .failure(let error): rejects.append(Reject(entries[index], error.reason))
            case .success(let (address, notation)):
                usable.append(UsableEntry(address: address, notation: notation, index: index))
            }
        }
        usable.sort { ($0.address.bits, $0.index) < ($1.address.bits, $1.index) }

        var meters: [LegacyMeter] = []
        meters.reserveCapacity(usable.count)
        var used = 0
        var cases = LetterCaseCount()
        var start = 0
        while start < usable.count {
            let address = usable[start].address
            var end = start + 1
            while end < usable.count, usable[end].address == address { end += 1 }
            if end == start + 1,
                let meter = LegacyMeter(
                    address: address, of: CollectionOfOne(entries[usable[start].index]), keepsBlanks: keepsBlanks)
            {
                meters.append(meter)
                used += 1
                cases.count(usable[start].notation)
            } else {
                let group = usable[start..<end].map { entries[$0.index] }.inFixedOrder()
                if let meter = LegacyMeter(address: address, of: group, keepsBlanks: keepsBlanks) {
                    meters.append(meter)
                    used += end - start
                    for entry in usable[start..<end] { cases.count(entry.notation) }
                } else {
                    rejects += group.map { Reject($0, .disagreeingSpellings) }
                }
            }
            start = end
        }
        self.meters = meters
        self.rejects = rejects.sorted { $0.entry.precedes($1.entry) }
        self.used = used
        self.empty = empty
        letterCase = cases.isEmpty ? nil : cases.letterCase
    }

    /// The same dump with the meters that the filter lets through, and what is rejected of them.
    package func filtered(by filter: MeterFilter) -> LegacyValues {
        guard filter != .all else { return self }
        return LegacyValues(
            meters: meters.filter { filter.contains($0.address) },
            rejects: rejects.filter { filter.contains(MACAddress.parse($0.key)?.address) }, of: self)
    }

    private init(meters: [LegacyMeter], rejects: [Reject], of dump: LegacyValues) {
        self.meters = meters
        self.rejects = rejects
        used = dump.used
        empty = dump.empty
        letterCase = dump.letterCase
    }
}

/// An entry that has an address and a value.
private struct UsableEntry {
    let address: MACAddress
    let notation: MACAddress.Notation
    let index: Int
}

/// Why an entry alone cannot be used.
private struct EntryError: Error {
    let reason: RejectReason
}

extension DumpEntry {
    /// The address of its meter, as far as this entry alone can tell. Nil if it has no value.
    fileprivate func judged() -> Result<(MACAddress, MACAddress.Notation), EntryError>? {
        if value.isEmpty { return nil }
        guard let (address, notation) = MACAddress.parse(key) else { return .failure(EntryError(reason: .badAddress)) }
        guard !address.isPlaceholder else { return .failure(EntryError(reason: .placeholderAddress)) }
        guard let text = value.text else { return .failure(EntryError(reason: .notText)) }
        guard dictionary == .meterNames || TemperatureUnit(understanding: text) != nil else {
            return .failure(EntryError(reason: .unknownUnit))
        }
        return .success((address, notation))
    }
}

extension LegacyMeter {
    /// Nil if entries of one dictionary disagree: then neither dictionary can be trusted for this meter.
    fileprivate init?(address: MACAddress, of entries: some Sequence<DumpEntry>, keepsBlanks: Bool) {
        var name: LegacyValue<String>?
        var unit: LegacyValue<TemperatureUnit>?
        for entry in entries {
            guard let text = entry.value.text else { return nil }
            switch entry.dictionary {
            case .meterNames:
                let value = keepsBlanks ? text : WhiteSpace.trimmed(text)
                let isRespelled = value.utf8.count != text.utf8.count
                guard name.map({ $0.value.utf8.elementsEqual(value.utf8) }) ?? true else { return nil }
                name = LegacyValue(value, under: entry.key, isRespelled: isRespelled, after: name)
            case .temperatureUnits:
                guard let value = TemperatureUnit(understanding: text), unit.map({ $0.value == value }) ?? true else {
                    return nil
                }
                unit = LegacyValue(value, under: entry.key, isRespelled: text != value.rawValue, after: unit)
            }
        }
        self.init(address: address, name: name, unit: unit)
    }
}

extension LegacyValue {
    /// The same value again, under the address written in another way.
    fileprivate init(_ value: Value, under key: String, isRespelled: Bool, after known: LegacyValue?) {
        guard let known else {
            self.init(value, key: key, isRespelled: isRespelled)
            return
        }
        self.init(
            value, key: known.key, otherKeys: known.otherKeys + [key],
            isRespelled: known.isRespelled || isRespelled)
    }
}

/// What a dump has for one meter.
package struct LegacyMeter: Hashable, Sendable {
    package let address: MACAddress
    package let name: LegacyValue<String>?
    package let unit: LegacyValue<TemperatureUnit>?
}

/// A usable value of a dump, and where it is there.
package struct LegacyValue<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A name, without white space around it where that is no part of it, or a unit.
    package let value: Value
    /// Its key: the address as written, the first one by its bytes.
    package let key: String
    /// Other keys for the same address, with an equal value.
    package let otherKeys: [String]
    /// Whether the dump writes the value differently: white space around a name, `°C` for `celsius`.
    package let isRespelled: Bool

    package init(_ value: Value, key: String, otherKeys: [String] = [], isRespelled: Bool) {
        self.value = value
        self.key = key
        self.otherKeys = otherKeys
        self.isRespelled = isRespelled
    }
}
