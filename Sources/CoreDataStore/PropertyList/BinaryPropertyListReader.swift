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

/// The bytes of a property list, with bounds checks.
struct BinaryPropertyListBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func starts(with prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

    /// `count` bytes from `offset`, none of them at or after `end`.
    func slice(
        at offset: Int, count: Int, end: Int, what: String
    ) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, offset <= end, end <= bytes.count, count <= end - offset else {
            throw BinaryPropertyListError("\(what) does not fit into the property list", at: offset)
        }
        return bytes[offset..<offset + count]
    }

    /// A big-endian number of 1 to 8 bytes.
    func unsigned(at offset: Int, size: Int, end: Int, what: String) throws(BinaryPropertyListError) -> UInt64 {
        try slice(at: offset, count: size, end: end, what: what).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number that counts bytes or objects of this file, so that it fits an `Int`.
    func index(at offset: Int, size: Int, what: String) throws(BinaryPropertyListError) -> Int {
        guard let value = Int(exactly: try unsigned(at: offset, size: size, end: count, what: what)) else {
            throw BinaryPropertyListError("\(what) is too large", at: offset)
        }
        return value
    }
}

/// The last 32 bytes: 6 unused ones, the sizes of offsets and references, then three 8-byte numbers.
struct BinaryPropertyListTrailer {
    let objectCount: Int
    let topObject: Int
    /// Where the offset table begins: every object ends before it.
    let tableOffset: Int
    /// Bytes of one reference.
    let referenceSize: Int
    private let offsetSize: Int

    init(_ bytes: BinaryPropertyListBytes) throws(BinaryPropertyListError) {
        guard bytes.starts(with: "bplist0") else {
            throw BinaryPropertyListError("this is not a binary property list: it does not begin with bplist0", at: 0)
        }
        guard bytes.count >= 8 + 32 else {
            throw BinaryPropertyListError("the property list ends before its trailer", at: bytes.count)
        }
        let start = bytes.count - 32
        offsetSize = try bytes.index(at: start + 6, size: 1, what: "the size of offsets")
        referenceSize = try bytes.index(at: start + 7, size: 1, what: "the size of references")
        objectCount = try bytes.index(at: start + 8, size: 8, what: "the number of objects")
        topObject = try bytes.index(at: start + 16, size: 8, what: "the top object")
        tableOffset = try bytes.index(at: start + 24, size: 8, what: "the offset of the offset table")
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw BinaryPropertyListError("offsets and references have 1 to 8 bytes", at: start + 6)
        }
        guard (8...start).contains(tableOffset), objectCount <= (start - tableOffset) / offsetSize else {
            throw BinaryPropertyListError("the offset table does not fit into the property list", at: start + 8)
        }
    }

    /// Where `object`, a number below `objectCount`, begins.
    func offset(of object: Int, in bytes: BinaryPropertyListBytes) throws(BinaryPropertyListError) -> Int {
        let entry = tableOffset + object * offsetSize
        let offset = try bytes.index(at: entry, size: offsetSize, what: "an offset")
        guard (8..<tableOffset).contains(offset) else {
            throw BinaryPropertyListError("object \(object) cannot begin at byte \(offset)", at: entry)
        }
        return offset
    }
}

/// The position of a container's references; each was checked to be inside the file.
struct BinaryPropertyListReferences {
    let start: Int
    let count: Int
    let size: Int

    func offset(_ index: Int) -> Int { start + index * size }
}
