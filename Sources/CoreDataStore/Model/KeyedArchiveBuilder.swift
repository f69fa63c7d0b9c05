/// Builds the objects of a keyed archive. Objects that refer to each other are reserved first and set later.
struct KeyedArchiveBuilder {
    static let null = PropertyList.uid(0)

    private var objects: [PropertyList] = [.string("$null")]
    private var classes: [String: PropertyList] = [:]
    /// By bytes: string equality would treat some names with different bytes as equal.
    private var strings: [[UInt8]: PropertyList] = [:]

    mutating func reserve() -> PropertyList { append(.null) }

    mutating func set(
        _ reference: PropertyList, to values: [String: PropertyList], class name: String, ancestors: [String] = []
    ) {
        guard let index = reference.uid.flatMap(Int.init(exactly:)), objects.indices.contains(index) else { return }
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

    private mutating func append(_ object: PropertyList) -> PropertyList {
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
