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
