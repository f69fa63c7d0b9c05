/// Finds parts of a JSON text that is too large to be held: it comes in chunks of any size, and what is wanted of it is
/// handed over part by part, each one read by json-c. What is not wanted is passed over: only that its strings and
/// brackets end is looked at.
package struct JSONParts {
    /// A step from a value to one inside it.
    package enum Step: Hashable, Sendable, ExpressibleByStringLiteral {
        case member(String)
        /// Each element of an array.
        case element

        package init(stringLiteral key: String) { self = .member(key) }
    }

    /// A part that was found.
    package struct Part {
        /// Which of the wanted paths it is at.
        package let path: Int
        package let value: JSONValue
        /// Where in the text it stands: bytes from its start.
        package let range: Range<Int>
    }

    /// An object or array on the way.
    private struct Container {
        let place: Int
        let isObject: Bool
        var seen: Set<Int> = []
    }

    private enum State {
        /// Before a value, by the number of its place; nil for one that is not wanted.
        case value(Int?)
        /// After a bracket: before a value or a key, or at the end.
        case opened
        case key, inKey, colon
        case string, number, container
        /// After a value.
        case comma
    }

    private let paths: JSONPaths
    private let limits: JSONLimits
    private var state = State.value(JSONPaths.top)
    /// From the text's start to the chunk.
    private var offset = 0
    private var containers: [Container] = []
    private var key: [UInt8] = []
    /// After a backslash in a string.
    private var isEscaped = false
    /// The path of the part that is being read, its bytes so far, and where they begin in the text.
    private var path: Int?
    private var part: [UInt8] = []
    private var partStart = 0
    /// Inside a container that is passed over or handed over whole: how deep, a bit for each that is an object, and
    /// whether in a string.
    private var depth = 0
    private var objects: UInt64 = 0
    private var isInString = false
    private var hasValue = false

    /// - Parameters:
    ///   - paths: from the top value to each that is wanted; none leads through another.
    ///   - limits: of each part.
    package init(_ paths: [[Step]], limits: JSONLimits) {
        self.paths = JSONPaths(paths)
        self.limits = limits
    }

    /// Reads the next bytes of the text.
    /// - Throws: `JSONError` where the text is not JSON, as far as it is looked at, or a part goes beyond the limits, and
    ///   what `take` throws.
    package mutating func read(_ chunk: ArraySlice<UInt8>, _ take: (Part) throws -> Void) throws {
        try chunk.withUnsafeBufferPointer { bytes in
            var position = 0
            // Where in the chunk the bytes of the part begin that it does not have yet.
            var start = 0
            while position < bytes.count {
                let isNew = path == nil
                let hasEnded = try step(bytes, &position)
                guard let path else { continue }
                if isNew { start = partStart - offset }
                guard hasEnded else { continue }
                try collect(bytes[start..<position])
                self.path = nil
                try take(
                    Part(path: path, value: try value(part, at: partStart), range: partStart..<partStart + part.count))
            }
            if path != nil { try collect(bytes[start...]) }
            offset += bytes.count
        }
    }

    /// The text is over.
    /// - Throws: `JSONError` where it was cut short.
    package mutating func finish(_ take: (Part) throws -> Void) throws {
        // A number at the very end is complete only now.
        if containers.isEmpty, case .number = state { try read([0x0A], take) }
        guard hasValue, containers.isEmpty, case .comma = state else {
            throw JSONError(reason: "unexpected end of text", offset: offset)
        }
    }

    private func value(_ text: [UInt8], at start: Int) throws -> JSONValue {
        do {
            return try JSONTree(parsing: text, limits: limits).top.value
        } catch {
            throw JSONError(reason: error.reason, offset: start + error.offset)
        }
    }

    private mutating func collect(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws {
        guard part.count + bytes.count <= limits.inputBytes else {
            throw JSONError(reason: "a part of more than \(limits.inputBytes) bytes", offset: partStart)
        }
        part.append(contentsOf: bytes)
    }

    // MARK: - The text

    private func flaw(_ reason: String, _ position: Int) -> JSONError {
        JSONError(reason: reason, offset: offset + position)
    }

    /// Reads on from `position`, by one byte at least or to the end of a value.
    /// - Returns: whether a value has ended there.
    private mutating func step(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws -> Bool {
        switch state {
        case .string: return passString(bytes, &position)
        case .number: return passNumber(bytes, &position)
        case .container: return try passContainer(bytes, &position)
        case .inKey:
            try readKey(bytes, &position)
            return false
        case .value, .opened, .key, .colon, .comma: break
        }
        let byte = bytes[position]
        if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 || isMark(byte, at: position) {
            position += 1
            return false
        }
        switch (state, byte) {
        case (.value(let place), _): try begin(byte, place, position)
        case (.opened, UInt8(ascii: "]")), (.opened, UInt8(ascii: "}")), (.comma, UInt8(ascii: "]")),
            (.comma, UInt8(ascii: "}")):
            guard let container = containers.popLast(), container.isObject == (byte == UInt8(ascii: "}")) else {
                throw flaw("unexpected character", position)
            }
            state = .comma
        case (.opened, _) where containers.last?.isObject == false: try begin(byte, elementPlace, position)
        case (.opened, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")):
            key = []
            state = .inKey
        case (.colon, UInt8(ascii: ":")): state = .value(try memberPlace(position))
        case (.comma, UInt8(ascii: ",")) where !containers.isEmpty:
            state = containers.last?.isObject == true ? .key : .value(elementPlace)
        default: throw flaw("unexpected character", position)
        }
        // The first byte of a value that is no container stays to be passed.
        switch state {
        case .string, .number, .container:
            if byte != UInt8(ascii: "\"") { return try step(bytes, &position) }
            position += 1
            return false
        default:
            position += 1
            return false
        }
    }

    /// Whether it belongs to a byte-order mark, which is tolerated in front of the text.
    private func isMark(_ byte: UInt8, at position: Int) -> Bool {
        let place = offset + position
        return !hasValue && containers.isEmpty && place < 3 && byte == [0xEF, 0xBB, 0xBF][place]
    }

    private var elementPlace: Int? { containers.last.flatMap { paths.place(.element, in: $0.place) } }

    /// The place of the member with the key that was read.
    private mutating func memberPlace(_ position: Int) throws -> Int? {
        var text = String(decoding: key, as: UTF8.self)
        if key.contains(UInt8(ascii: "\\")) {
            text = try value([UInt8(ascii: "\"")] + key + [UInt8(ascii: "\"")], at: offset + position).string ?? text
        }
        guard let container = containers.last, let place = paths.place(.member(text), in: container.place) else {
            return nil
        }
        guard containers[containers.count - 1].seen.insert(place).inserted else {
            throw flaw("a key stands twice in one object", position)
        }
        return place
    }

    /// A value begins with `byte`.
    private mutating func begin(_ byte: UInt8, _ place: Int?, _ position: Int) throws {
        hasValue = true
        if let place, let path = paths.path(endingAt: place) {
            self.path = path
            part.removeAll(keepingCapacity: true)
            partStart = offset + position
        }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            let isObject = byte == UInt8(ascii: "{")
            guard let place, path == nil, paths.lead(through: place, isObject: isObject) else {
                depth = 0
                objects = 0
                state = .container
                return
            }
            guard containers.count < JSONValue.deepestNesting else { throw flaw("nesting too deep", position) }
            containers.append(Container(place: place, isObject: isObject))
            state = .opened
        case UInt8(ascii: "\""):
            isEscaped = false
            state = .string
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            state = .number
        default: throw flaw("unexpected character", position)
        }
    }

    private mutating func readKey(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws {
        let start = position
        let hasEnded = endString(bytes, &position)
        guard key.count + position - start <= limits.inputBytes else { throw flaw("a key is too long", position) }
        key.append(contentsOf: bytes[start..<(hasEnded ? position - 1 : position)])
        if hasEnded { state = .colon }
    }

    private mutating func passString(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool {
        guard endString(bytes, &position) else { return false }
        state = .comma
        return true
    }

    /// A number, `true`, `false` or `null`.
    private mutating func passNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
                state = .comma
                return true
            default: position += 1
            }
        }
        return false
    }

    private mutating func passContainer(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws -> Bool {
        while position < bytes.count {
            if isInString {
                if endString(bytes, &position) { isInString = false }
                continue
            }
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard containers.count + depth < JSONValue.deepestNesting else {
                    throw flaw("nesting too deep", position - 1)
                }
                depth += 1
                objects = objects << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard objects & 1 == (byte == UInt8(ascii: "}") ? 1 : 0) else {
                    throw flaw("unexpected character", position - 1)
                }
                depth -= 1
                objects >>= 1
                guard depth == 0 else { continue }
                state = .comma
                return true
            default: break
            }
        }
        return false
    }

    /// Goes on to behind the quote that ends a string.
    /// - Returns: whether it is in these bytes.
    private mutating func endString(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Bool {
        var index = position
        defer { position = index }
        if isEscaped, index < bytes.count {
            isEscaped = false
            index += 1
        }
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return true }
            guard byte == UInt8(ascii: "\\") else { continue }
            if index == bytes.count {
                isEscaped = true
            } else {
                index += 1
            }
        }
        return false
    }
}
