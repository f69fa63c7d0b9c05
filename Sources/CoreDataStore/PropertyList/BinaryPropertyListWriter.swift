internal import Texts

extension PropertyList {
    /// This value as a binary property list, `bplist00`. The same value always gives the same bytes: keys are in byte
    /// order, equal scalars are stored once, offsets and references are as small as possible.
    ///
    /// The layout is Apple's: a container before its contents, the keys of a dictionary before its values. Recurses
    /// once for each level of nesting, which is limited for values that were read.
    package func binaryPropertyList() -> [UInt8] {
        var table = BinaryPropertyListObjectTable()
        table.add(self)
        return table.encoded()
    }
}

/// The objects of a property list in the order in which they are written.
private struct BinaryPropertyListObjectTable {
    /// What each begins with, or all of it, and the objects that it refers to.
    private var objects: [(head: [UInt8], references: [Int])] = []
    /// The index of a scalar, by its encoding: equality of values would treat some texts with different bytes as equal.
    private var known: [[UInt8]: Int] = [:]

    @discardableResult
    mutating func add(_ value: PropertyList) -> Int {
        let index = objects.count
        switch value {
        case .array(let elements):
            objects.append((marker(0xA0, count: elements.count), []))
            let references = elements.map { add($0) }
            objects[index].references = references
        case .dictionary(let entries):
            objects.append((marker(0xD0, count: entries.count), []))
            let sorted = entries.sorted(byBytesOf: \.key)
            let keys = sorted.map { add(.string($0.key)) }
            let values = sorted.map { add($0.value) }
            objects[index].references = keys + values
        case .null, .bool, .integer, .unsigned, .real, .date, .data, .string, .uid:
            let encoded = value.encodedScalar
            if let existing = known[encoded] { return existing }
            known[encoded] = index
            objects.append((encoded, []))
        }
        return index
    }

    func encoded() -> [UInt8] {
        let referenceSize = byteCount(UInt64(objects.count))
        var bytes = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            bytes += object.head
            for reference in object.references { bytes += bigEndian(UInt64(reference), size: referenceSize) }
        }
        let tableOffset = bytes.count
        let offsetSize = byteCount(UInt64(tableOffset))
        for offset in offsets { bytes += bigEndian(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        bytes += bigEndian(UInt64(objects.count), size: 8)
        bytes += bigEndian(0, size: 8)
        bytes += bigEndian(UInt64(tableOffset), size: 8)
        return bytes
    }
}

extension PropertyList {
    /// The object bytes of a value that contains no others; empty for a container.
    fileprivate var encodedScalar: [UInt8] {
        switch self {
        case .null: [0x00]
        case .bool(let value): [value ? 0x09 : 0x08]
        case .integer(let value): encodedInteger(value)
        case .unsigned(let value): [0x14] + bigEndian(0, size: 8) + bigEndian(value, size: 8)
        case .real(let value): [0x23] + bigEndian(value.bitPattern, size: 8)
        case .date(let value): [0x33] + bigEndian(value.bitPattern, size: 8)
        case .data(let value): marker(0x40, count: value.count) + value
        case .string(let value):
            if value.utf8.allSatisfy({ $0 < 0x80 }) {
                marker(0x50, count: value.utf8.count) + Array(value.utf8)
            } else {
                marker(0x60, count: value.utf16.count) + value.utf16.flatMap { bigEndian(UInt64($0), size: 2) }
            }
        case .uid(let value): [0x80 | UInt8(byteCount(value) - 1)] + bigEndian(value, size: byteCount(value))
        case .array, .dictionary: []
        }
    }
}

/// Negative integers take 8 bytes, others as few as possible.
private func encodedInteger(_ value: Int64) -> [UInt8] {
    let size = value < 0 ? 8 : byteCount(UInt64(value))
    return [0x10 | UInt8(size.trailingZeroBitCount)] + bigEndian(UInt64(bitPattern: value), size: size)
}

private func marker(_ type: UInt8, count: Int) -> [UInt8] {
    count < 15 ? [type | UInt8(count)] : [type | 0x0F] + encodedInteger(Int64(count))
}

/// The smallest of 1, 2, 4 and 8 bytes that holds `value`.
private func byteCount(_ value: UInt64) -> Int {
    switch value {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
}

private func bigEndian(_ value: UInt64, size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
}
