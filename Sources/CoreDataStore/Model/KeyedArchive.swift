/// The objects of an `NSKeyedArchiver` archive, looked up and never unarchived: no class is instantiated, references
/// are followed one step at a time, and the steps are counted.
struct KeyedArchive {
    let root: Object
    private let objects: [PropertyList]
    private var remainingSteps: Int

    /// An archived object: its values by key, and the name of its class.
    struct Object {
        let className: String
        let values: [String: PropertyList]

        func flag(_ key: String) -> Bool { values[key] == .bool(true) || values[key] == .integer(1) }
    }

    /// - Parameter key: under which the root was archived.
    /// - Throws: `ModelArchiveError` for what is no archive, or has no object there.
    init(_ list: PropertyList, root key: String = "root", steps: Int) throws(ModelArchiveError) {
        guard let values = list.dictionary, values["$archiver"] == .string("NSKeyedArchiver"),
            let objects = values["$objects"]?.array
        else { throw .malformed("the property list is not a keyed archive") }
        self.objects = objects
        remainingSteps = steps
        guard let root = Self.object(values["$top"]?.dictionary?[key], in: objects) else {
            throw .malformed("the keyed archive has no root")
        }
        self.root = root
    }

    mutating func object(_ reference: PropertyList?) throws(ModelArchiveError) -> Object? {
        try spend(1)
        return Self.object(reference, in: objects)
    }

    /// Whether `reference` refers to anything: not where it is missing or archived as nil.
    mutating func refers(_ reference: PropertyList?) throws(ModelArchiveError) -> Bool {
        try spend(1)
        return Self.value(reference, in: objects) != nil
    }

    /// The text that `reference` refers to; nil for what is no text, and for what is missing or archived as nil. Every
    /// text of an archive is read here, because each can have either of the forms seen in real stores: a plain string,
    /// or an object (`NSString`, `NSMutableString`) with the string under `NS.string`.
    mutating func string(_ reference: PropertyList?) throws(ModelArchiveError) -> String? {
        try spend(1)
        guard let value = Self.value(reference, in: objects) else { return nil }
        guard let text = value.dictionary?["NS.string"] else { return value.string }
        try spend(1)
        return text.string ?? Self.value(text, in: objects)?.string
    }

    /// The integer that `reference` refers to; nil for anything else.
    mutating func integer(_ reference: PropertyList?) throws(ModelArchiveError) -> Int64? {
        try spend(1)
        return Self.value(reference, in: objects)?.integer
    }

    /// The elements of an archived `NSArray` or `NSSet`, as references; empty for anything else.
    mutating func elements(_ reference: PropertyList?) throws(ModelArchiveError) -> [PropertyList] {
        let elements = try object(reference)?.values["NS.objects"]?.array ?? []
        try spend(elements.count)
        return elements
    }

    /// The entries of an archived dictionary whose keys are strings; nil for anything else. Two encodings were seen in
    /// real stores: `NS.keys` and `NS.objects`, and `NSKnownKeysDictionary1` with its keys in a `searchMapping`.
    mutating func entries(
        _ reference: PropertyList?
    ) throws(ModelArchiveError) -> [(key: String, value: PropertyList)]? {
        guard let dictionary = try object(reference) else { return nil }
        var keys = dictionary.values["NS.keys"]?.array
        var values = dictionary.values["NS.objects"]?.array
        if let mapping = try object(dictionary.values["searchMapping"]) {
            keys = try elements(mapping.values["keys"])
            values = try elements(dictionary.values["values"])
        }
        guard let keys, let values, keys.count == values.count else { return nil }
        var entries: [(key: String, value: PropertyList)] = []
        for (key, value) in zip(keys, values) {
            guard let name = try string(key) else { return nil }
            entries.append((name, value))
        }
        return entries
    }

    /// What `reference` refers to, as far as a property list can hold it: texts, numbers, data, dates, lists, and
    /// dictionaries whose keys are texts.
    fileprivate mutating func propertyList(_ reference: PropertyList, depth: Int = 0) throws(ModelArchiveError)
        -> PropertyList
    {
        guard depth < Self.deepest else { throw .malformed("the keyed archive is nested too deep") }
        if let text = try string(reference) { return .string(text) }
        if let entries = try entries(reference) {
            var members: [String: PropertyList] = [:]
            for (key, value) in entries {
                guard members.updateValue(try propertyList(value, depth: depth + 1), forKey: key) == nil else {
                    throw .malformed("a dictionary of the keyed archive has a key twice")
                }
            }
            return .dictionary(members)
        }
        guard let object = try object(reference) else { return Self.value(reference, in: objects) ?? .null }
        if let data = object.values["NS.data"] {
            return data.uid == nil ? data : Self.value(data, in: objects) ?? .null
        }
        if case .real(let seconds) = object.values["NS.time"] { return .date(seconds) }
        guard object.values["NS.objects"]?.array != nil else {
            throw .malformed("the keyed archive has a \(object.className) in it")
        }
        var elements: [PropertyList] = []
        for element in try self.elements(reference) { elements.append(try propertyList(element, depth: depth + 1)) }
        return .array(elements)
    }

    private static let deepest = 60

    private mutating func spend(_ steps: Int) throws(ModelArchiveError) {
        guard steps <= remainingSteps else { throw .malformed("the keyed archive refers to too many objects") }
        remainingSteps -= steps
    }

    private static func value(_ reference: PropertyList?, in objects: [PropertyList]) -> PropertyList? {
        // The archiver's nil is the object 0, "$null".
        guard let index = reference?.uid.flatMap(Int.init(exactly:)), index > 0, index < objects.count else {
            return nil
        }
        return objects[index]
    }

    private static func object(_ reference: PropertyList?, in objects: [PropertyList]) -> Object? {
        guard let values = value(reference, in: objects)?.dictionary,
            let className = value(values["$class"], in: objects)?.dictionary?["$classname"]?.string
        else { return nil }
        return Object(className: className, values: values)
    }
}

extension PropertyList {
    /// The values of the object at the root of a keyed archive; nil for what is no archive.
    package var archivedValues: [String: PropertyList]? { (try? KeyedArchive(self, steps: 0))?.root.values }

    /// What a keyed archive has at its root, or under the keys that its program gave (`encodeObject:forKey:`), if a
    /// property list can hold that; nil also for what is no archive.
    package var unarchived: PropertyList? {
        guard let top = dictionary?["$top"]?.dictionary, let key = top["root"] == nil ? top.keys.min() : "root",
            var archive = try? KeyedArchive(self, root: key, steps: 1 << 20)
        else { return nil }
        if let root = top["root"] { return try? archive.propertyList(root) }
        var members: [String: PropertyList] = [:]
        for (key, value) in top {
            guard let member = try? archive.propertyList(value) else { return nil }
            members[key] = member
        }
        return .dictionary(members)
    }
}

/// Builds the objects of a keyed archive. Objects that refer to each other are reserved first and set later.
struct KeyedArchiveBuilder {
    static let null = PropertyList.uid(0)

    private(set) var objects: [PropertyList] = [.string("$null")]
    private var classes: [String: PropertyList] = [:]
    /// By bytes: string equality would treat some names with different bytes as equal.
    private var strings: [[UInt8]: PropertyList] = [:]

    init() {}

    /// Goes on with the objects of an archive: what it has is referred to, not added again.
    init(continuing objects: [PropertyList]) {
        self.objects = objects
        for (index, object) in objects.enumerated().dropFirst() {
            let reference = PropertyList.uid(UInt64(index))
            if let text = object.string {
                strings[Array(text.utf8)] = strings[Array(text.utf8)] ?? reference
            } else if let name = object.dictionary?["$classname"]?.string {
                classes[name] = classes[name] ?? reference
            }
        }
    }

    /// The values of an object that is an object with values; nil for another, and for none.
    subscript(reference: PropertyList?) -> [String: PropertyList]? {
        get { index(reference).flatMap { objects[$0].dictionary } }
        set { if let index = index(reference), let newValue { objects[index] = .dictionary(newValue) } }
    }

    private func index(_ reference: PropertyList?) -> Int? {
        reference?.uid.flatMap(Int.init(exactly:)).flatMap { objects.indices.contains($0) ? $0 : nil }
    }

    mutating func reserve() -> PropertyList { append(.null) }

    mutating func set(
        _ reference: PropertyList, to values: [String: PropertyList], class name: String, ancestors: [String] = []
    ) {
        guard let index = index(reference) else { return }
        var values = values
        values["$class"] = classReference(name, ancestors: ancestors)
        objects[index] = .dictionary(values)
    }

    mutating func add(
        _ values: [String: PropertyList], class name: String, ancestors: [String] = []
    ) -> PropertyList {
        let reference = reserve()
        set(reference, to: values, class: name, ancestors: ancestors)
        return reference
    }

    mutating func string(_ value: String?) -> PropertyList {
        guard let value else { return Self.null }
        let key = Array(value.utf8)
        if let known = strings[key] { return known }
        let reference = append(.string(value))
        strings[key] = reference
        return reference
    }

    mutating func array(_ elements: [PropertyList]) -> PropertyList {
        add(["NS.objects": .array(elements)], class: "NSArray")
    }

    mutating func mutableArray(_ elements: [PropertyList]) -> PropertyList {
        add(["NS.objects": .array(elements)], class: "NSMutableArray", ancestors: ["NSArray"])
    }

    mutating func mutableDictionary(_ entries: [(key: String, value: PropertyList)]) -> PropertyList {
        let keys = entries.map { string($0.key) }
        return add(
            ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.value))], class: "NSMutableDictionary",
            ancestors: ["NSDictionary"])
    }

    func archive(root: PropertyList) -> PropertyList {
        .dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$objects": .array(objects),
            "$top": .dictionary(["root": root]),
        ])
    }

    mutating func append(_ object: PropertyList) -> PropertyList {
        objects.append(object)
        return .uid(UInt64(objects.count - 1))
    }

    private mutating func classReference(_ name: String, ancestors: [String]) -> PropertyList {
        if let known = classes[name] { return known }
        let chain = ([name] + ancestors + ["NSObject"]).map(PropertyList.string)
        let reference = append(.dictionary(["$classname": .string(name), "$classes": .array(chain)]))
        classes[name] = reference
        return reference
    }
}
