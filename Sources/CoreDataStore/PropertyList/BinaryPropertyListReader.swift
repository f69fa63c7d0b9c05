extension PropertyList {
    /// Reads a binary property list (`bplist00`). Sets become arrays, 4-byte reals become 8-byte ones.
    ///
    /// What a `PropertyList` cannot hold exactly is an error, never an approximation: unpaired surrogates, bytes above
    /// 127 in an ASCII string, integers below −2^63 or above 2^64 − 1, keys that are not strings, duplicate keys.
    /// - Throws: `BinaryPropertyListError`, also where it is larger or deeper than `limits`.
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

    private let bytes: [UInt8]
    private let limits: BinaryPropertyListLimits
    private let topObject: Int
    /// Where the offset table begins: every object ends before it.
    private let tableOffset: Int
    /// Bytes of one entry of the offset table.
    private let offsetSize: Int
    /// Bytes of one reference.
    private let referenceSize: Int
    private var slots: [Slot]
    /// References followed and bytes copied so far: never more than the root costs, so exceeding a limit is noticed
    /// before the memory is used.
    private var spent = Weight(values: 0, contentBytes: 0)

    /// Reads the last 32 bytes: 6 unused ones, the sizes of offsets and references, then three 8-byte numbers.
    init(_ bytes: [UInt8], limits: BinaryPropertyListLimits) throws(BinaryPropertyListError) {
        guard bytes.count <= limits.inputBytes else {
            throw .init(
                "the property list has \(bytes.count) bytes, more than \(limits.inputBytes)", at: limits.inputBytes)
        }
        guard bytes.starts(with: "bplist0".utf8) else {
            throw .init("this is not a binary property list: it does not begin with bplist0", at: 0)
        }
        guard bytes.count >= 8 + 32 else { throw .init("the property list ends before its trailer", at: bytes.count) }
        (self.bytes, self.limits) = (bytes, limits)
        let start = bytes.count - 32
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        let objectCount = try Self.index(bytes, at: start + 8, size: 8, what: "the number of objects")
        topObject = try Self.index(bytes, at: start + 16, size: 8, what: "the top object")
        tableOffset = try Self.index(bytes, at: start + 24, size: 8, what: "the offset of the offset table")
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw .init("offsets and references have 1 to 8 bytes", at: start + 6)
        }
        guard (8...start).contains(tableOffset), objectCount <= (start - tableOffset) / offsetSize else {
            throw .init("the offset table does not fit into the property list", at: start + 8)
        }
        slots = Array(repeating: .unread, count: objectCount)
    }

    mutating func root() throws(BinaryPropertyListError) -> PropertyList {
        try value(of: topObject, depth: 0, referredFrom: bytes.count - 16).value
    }

    private mutating func value(
        of object: Int, depth: Int, referredFrom origin: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        guard slots.indices.contains(object) else { throw .init("there is no object \(object)", at: origin) }
        switch slots[object] {
        case .read(let value, let weight): return (value, weight)
        case .underway: throw .init("object \(object) contains itself", at: origin)
        case .unread: break
        }
        guard depth < limits.depth else {
            throw .init("more than \(limits.depth) containers inside each other", at: origin)
        }
        slots[object] = .underway
        let entry = tableOffset + object * offsetSize
        let offset = try Self.index(bytes, at: entry, size: offsetSize, what: "an offset")
        guard (8..<tableOffset).contains(offset) else {
            throw .init("object \(object) cannot begin at byte \(offset)", at: entry)
        }
        let result = try decode(at: offset, depth: depth)
        slots[object] = .read(result.value, result.weight)
        return result
    }

    /// The object at an offset in front of the offset table: a marker byte, whose upper half is the type, and its contents.
    private mutating func decode(
        at offset: Int, depth: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        switch bytes[offset] >> 4 {
        case 0xA, 0xB, 0xC: return try array(at: offset, depth: depth)
        case 0xD: return try dictionary(at: offset, depth: depth)
        default:
            let (scalar, contentBytes) = try scalar(at: offset)
            try spend(Weight(values: 0, contentBytes: contentBytes), at: offset)
            return (scalar, Weight(values: 1, contentBytes: contentBytes))
        }
    }

    private mutating func array(
        at offset: Int, depth: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        let (count, start) = try references(at: offset, lists: 1)
        var weight = Weight(values: 1, contentBytes: 0)
        var elements: [PropertyList] = []
        elements.reserveCapacity(count)
        for index in 0..<count {
            let origin = start + index * referenceSize
            elements.append(try element(referredFrom: origin, depth: depth, adding: &weight, at: offset))
        }
        return (.array(elements), weight)
    }

    private mutating func dictionary(
        at offset: Int, depth: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, weight: Weight) {
        let (count, start) = try references(at: offset, lists: 2)
        var weight = Weight(values: 1, contentBytes: 0)
        var entries: [String: PropertyList] = [:]
        for index in 0..<count {
            let origin = start + index * referenceSize
            let key = try element(referredFrom: origin, depth: depth, adding: &weight, at: offset)
            guard case .string(let name) = key else {
                throw .init("a key of a dictionary is not a string", at: origin)
            }
            let place = origin + count * referenceSize
            let value = try element(referredFrom: place, depth: depth, adding: &weight, at: offset)
            guard entries.updateValue(value, forKey: name) == nil else {
                throw .init("a dictionary has a duplicate key", at: origin)
            }
        }
        return (.dictionary(entries), weight)
    }

    private mutating func element(
        referredFrom origin: Int, depth: Int, adding total: inout Weight, at offset: Int
    ) throws(BinaryPropertyListError) -> PropertyList {
        let object = try Self.index(bytes, at: origin, size: referenceSize, what: "a reference")
        let (value, weight) = try value(of: object, depth: depth + 1, referredFrom: origin)
        total = try sum(total, weight, at: offset)
        return value
    }

    private mutating func spend(_ weight: Weight, at offset: Int) throws(BinaryPropertyListError) {
        spent = try sum(spent, weight, at: offset)
    }

    private func sum(_ left: Weight, _ right: Weight, at offset: Int) throws(BinaryPropertyListError) -> Weight {
        guard right.values <= limits.values - left.values else {
            throw .init("more than \(limits.values) values once expanded", at: offset)
        }
        guard right.contentBytes <= limits.contentBytes - left.contentBytes else {
            throw .init("more than \(limits.contentBytes) bytes of text and data", at: offset)
        }
        return Weight(values: left.values + right.values, contentBytes: left.contentBytes + right.contentBytes)
    }

    // MARK: - Objects

    /// The value of anything but a container, and how many bytes of text or data it has.
    private func scalar(
        at offset: Int
    ) throws(BinaryPropertyListError) -> (value: PropertyList, contentBytes: Int) {
        func number(_ size: Int) throws(BinaryPropertyListError) -> UInt64 {
            try unsigned(at: offset + 1, size: size, what: "a number")
        }
        switch (bytes[offset] >> 4, bytes[offset] & 0x0F) {
        case (0x0, 0x0): return (.null, 0)
        case (0x0, 0x8): return (.bool(false), 0)
        case (0x0, 0x9): return (.bool(true), 0)
        // Integers of 1, 2 and 4 bytes are unsigned, those of 8 and 16 signed.
        case (0x1, let power) where power < 4: return (.integer(Int64(bitPattern: try number(1 << Int(power)))), 0)
        case (0x1, 4):
            // Apple writes 16 bytes for what is above the signed 64-bit range.
            let high = try number(8)
            let low = try unsigned(at: offset + 9, size: 8, what: "a number")
            let signed = Int64(bitPattern: low)
            switch high {
            case 0: return (.number(low), 0)
            case .max where signed < 0: return (.integer(signed), 0)
            default: throw .init("an integer of more than 64 bits", at: offset)
            }
        case (0x2, 2): return (.real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(4))))), 0)
        case (0x2, 3): return (.real(Double(bitPattern: try number(8))), 0)
        case (0x3, 3): return (.date(Double(bitPattern: try number(8))), 0)
        case (0x4, _):
            let content = try content(at: offset, unit: 1, what: "data")
            return (.data(Array(content)), content.count)
        case (0x5, _):
            let content = try content(at: offset, unit: 1, what: "a string")
            guard content.allSatisfy({ $0 < 0x80 }) else {
                throw .init("an ASCII string with a byte above 127", at: offset)
            }
            return (.string(String(decoding: content, as: UTF8.self)), content.count)
        case (0x6, _):
            let content = try content(at: offset, unit: 2, what: "a string")
            let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
                UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
            }
            let string = String(decoding: units, as: UTF16.self)
            // Decoding replaces an unpaired surrogate by U+FFFD. (`String(validating:as:)` would report it, but needs
            // macOS 15.)
            guard string.utf16.elementsEqual(units) else {
                throw .init("a string with an unpaired surrogate", at: offset)
            }
            return (.string(string), content.count)
        case (0x8, let last) where last < 8: return (.uid(try number(Int(last) + 1)), 0)
        default: throw .init("an unknown object marker, \(bytes[offset])", at: offset)
        }
    }

    /// The references of a container, each of them in front of the offset table.
    /// - Parameter lists: one of an array or set, two (keys, then values) of a dictionary.
    /// - Returns: how many each list has, and where the first one begins.
    private mutating func references(
        at offset: Int, lists: Int
    ) throws(BinaryPropertyListError) -> (count: Int, start: Int) {
        let (count, start) = try count(at: offset)
        let (total, overflow) = count.multipliedReportingOverflow(by: lists)
        guard !overflow, start <= tableOffset, total <= (tableOffset - start) / referenceSize else {
            throw .init("a container of \(count) does not fit into the property list", at: offset)
        }
        try spend(Weight(values: total, contentBytes: 0), at: offset)
        return (count, start)
    }

    /// The count of a string, data or container, and where its contents begin. A count of 15 or more is an integer
    /// object.
    private func count(at offset: Int) throws(BinaryPropertyListError) -> (count: Int, start: Int) {
        let short = bytes[offset] & 0x0F
        guard short == 0x0F else { return (Int(short), offset + 1) }
        let length = try unsigned(at: offset + 1, size: 1, what: "a count")
        guard length >> 4 == 1, length & 0x0F <= 3 else { throw .init("a count is not an integer", at: offset + 1) }
        let size = 1 << Int(length & 0x0F)
        guard let count = Int(exactly: try unsigned(at: offset + 2, size: size, what: "a count")) else {
            throw .init("a count is too large", at: offset + 1)
        }
        return (count, offset + 2 + size)
    }

    private func content(at offset: Int, unit: Int, what: String) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        let (count, start) = try count(at: offset)
        let (size, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow else { throw .init("\(what) of \(count) is too long", at: offset) }
        return try Self.slice(bytes, at: start, count: size, end: tableOffset, what: what)
    }

    /// A big-endian number of 1 to 8 bytes, in front of the offset table.
    private func unsigned(at offset: Int, size: Int, what: String) throws(BinaryPropertyListError) -> UInt64 {
        try Self.slice(bytes, at: offset, count: size, end: tableOffset, what: what).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A number that counts bytes or objects of this file, so that it fits an `Int`.
    private static func index(
        _ bytes: [UInt8], at offset: Int, size: Int, what: String
    ) throws(BinaryPropertyListError) -> Int {
        let value = try slice(bytes, at: offset, count: size, end: bytes.count, what: what)
            .reduce(0) { $0 << 8 | UInt64($1) }
        guard let index = Int(exactly: value) else { throw .init("\(what) is too large", at: offset) }
        return index
    }

    /// `count` bytes from `offset`, none of them at or after `end`.
    private static func slice(
        _ bytes: [UInt8], at offset: Int, count: Int, end: Int, what: String
    ) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        guard offset >= 0, count >= 0, offset <= end, end <= bytes.count, count <= end - offset else {
            throw .init("\(what) does not fit into the property list", at: offset)
        }
        return bytes[offset..<offset + count]
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
