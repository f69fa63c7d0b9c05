/// What can be imported from a dump, and what cannot. Every entry is counted in one of `used`, `empty` and `rejects`.
/// The order of the entries does not matter.
package struct LegacyValues: Hashable, Sendable {
    /// By address.
    package private(set) var meters: [LegacyMeter]
    /// Names before units, each by the bytes of their keys.
    package private(set) var rejects: [Reject]
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
        rejects = []
        var usable: [(address: MACAddress, notation: MACAddress.Notation, index: Int)] = []
        usable.reserveCapacity(entries.count)
        var empty = 0
        for index in entries.indices {
            switch entries[index].judged(isExact: keepsBlanks) {
            case nil: empty += 1
            case .failure(let reason): rejects.append(Reject(entries[index], reason))
            case .success(let (address, notation)): usable.append((address, notation, index))
            }
        }
        usable.sort { ($0.address.bits, $0.index) < ($1.address.bits, $1.index) }

        meters = []
        meters.reserveCapacity(usable.count)
        var used = 0
        var cases = LetterCaseCount()
        var rest = usable[...]
        while let address = rest.first?.address {
            let group = rest.prefix { $0.address == address }
            rest = rest[group.endIndex...]
            let entriesOfMeter = group.map { entries[$0.index] }.inFixedOrder()
            if let meter = LegacyMeter(address: address, of: entriesOfMeter, keepsBlanks: keepsBlanks) {
                meters.append(meter)
                used += group.count
                for entry in group { cases.count(entry.notation) }
            } else {
                rejects += entriesOfMeter.map { Reject($0, .disagreeingSpellings) }
            }
        }
        rejects.sort { $0.entry.precedes($1.entry) }
        self.used = used
        self.empty = empty
        letterCase = cases.isEmpty ? nil : cases.letterCase
    }

    /// The same dump with the meters that the filter lets through, and what is rejected of them.
    package func filtered(by filter: MeterFilter) -> LegacyValues {
        guard filter != .all else { return self }
        var values = self
        values.meters.removeAll { !filter.contains($0.address) }
        values.rejects.removeAll { !filter.contains(MACAddress.parse($0.key)?.address) }
        return values
    }
}

extension RejectReason: Error {}

extension DumpEntry {
    /// The address of its meter, as far as this entry alone can tell. Nil if it has no value.
    /// - Parameter isExact: whether a program wrote it that knows what is no value.
    fileprivate func judged(isExact: Bool) -> Result<(MACAddress, MACAddress.Notation), RejectReason>? {
        if value.isEmpty { return nil }
        guard let (address, notation) = MACAddress.parse(key) else { return .failure(.badAddress) }
        guard !address.isPlaceholder else { return .failure(.placeholderAddress) }
        guard let text = value.text else { return .failure(.notText) }
        guard isExact || MachineMadeName(text) != .noValue else { return .failure(.noValue) }
        guard dictionary == .meterNames || TemperatureUnit(understanding: text) != nil else {
            return .failure(.unknownUnit)
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
                // What reads the same is nothing to ask about.
                let reads: (String) -> Bool = { known in
                    keepsBlanks ? known.utf8.elementsEqual(value.utf8) : FieldValue.text(known).readsLike(.text(value))
                }
                guard name.map({ reads($0.value) }) ?? true else { return nil }
                name = LegacyValue(
                    name?.value ?? value, under: entry.key,
                    isRespelled: isRespelled || name.map { !$0.value.utf8.elementsEqual(value.utf8) } ?? false,
                    after: name)
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
