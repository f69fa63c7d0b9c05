internal import MeterModel
internal import Texts

/// Meters as objects, as other tools and small scripts write them: a list `[{"mac": …, "name": …}]`, or a dictionary
/// `{ADDRESS: {"name": …}}`, or one with the numbers of rows as keys. Each object may be a text or data.
struct MeterObjects {
    private(set) var entries: [DumpEntry] = []
    /// Keys that mean none of the three, each once, in the order of bytes.
    var otherKeys: [String] { others.sorted { $0.isBefore(bytesOf: $1) } }

    private var others: Set<String> = []
    /// Whether one of them has a name or a unit, which may be empty.
    private var haveValues = false

    /// Whether a value is such a list or dictionary. What is not meant as one must not look so: it takes an address.
    static func isOne(_ node: some DumpNode) -> Bool {
        if let elements = node.elements {
            return elements.lazy.map(\.opened).contains { element in
                element.isDictionary
                    && element.sortedMembers.contains {
                        MeterHeading(of: $0.key) == .address && $0.value.dumpValue.text != nil
                    }
            }
        }
        if isMeter(node) { return true }
        var (hasAddress, areObjects) = (false, true)
        node.forEachMember { key, value in
            hasAddress = hasAddress || MACAddress.parse(key) != nil
            areObjects = areObjects && value.opened.isDictionary
        }
        return hasAddress && areObjects || isTable(node)
    }

    /// Whether it is a table as pandas writes it, with the numbers of rows as keys.
    private static func isTable(_ node: some DumpNode) -> Bool {
        var areRows = node.memberCount ?? 0 > 0
        node.forEachMember { key, value in
            areRows = areRows && Int(key) != nil && MACAddress.parse(key) == nil && isMeter(value)
        }
        return areRows
    }

    private static func isMeter(_ node: some DumpNode) -> Bool {
        var isMeter = false
        node.forEachMember { key, value in
            guard !isMeter, MeterHeading(of: key) == .address, let text = value.dumpValue.text else { return }
            isMeter = MACAddress.parse(text) != nil
        }
        return isMeter
    }

    /// - Throws: `DumpError` for an object of which it is not clear which meter is meant.
    init(_ node: some DumpNode) throws(DumpError) {
        if let elements = node.elements {
            for (index, element) in elements.enumerated() { try add(element, key: nil, "element \(index + 1)") }
        } else if Self.isMeter(node) {
            try add(node, key: nil, "the object")
        } else {
            let isTable = Self.isTable(node)
            for (key, value) in node.sortedMembers {
                try add(value, key: isTable ? nil : key, "the object of \(key.shortened)")
            }
        }
        // What is meant stands under keys that nobody looks for, or elsewhere.
        guard haveValues else {
            throw DumpError(
                "meters without a name and without a unit"
                    + (others.isEmpty ? "" : ", with the keys \(otherKeys.listed)"), hint: Self.hint)
        }
    }

    private mutating func add(_ node: some DumpNode, key: String?, _ place: String) throws(DumpError) {
        let object = node.opened
        guard object.isDictionary else {
            throw DumpError("\(place) is not an object but \(object.dumpValue.kind)", hint: Self.hint)
        }
        var found: [MeterHeading: [(rank: Int, key: String, value: DumpValue)]] = [:]
        for (key, value) in object.sortedMembers {
            guard let heading = MeterHeading(of: key) else {
                others.insert(key)
                continue
            }
            found[heading, default: []].append((MeterHeading.rank(of: key), key, value.dumpValue))
        }
        for heading in MeterHeading.allCases {
            found[heading] = found[heading]?.filter { $0.value != .null }.sorted { $0.rank < $1.rank }
        }
        if let strange = found[.address]?.first(where: { $0.value.text == nil }) {
            throw DumpError(
                "\(place) has \(strange.value.kind) and no text under \(strange.key.shortened)", hint: Self.hint)
        }
        let texts = (found[.address] ?? []).compactMap(\.value.text)
        guard let address = key ?? texts.first, texts.count == found[.address]?.count ?? 0 else {
            throw DumpError("\(place) has no address", hint: Self.hint)
        }
        guard Set(([address] + texts).compactMap { MACAddress.parse($0)?.address }).count < 2 else {
            throw DumpError("\(place) has several addresses: \((key.map { [$0] } ?? []) + texts)", hint: Self.hint)
        }
        let (name, unit) = (try Self.only(found[.name] ?? [], place), try Self.only(found[.unit] ?? [], place))
        haveValues = haveValues || found[.name] != nil || found[.unit] != nil
        if let name { entries.append(DumpEntry(dictionary: .meterNames, key: address, value: name)) }
        if let unit { entries.append(DumpEntry(dictionary: .temperatureUnits, key: address, value: unit)) }
        // Nothing is lost with a meter without a value, and it counts all the same.
        if name == nil && unit == nil {
            entries.append(DumpEntry(dictionary: .meterNames, key: address, value: .text("")))
        }
    }

    /// The value that is meant, which an empty one under another key is not; nil where there is none.
    private static func only(
        _ found: [(rank: Int, key: String, value: DumpValue)], _ place: String
    ) throws(DumpError) -> DumpValue? {
        let full = MeterHeading.meant(found, \.value)
        guard let first = full.first else { return found.first?.value }
        if let other = full.first(where: { $0.value != first.value }) {
            throw DumpError(
                "\(place) has \(first.value.text ?? first.value.kind) under \(first.key) and "
                    + "\(other.value.text ?? other.value.kind) under \(other.key)",
                hint: "leave one of the two in it: the name or unit that the user gave")
        }
        return first.value
    }

    /// What is looked for, for a person who has something else.
    static let hint =
        "of each meter is looked for \(MeterHeading.wanted): {\"mac\": \"A4:C1:38:0B:7E:21\", \"name\": \"Kitchen\"}"
}
