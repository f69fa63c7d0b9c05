/// A property list as a value: what a binary property list can hold, keyed-archive references included.
package indirect enum PropertyList: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// Seconds since 2001-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8])
    case string(String)
    /// A reference into `$objects` of a keyed archive.
    case uid(UInt64)
    case array([PropertyList])
    case dictionary([String: PropertyList])
}

extension PropertyList {
    package var string: String? { if case .string(let value) = self { value } else { nil } }
    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    package var data: [UInt8]? { if case .data(let value) = self { value } else { nil } }
    package var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }
    package var dictionary: [String: PropertyList]? { if case .dictionary(let value) = self { value } else { nil } }
    package var uid: UInt64? { if case .uid(let value) = self { value } else { nil } }
}

/// One object of a binary property list: a marker byte, whose upper half is the type, and its contents.
struct BinaryPropertyListObject {
    let offset: Int
    private let bytes: BinaryPropertyListBytes
    private let end: Int

    /// An object at `offset` that must not reach `end`.
    init(_ bytes: BinaryPropertyListBytes, at offset: Int, end: Int) {
        self.bytes = bytes
        self.offset = offset
        self.end = end
    }

    func marker() throws(BinaryPropertyListError) -> UInt8 {
        UInt8(truncatingIfNeeded: try bytes.unsigned(at: offset, size: 1, end: end, what: "an object"))
    }

    /// The value of anything but a container, and how many bytes of text or data it has.
    func scalar(_ marker: UInt8) throws(BinaryPropertyListError) -> (value: PropertyList, contentBytes: Int) {
        switch (marker >> 4, marker & 0x0F) {
        case (0x0, 0x0): return (.null, 0)
        case (0x0, 0x8): return (.bool(false), 0)
        case (0x0, 0x9): return (.bool(true), 0)
        case (0x1, let power) where power <= 4: return (.integer(try integer(size: 1 << Int(power))), 0)
        case (0x2, 2): return (.real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try number(size: 4))))), 0)
        case (0x2, 3): return (.real(Double(bitPattern: try number(size: 8))), 0)
        case (0x3, 3): return (.date(Double(bitPattern: try number(size: 8))), 0)
        case (0x4, _):
            let content = try content(unit: 1, what: "data")
            return (.data(Array(content)), content.count)
        case (0x5, _):
            let content = try content(unit: 1, what: "a string")
            guard content.allSatisfy({ $0 < 0x80 }) else {
                throw BinaryPropertyListError("an ASCII string with a byte above 127", at: offset)
            }
            return (.string(String(decoding: content, as: UTF8.self)), content.count)
        case (0x6, _):
            let content = try content(unit: 2, what: "a string")
            return (.string(try utf16(content)), content.count)
        case (0x8, let last) where last < 8: return (.uid(try number(size: Int(last) + 1)), 0)
        default:
            throw BinaryPropertyListError("an unknown object marker, \(marker)", at: offset)
        }
    }

    /// The references of a container: one list of an array or set, two lists (keys, then values) of a dictionary.
    func references(lists: Int, size: Int) throws(BinaryPropertyListError) -> BinaryPropertyListReferences {
        let (count, start) = try count()
        let (total, overflow) = count.multipliedReportingOverflow(by: lists)
        guard !overflow, start <= end, total <= (end - start) / size else {
            throw BinaryPropertyListError("a container of \(count) does not fit into the property list", at: offset)
        }
        return BinaryPropertyListReferences(start: start, count: total, size: size)
    }

    private func number(size: Int) throws(BinaryPropertyListError) -> UInt64 {
        try bytes.unsigned(at: offset + 1, size: size, end: end, what: "a number")
    }

    /// Integers of 1, 2 and 4 bytes are unsigned, those of 8 and 16 signed.
    private func integer(size: Int) throws(BinaryPropertyListError) -> Int64 {
        guard size == 16 else { return Int64(bitPattern: try number(size: size)) }
        let high = try number(size: 8)
        let low = try bytes.unsigned(at: offset + 9, size: 8, end: end, what: "a number")
        let value = Int64(bitPattern: low)
        guard high == (value < 0 ? UInt64.max : 0) else {
            throw BinaryPropertyListError("an integer of more than 64 bits", at: offset)
        }
        return value
    }

    /// The count of a string, data or container, and where its contents begin. A count of 15 or more is an integer
    /// object.
    private func count() throws(BinaryPropertyListError) -> (count: Int, start: Int) {
        let short = try marker() & 0x0F
        guard short == 0x0F else { return (Int(short), offset + 1) }
        let length = try bytes.unsigned(at: offset + 1, size: 1, end: end, what: "a count")
        guard length >> 4 == 1, length & 0x0F <= 3 else {
            throw BinaryPropertyListError("a count is not an integer", at: offset + 1)
        }
        let size = 1 << Int(length & 0x0F)
        let value = try bytes.unsigned(at: offset + 2, size: size, end: end, what: "a count")
        guard let count = Int(exactly: value) else {
            throw BinaryPropertyListError("a count is too large", at: offset + 1)
        }
        return (count, offset + 2 + size)
    }

    private func content(unit: Int, what: String) throws(BinaryPropertyListError) -> ArraySlice<UInt8> {
        let (count, start) = try count()
        let (size, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow else { throw BinaryPropertyListError("\(what) of \(count) is too long", at: offset) }
        return try bytes.slice(at: start, count: size, end: end, what: what)
    }

    private func utf16(_ content: ArraySlice<UInt8>) throws(BinaryPropertyListError) -> String {
        let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
            UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
        }
        let string = String(decoding: units, as: UTF16.self)
        // Decoding replaces an unpaired surrogate by U+FFFD. (`String(validating:as:)` would report it, but needs macOS
        // 15.)
        guard string.utf16.elementsEqual(units) else {
            throw BinaryPropertyListError("a string with an unpaired surrogate", at: offset)
        }
        return string
    }
}
