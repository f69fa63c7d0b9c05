internal import MeterModel
internal import Texts

struct LegacyDictionaries {
    let entries: [DumpEntry]
    let place: KeyValueDump.Format.Place
    var ignoredKeys = 0
    /// What was read though it was written otherwise.
    var warnings: [String] = []
}

extension LegacyDictionaries {
    /// The meters of a list or of lines, which have no dictionaries.
    init(typed entries: [DumpEntry], ignoredColumns: Int = 0, identifier: String?) throws(DumpError) {
        try Self.refuse(identifier)
        self.init(entries: entries, place: .addresses, ignoredKeys: ignoredColumns)
    }

    /// Looks for them at the root, then in the format of SyncedPreferences, then anywhere below; where there is neither, for
    /// meters as objects, and for addresses with their names or units. What is in one place is read; of several a person
    /// chooses.
    /// - Parameter identifier: which of several places below the root is meant: its path, or its last key.
    init<Node: DumpNode>(in root: Node, identifier: String?) throws(DumpError) {
        if root.hasLegacyDictionary {
            let own = LegacyDictionary.allCases.flatMap { root.keys(of: $0) }
            let others = DumpPlaces(in: root, besides: own) { $0.hasLegacyDictionary }.names
            let isEmpty =
                !root.hasFullDictionary && !DumpPlaces(in: root, besides: own) { $0.hasFullDictionary }.found.isEmpty
            // An empty one is left of what stands elsewhere.
            if !isEmpty {
                try self.init(root, at: .root, besides: identifier) { $0 }
                if !others.isEmpty { warnings.append("other dictionaries in it were left out: \(others.listed)") }
                return
            }
        }
        if let values = root.member("values"), values.isDictionary,
            LegacyDictionary.allCases.contains(where: { values.member($0.rawValue)?.member("value") != nil })
        {
            try self.init(values, at: .syncedPreferences, besides: identifier) { $0.member("value") }
            return
        }
        let places = DumpPlaces(in: root) { $0.hasLegacyDictionary }
        if identifier == nil, root.elements != nil, Self.areOfOneList(places.found) {
            let parts = try places.found.map { place throws(DumpError) in
                try Self(place.node, at: .nested(place.path), besides: nil) { $0 }
            }
            self.init(
                entries: parts.flatMap(\.entries), place: .root, ignoredKeys: parts.reduce(0) { $0 + $1.ignoredKeys },
                warnings: parts.flatMap(\.warnings)
                    + ["the names and the units were found in two places: \(places.names.listed)"])
            return
        }
        if let place = try places.only(identifier) {
            try self.init(place.node, at: .nested(place.path), besides: nil) { $0 }
            // All preferences of a user have each app's one level down.
            if place.path.count > 1 {
                warnings.append("the dictionaries were found under \(place.path.joined(separator: ", "))")
            }
            warnings += places.leftOut(besides: place)
            return
        }
        if MeterObjects.isOne(root) || root.bareDictionary != nil {
            try Self.refuse(identifier)
            try self.init(meters: root, path: [])
            return
        }
        let others = DumpPlaces(in: root) { MeterObjects.isOne($0) || $0.bareDictionary != nil }
        if identifier == nil, root.elements != nil, others.found.count > 1,
            others.found.allSatisfy({ $0.path.count == 1 && $0.node.bareDictionary != nil })
        {
            // A list, or lines, of `{ADDRESS: NAME}`.
            let parts = try others.found.map { place throws(DumpError) in try Self(meters: place.node, path: place.path)
            }
            self.init(entries: parts.flatMap(\.entries), place: .addresses)
            for warning in parts.flatMap(\.warnings) where !warnings.contains(warning) { warnings.append(warning) }
            return
        }
        guard let place = try others.only(identifier) else { throw Self.neither(in: root) }
        try self.init(meters: place.node, path: place.path)
        warnings.append("the meters were found under \(place.path.joined(separator: ", "))")
        warnings += others.leftOut(besides: place)
    }

    /// Whether the elements of one list, or the lines of a text, have one dictionary each.
    private static func areOfOneList(_ places: [DumpPlaces<some DumpNode>.Place]) -> Bool {
        places.count == LegacyDictionary.allCases.count && places.allSatisfy { $0.path.count == 1 }
            && LegacyDictionary.allCases.allSatisfy { dictionary in
                places.count { !$0.node.keys(of: dictionary).isEmpty } == 1
            }
    }

    /// Meters without the app's dictionaries around them.
    private init(meters node: some DumpNode, path: [String]) throws(DumpError) {
        let place: KeyValueDump.Format.Place = path.isEmpty ? .addresses : .nested(path)
        if let dictionary = node.bareDictionary {
            var entries: [DumpEntry] = []
            try entries.append(dictionary, from: node)
            self.init(entries: entries, place: place)
            warnings = ["addresses without \(dictionary.rawValue) around them were read as \(dictionary.rawValue)"]
        } else {
            let objects = try MeterObjects(node)
            self.init(entries: objects.entries, place: place, ignoredKeys: objects.otherKeys.count)
            if !objects.otherKeys.isEmpty { warnings = ["keys that were left out: \(objects.otherKeys.listed)"] }
        }
    }

    private init<Node: DumpNode>(
        _ container: Node, at place: KeyValueDump.Format.Place, besides identifier: String?, unwrap: (Node) -> Node?
    ) throws(DumpError) {
        try Self.refuse(identifier)
        var entries: [DumpEntry] = []
        var warnings: [String] = []
        var found: Set<String> = []
        for dictionary in LegacyDictionary.allCases {
            for key in container.keys(of: dictionary) {
                guard let node = container.member(key).flatMap(unwrap) else { continue }
                found.insert(key)
                if key != dictionary.rawValue {
                    warnings.append("the key \(key) was read as \(dictionary.rawValue)")
                }
                try entries.append(dictionary, from: node)
                if let wrapping = node.wrapping {
                    warnings.append("\(key) is \(wrapping): the dictionary in it was read")
                }
            }
        }
        var others: [String] = []
        container.forEachMember { key, node in
            if !found.contains(key), unwrap(node)?.bareDictionary != nil { others.append(key) }
        }
        if !others.isEmpty { warnings.append("other dictionaries of meters were left out: \(others.listed)") }
        self.init(
            entries: entries, place: place, ignoredKeys: (container.memberCount ?? 0) - found.count,
            warnings: warnings)
    }

    private static func refuse(_ identifier: String?) throws(DumpError) {
        guard let identifier else { return }
        throw DumpError(
            "no key-value store \(identifier.shortened): the dictionaries are not in the store of one app",
            hint: "leave out --kv-store")
    }

    private static func neither(in root: some DumpNode) -> DumpError {
        if let elements = root.elements {
            guard let object = elements.first(where: { $0.isDictionary }) else {
                return DumpError(
                    elements.isEmpty ? "an empty list" : "a list of other things than meters", hint: MeterObjects.hint)
            }
            if let address = object.sortedMembers.first(where: { MeterHeading(of: $0.key) == .address }) {
                return DumpError(
                    "a list of objects in which \(address.key.shortened) is \(address.value.dumpValue.kind) and no text",
                    hint: MeterObjects.hint)
            }
            return DumpError(
                "a list of objects without an address, with the keys \(object.sortedMembers.map(\.key).listed)",
                hint: MeterObjects.hint)
        }
        guard root.isDictionary else {
            return DumpError("not a dictionary but \(root.dumpValue.kind)", hint: MeterObjects.hint)
        }
        let values = root.member("values").flatMap { $0.isDictionary ? $0 : nil }
        return .neither((values ?? root).sortedMembers.map(\.key))
    }
}

extension DumpNode {
    fileprivate var hasLegacyDictionary: Bool {
        isDictionary && LegacyDictionary.allCases.contains { !keys(of: $0).isEmpty }
    }

    /// Whether one of the two has something in it.
    fileprivate var hasFullDictionary: Bool {
        hasLegacyDictionary
            && LegacyDictionary.allCases.contains { keys(of: $0).contains { member($0)?.memberCount != 0 } }
    }

    /// The keys of a dictionary, as the app writes it and in other letter case, by their bytes.
    fileprivate func keys(of dictionary: LegacyDictionary) -> [String] {
        let wanted = dictionary.rawValue.lowercased()
        var found: [String] = []
        forEachMember { key, _ in
            if key.utf8.count == wanted.utf8.count, key.lowercased() == wanted { found.append(key) }
        }
        return found.sorted { $0.isBefore(bytesOf: $1) }
    }

    /// What a dictionary is in, with which nobody reckoned; nil for a dictionary as it should be, and for nothing.
    fileprivate var wrapping: String? {
        guard memberCount == nil else { return nil }
        let value = dumpValue
        return value == .null ? nil : value.kind
    }

    /// A list of keys and values by turns, of which at least one key is an address. Nil for any other value.
    fileprivate var pairs: [(key: String, value: DumpValue)]? {
        guard let elements, elements.count.isMultiple(of: 2) else { return nil }
        var pairs: [(key: String, value: DumpValue)] = []
        for index in stride(from: 0, to: elements.count, by: 2) {
            guard let key = elements[index].dumpValue.text else { return nil }
            pairs.append((key, elements[index + 1].valueOfMeter))
        }
        return pairs.contains { MACAddress.parse($0.key) != nil } ? pairs : nil
    }

    /// What the members are where the keys are the addresses of meters: names, or units if each value is one. Nil where no
    /// key is an address, or a value is no text.
    fileprivate var bareDictionary: LegacyDictionary? {
        var (hasAddress, areTexts, areUnits, hasWord) = (false, true, true, false)
        forEachMember { key, value in
            hasAddress = hasAddress || MACAddress.parse(key) != nil
            guard areTexts else { return }
            let value = value.valueOfMeter
            guard value.text != nil || value == .null else {
                areTexts = false
                return
            }
            // A letter alone may be a name.
            hasWord = hasWord || value.text.map { $0.utf8.count > 1 } ?? false
            if let text = value.text, TemperatureUnit(understanding: text) == nil { areUnits = false }
        }
        guard hasAddress, areTexts else { return nil }
        return areUnits && hasWord ? .temperatureUnits : .meterNames
    }
}

extension [DumpEntry] {
    /// Adds the members of a dictionary, which may be a document in data or text, and which Swift's JSON encoder writes as a
    /// list of keys and values where its keys are not plain text. A missing one counts as empty.
    /// - Parameter documents: how many documents it is in.
    mutating func append(
        _ dictionary: LegacyDictionary, from node: some DumpNode, documents: Int = 0
    ) throws(DumpError) {
        try DumpError.checkInterruption()
        if let count = node.memberCount {
            reserveCapacity(self.count + count)
            node.forEachMember { append(DumpEntry(dictionary: dictionary, key: $0, value: $1.valueOfMeter)) }
            return
        }
        if documents < DumpLimits.documents, let document = node.document {
            return try append(dictionary, from: document, documents: documents + 1)
        }
        if let pairs = node.pairs {
            self += pairs.map { DumpEntry(dictionary: dictionary, key: $0.key, value: $0.value) }
            return
        }
        let value = node.dumpValue
        guard value != .null else { return }
        throw DumpError(
            "\(dictionary.rawValue) is not a dictionary but \(value.kind)",
            hint:
                "send it as a dictionary: {\"\(dictionary.rawValue)\": {\"A4:C1:38:0B:7E:21\": …}}; or send a line for each "
                + "meter, \(DumpSyntax.example)")
    }
}

extension DumpError {
    private static let names = LegacyDictionary.allCases.map(\.rawValue).joined(separator: " nor ")

    static func neither(_ keys: [String]) -> DumpError {
        let others = "send the whole dump, or a list with an address and a name in each line, \(DumpSyntax.example)"
        guard !keys.isEmpty else { return DumpError("neither \(names) is in it: it is empty", hint: others) }
        let isAddressBook = keys.allSatisfy { MACAddress.parse($0) != nil }
        return DumpError(
            "neither \(names) is in it, only \(keys.listed)",
            hint: isAddressBook ? "write each meter as \"ADDRESS\": \"NAME\"" : others)
    }

    static func severalPlaces(_ places: [String]) -> DumpError {
        DumpError(
            "several places in it have the dictionaries: \(places.listed)",
            hint: "choose one with --kv-store, such as --kv-store \(ShellWord.quoted(places[0].shortened))")
    }

    static func severalApps(_ identifiers: [String]) -> DumpError {
        DumpError(
            "several apps in it have the dictionaries: \(identifiers.listed)", hint: "choose one with --kv-store")
    }

    static func noSuchApp(_ identifier: String, among identifiers: [String]) -> DumpError {
        DumpError(
            "no key-value store \(identifier.shortened) with the dictionaries in it, only \(identifiers.listed)",
            hint: "choose one of these with --kv-store")
    }
}

extension [String] {
    var listed: String {
        let shown = prefix(12).map(\.shortened).joined(separator: ", ")
        return count > 12 ? "\(shown) and \(count - 12) more" : shown
    }
}

extension String {
    var shortened: String { utf8.count <= 80 ? self : String(unicodeScalars.prefix(60)) + "…" }
}
