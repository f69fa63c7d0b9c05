extension PropertyList {
    /// Reads a binary property list (`bplist00`). Sets become arrays, 4-byte reals become 8-byte ones.
    ///
    /// What a `PropertyList` cannot hold exactly is an error, never an approximation: unpaired surrogates, bytes above
    /// 127 in an ASCII string, integers of more than 64 bits, keys that are not strings, duplicate keys.
    /// - Throws: `BinaryPropertyListError` with the position.
    package init(
        binary bytes: [UInt8], limits: BinaryPropertyListLimits = BinaryPropertyListLimits()
    ) throws(BinaryPropertyListError) {
        var reader = try BinaryPropertyListReader(bytes, limits: limits)
        self = try reader.root()
    }
}

/// Walks the object table from the top object. Each object is decoded once; what it expands to is counted at each use.
private struct BinaryPropertyListReader {
    /// What a value costs once expanded.
    private struct Weight {
        var values: Int
        var contentBytes: Int
    }

    private enum Slot {
        case unread
        case underway
        case read(PropertyList, Weight)
    }

    private let bytes: BinaryPropertyListBytes
    private let limits: BinaryPropertyListLimits
    private let trailer: BinaryPropertyListTrailer
    private var slots: [Slot]
    /// References followed and bytes copied so far: never more than the root costs, so exceeding a limit is noticed
    /// before the memory is used.
    private var spent = Weight(values: 0, contentBytes: 0)

    init(_ input: [UInt8], limits: BinaryPropertyListLimits) throws(BinaryPropertyListError) {
        guard input.count <= limits.inputBytes else {
            throw BinaryPropertyListError(
                "the property list has \(input.count) bytes, more than \(limits.inputBytes)", at: limits.inputBytes)
        }
        bytes = BinaryPropertyListBytes(input)
        self.limits = limits
        trailer = try BinaryPropertyListTrailer(bytes)
        slots = Array(repeating: .unread, count: trailer.objectCount)
    }

    mutating func root() throws(BinaryPropertyListError) -> PropertyList {
        try value(of: trailer.topObject, depth: 0, referredFrom: bytes.count - 16).value
    }

    private mutating func value(
        of object: Int, depth: Int, referredFrom origin: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        guard slots.indices.contains(object) else {
            throw BinaryPropertyListError("there is no object \(object)", at: origin)
        }
        switch slots[object] {
        case .read(let value, let weight): return (value, weight)
        case .underway: throw BinaryPropertyListError("object \(object) contains itself", at: origin)
        case .unread: break
        }
        guard depth < limits.depth else {
            throw BinaryPropertyListError("more than \(limits.depth) containers inside each other", at: origin)
        }
        slots[object] = .underway
        let result = try decode(at: trailer.offset(of: object, in: bytes), depth: depth)
        slots[object] = .read(result.value, result.weight)
        return result
    }

    private mutating func decode(
        at offset: Int, depth: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        let scanner = BinaryPropertyListObject(bytes, at: offset, end: trailer.tableOffset)
        let marker = try scanner.marker()
        switch marker >> 4 {
        case 0xA, 0xB, 0xC: return try array(scanner, depth: depth)
        case 0xD: return try dictionary(scanner, depth: depth)
        default:
            let (scalar, contentBytes) = try scanner.scalar(marker)
            try spend(Weight(values: 0, contentBytes: contentBytes), at: offset)
            return (scalar, Weight(values: 1, contentBytes: contentBytes))
        }
    }

    private mutating func array(
        _ object: BinaryPropertyListObject, depth: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        let references = try object.references(lists: 1, size: trailer.referenceSize)
        try spend(Weight(values: references.count, contentBytes: 0), at: object.offset)
        var weight = Weight(values: 1, contentBytes: 0)
        var elements: [PropertyList] = []
        elements.reserveCapacity(references.count)
        for index in 0..<references.count {
            elements.append(try element(references, index, depth: depth, adding: &weight, at: object.offset))
        }
        return (.array(elements), weight)
    }

    private mutating func dictionary(
        _ object: BinaryPropertyListObject, depth: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        let references = try object.references(lists: 2, size: trailer.referenceSize)
        try spend(Weight(values: references.count, contentBytes: 0), at: object.offset)
        var weight = Weight(values: 1, contentBytes: 0)
        var entries: [String: PropertyList] = [:]
        for index in 0..<references.count / 2 {
            let origin = references.offset(index)
            let key = try element(references, index, depth: depth, adding: &weight, at: object.offset)
            guard case .string(let name) = key else {
                throw BinaryPropertyListError("a key of a dictionary is not a string", at: origin)
            }
            let valueIndex = index + references.count / 2
            let value = try element(references, valueIndex, depth: depth, adding: &weight, at: object.offset)
            guard entries.updateValue(value, forKey: name) == nil else {
                throw BinaryPropertyListError("a dictionary has a duplicate key", at: origin)
            }
        }
        return (.dictionary(entries), weight)
    }

    private mutating func element(
        _ references: BinaryPropertyListReferences, _ index: Int, depth: Int, adding total: inout Weight, at offset: Int
    ) throws(BinaryPropertyListError) -> PropertyList {
        let origin = references.offset(index)
        let object = try bytes.index(at: origin, size: references.size, what: "a reference")
        let (value, weight) = try value(of: object, depth: depth + 1, referredFrom: origin)
        total = try sum(total, weight, at: offset)
        return value
    }

    private mutating func spend(_ weight: Weight, at offset: Int) throws(BinaryPropertyListError) {
        spent = try sum(spent, weight, at: offset)
    }

    private func sum(_ left: Weight, _ right: Weight, at offset: Int) throws(BinaryPropertyListError) -> Weight {
        guard right.values <= limits.values - left.values else {
            throw BinaryPropertyListError("more than \(limits.values) values once expanded", at: offset)
        }
        guard right.contentBytes <= limits.contentBytes - left.contentBytes else {
            throw BinaryPropertyListError("more than \(limits.contentBytes) bytes of text and data", at: offset)
        }
        return Weight(
            values: left.values + right.values, contentBytes: left.contentBytes + right.contentBytes)
    }
}

/// How much a binary property list may contain. Counts are taken after shared objects are expanded, so that a small
/// file cannot expand to an enormous value.
package struct BinaryPropertyListLimits: Hashable, Sendable {
    /// Bytes of the whole property list.
    package var inputBytes = 1 << 26
    /// Depth of nested containers.
    package var depth = 128
    /// Values, containers and keys included.
    package var values = 1 << 20
    /// Bytes of all strings and data together, as in the file.
    package var contentBytes = 1 << 28

    package init() {}
}

/// Why bytes are not a binary property list, and where.
package struct BinaryPropertyListError: Error, Hashable, CustomStringConvertible {
    package let reason: String
    /// Bytes from the start of the property list.
    package let offset: Int

    init(_ reason: String, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "\(reason), at byte \(offset) of the property list" }
}
