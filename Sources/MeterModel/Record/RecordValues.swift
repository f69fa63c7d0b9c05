internal import Texts

/// The values of one record in one block of bytes. A store of a million records is read without making an object for
/// each value; a value is made on demand.
package struct RecordValues: Sendable {
    /// The number of values and the end offset of each, in two bytes each, or in four where the whole has more than 65,535
    /// bytes; then the values, each one byte for its kind and then its bytes. NULL takes no bytes. (SQLite's rows have
    /// less than 2^30 bytes.)
    private let bytes: [UInt8]

    /// Bytes of a number in front of the values.
    fileprivate static func width(ofAll count: Int) -> Int { count <= 0xFFFF ? 2 : 4 }

    /// One of the numbers in front of the values.
    private static func number(_ index: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        width(ofAll: bytes.count) == 2
            ? Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)))
            : Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
    }

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    package init(_ values: some Sequence<FieldValue>) {
        var builder = Builder()
        for value in values { builder.append(value) }
        self = builder.finish()
    }

    fileprivate enum Kind: UInt8 {
        case integer = 1
        case real, text, malformedText, blob
        /// Text as Foundation prints a UUID, which each record has several of: its 16 bytes.
        case uuidText
    }

    /// Hands the kind and the bytes of a value to `body`; for NULL, nil and no bytes.
    private func withValue<Result>(_ position: Int, _ body: (Kind?, UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { bytes in
            let count = Self.number(0, in: bytes)
            precondition(position >= 0 && position < count, "no value at \(position)")
            let start =
                position == 0 ? (count + 1) * Self.width(ofAll: bytes.count) : Self.number(position, in: bytes)
            let value = UnsafeRawBufferPointer(rebasing: bytes[start..<Self.number(position + 1, in: bytes)])
            guard let kind = value.first else { return body(nil, value) }
            return body(Kind(rawValue: kind), UnsafeRawBufferPointer(rebasing: value.dropFirst()))
        }
    }
}

extension RecordValues: RandomAccessCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int {
        bytes.withUnsafeBytes { Self.number(0, in: $0) }
    }

    package subscript(position: Int) -> FieldValue {
        withValue(position) { kind, bytes in
            switch kind {
            case nil: .null
            case .integer: .integer(bytes.loadUnaligned(as: Int64.self))
            case .real: .real(bytes.loadUnaligned(as: Double.self))
            case .text: .text(String(decoding: bytes, as: UTF8.self))
            case .malformedText: .malformedText(Array(bytes))
            case .blob: .blob(Array(bytes))
            case .uuidText: .text(Hexadecimal.uuidText(of: Array(bytes)))
            }
        }
    }
}

extension RecordValues {
    package func isNull(_ position: Int) -> Bool { withValue(position) { kind, _ in kind == nil } }

    /// `FieldValue.isEmpty` of the value.
    package func isEmpty(_ position: Int) -> Bool {
        withValue(position) { kind, bytes in
            switch kind {
            case nil: true
            case .integer, .real, .uuidText: false
            case .malformedText, .blob: bytes.isEmpty
            case .text: WhiteSpace.isAll(bytes.assumingMemoryBound(to: UInt8.self))
            }
        }
    }

    /// The date, where it is plausible.
    package func timestamp(_ position: Int) -> Timestamp? {
        withValue(position) { kind, bytes in
            switch kind {
            case .integer: Timestamp(secondsSince2001: Double(bytes.loadUnaligned(as: Int64.self))).ifPlausible
            case .real: Timestamp(secondsSince2001: bytes.loadUnaligned(as: Double.self)).ifPlausible
            case nil, .text, .malformedText, .blob, .uuidText: nil
            }
        }
    }

    /// `FieldValue.isUsable` of the value.
    package func isUsable(_ position: Int, as field: SettingsField) -> Bool {
        guard !isEmpty(position) else { return false }
        return field.settable != .unit || self[position].isUsable(as: field)
    }

    /// Whether the value equals that of another record.
    package func isEqual(_ position: Int, to other: RecordValues) -> Bool {
        let isEqual: Bool? = withValue(position) { kind, bytes in
            other.withValue(position) { otherKind, otherBytes in
                // An integer can equal a real.
                if kind == .integer || kind == .real { return nil }
                return kind == otherKind && bytes.elementsEqual(otherBytes)
            }
        }
        return isEqual ?? (self[position] == other[position])
    }
}

extension RecordValues {
    /// A value without an object of its own, valid inside the closure that it is handed to.
    package enum Borrowed {
        case null
        case integer(Int64)
        case real(Double)
        /// Text that may not be UTF-8.
        case text(UnsafeRawBufferPointer)
        case blob(UnsafeRawBufferPointer)
    }

    /// Hands a value to `body`.
    package func borrow<Result>(_ position: Int, _ body: (Borrowed) -> Result) -> Result {
        withValue(position) { kind, bytes in
            switch kind {
            case nil: return body(.null)
            case .integer: return body(.integer(bytes.loadUnaligned(as: Int64.self)))
            case .real: return body(.real(bytes.loadUnaligned(as: Double.self)))
            case .text, .malformedText: return body(.text(bytes))
            case .blob: return body(.blob(bytes))
            case .uuidText:
                var text = Hexadecimal.uuidText(of: Array(bytes))
                return text.withUTF8 { body(.text(UnsafeRawBufferPointer($0))) }
            }
        }
    }
}

extension RecordValues: Hashable {
    package static func == (left: RecordValues, right: RecordValues) -> Bool { left.elementsEqual(right) }

    package func hash(into hasher: inout Hasher) { for value in self { hasher.combine(value) } }
}

extension RecordValues {
    /// Appends values one after the other. Can be reused for the next record.
    package struct Builder {
        private var ends: [UInt32] = []
        /// The bytes from `count` on are not used. (To append each value's bytes to an array takes several times as long.)
        private var values: [UInt8] = []
        private var count = 0

        package init() {}

        package mutating func append(_ value: FieldValue) {
            switch value {
            case .null: appendNull()
            case .integer(let value): append(value)
            case .real(let value): append(value)
            case .text(var text): text.withUTF8 { append(.text, UnsafeRawBufferPointer($0)) }
            case .malformedText(let bytes): bytes.withUnsafeBytes { append(.malformedText, $0) }
            case .blob(let bytes): bytes.withUnsafeBytes { append(.blob, $0) }
            }
        }

        package mutating func appendNull() { ends.append(UInt32(count)) }
        package mutating func append(_ value: Int64) { withUnsafeBytes(of: value) { append(.integer, $0) } }
        package mutating func append(_ value: Double) { withUnsafeBytes(of: value) { append(.real, $0) } }

        /// Appends text, which may not be UTF-8.
        package mutating func append(text bytes: UnsafeBufferPointer<UInt8>) {
            append(UTF8Check.isValid(bytes) ? .text : .malformedText, UnsafeRawBufferPointer(bytes))
        }

        package mutating func append(blob bytes: UnsafeBufferPointer<UInt8>) {
            append(.blob, UnsafeRawBufferPointer(bytes))
        }

        private mutating func append(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
            if kind == .text, bytes.count == 36, appendUUID(bytes) { return }
            makeRoom(for: 1 + bytes.count)
            let start = count
            values.withUnsafeMutableBytes { values in
                values[start] = kind.rawValue
                UnsafeMutableRawBufferPointer(rebasing: values[(start + 1)...]).copyMemory(from: bytes)
            }
            end(at: start + 1 + bytes.count)
        }

        private mutating func makeRoom(for size: Int) {
            let missing = count + size - values.count
            if missing > 0 { values.append(contentsOf: repeatElement(0, count: Swift.max(missing, values.count, 256))) }
        }

        private mutating func end(at end: Int) {
            count = end
            ends.append(UInt32(end))
        }

        /// - Returns: false for text that is not exactly as a UUID is printed: `Hexadecimal.uuidText`.
        private mutating func appendUUID(_ text: UnsafeRawBufferPointer) -> Bool {
            makeRoom(for: 17)
            let start = count
            let isUUID = values.withUnsafeMutableBytes { values in
                values[start] = Kind.uuidText.rawValue
                var (index, next) = (0, start + 1)
                while index < 36 {
                    if index == 8 || index == 13 || index == 18 || index == 23 {
                        guard text[index] == UInt8(ascii: "-") else { return false }
                        index += 1
                    }
                    guard let high = Hexadecimal.upperCaseDigit(text[index]),
                        let low = Hexadecimal.upperCaseDigit(text[index + 1])
                    else { return false }
                    values[next] = high << 4 | low
                    (index, next) = (index + 2, next + 1)
                }
                return true
            }
            if isUUID { end(at: start + 17) }
            return isUUID
        }

        /// The record; the builder is empty again.
        package mutating func finish() -> RecordValues {
            let width = RecordValues.width(ofAll: (ends.count + 1) * 2 + count)
            let head = (ends.count + 1) * width
            let bytes = [UInt8](unsafeUninitializedCapacity: head + count) { buffer, size in
                let raw = UnsafeMutableRawBufferPointer(buffer)
                func store(_ number: UInt32, at index: Int) {
                    if width == 2 {
                        raw.storeBytes(of: UInt16(number).littleEndian, toByteOffset: index * 2, as: UInt16.self)
                    } else {
                        raw.storeBytes(of: number.littleEndian, toByteOffset: index * 4, as: UInt32.self)
                    }
                }
                store(UInt32(ends.count), at: 0)
                for (index, end) in ends.enumerated() { store(UInt32(head) + end, at: index + 1) }
                UnsafeMutableRawBufferPointer(rebasing: raw[head...]).copyBytes(from: values.prefix(count))
                size = head + count
            }
            ends.removeAll(keepingCapacity: true)
            count = 0
            return RecordValues(bytes: bytes)
        }
    }
}
