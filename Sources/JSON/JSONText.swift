internal import CJSONC

/// Why a text is not JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Lower case, no full stop.
    package let reason: String
    /// Bytes from the start of the text.
    package let offset: Int

    package init(reason: String, offset: Int) {
        self.reason = reason
        self.offset = offset
    }

    package var description: String { "\(reason) at byte \(offset)" }
}

/// A JSON text as json-c holds it: for texts too large to make a `JSONValue` of everything in them. Of large objects it
/// holds only the text.
package final class JSONTree {
    /// Nil is JSON's null.
    private let root: OpaquePointer?
    /// Nil where no object is large.
    fileprivate let parts: JSONParts?
    /// Whether some of the text has unpaired surrogates.
    fileprivate let hasUnpairedSurrogates: Bool

    deinit { json_object_put(root) }

    /// The whole text's value.
    package var top: JSONNode { JSONNode(object: root, tree: self) }

    /// Parses a whole JSON text; a byte-order mark in front of it is tolerated.
    /// - Parameter keepsUnpairedSurrogates: let a value be text with unpaired surrogates, which `JSONNode` hands out as
    ///   UTF-16 and which is no `JSONValue`. Otherwise, and in keys, it is refused.
    /// - Throws: `JSONError` for anything that is not exactly one JSON value in UTF-8, that goes beyond `limits`, or
    ///   that could not be held as it is: a number, a key, one of two values under one key, text.
    package convenience init(
        parsing text: [UInt8], limits: JSONLimits, keepsUnpairedSurrogates: Bool = false, with reader: JSONReader? = nil
    ) throws(JSONError) {
        guard text.count <= limits.inputBytes else {
            throw JSONError(reason: "\(text.count) bytes are more than \(limits.inputBytes)", offset: 0)
        }
        let tally = text.withUnsafeBufferPointer { JSONTally($0) }
        guard tally.values <= limits.values else {
            throw JSONError(reason: "more than \(limits.values) values", offset: 0)
        }
        guard tally.containers <= limits.containers else {
            throw JSONError(reason: "more than \(limits.containers) objects and arrays", offset: 0)
        }
        let start = Self.start(of: text)
        if text.count > limits.partBytes,
            let outline = StrictJSONCheck.outline(of: text, from: start, partBytes: limits.partBytes),
            let parts = JSONParts(of: text, from: start, outline, keys: tally.keys)
        {
            self.init(of: parts)
            return
        }
        try self.init(parsing: text, keepsUnpairedSurrogates: keepsUnpairedSurrogates, with: reader)
        var unseen = tally.containers
        guard Self.keyCount(in: root, unseen: &unseen) == tally.keys else {
            throw JSONError(reason: "an object has a duplicate key", offset: 0)
        }
    }

    /// The same without limits. Of a key that an object has twice the last value counts.
    fileprivate init(
        parsing text: [UInt8], keepsUnpairedSurrogates: Bool = false, with reader: JSONReader? = nil
    ) throws(JSONError) {
        let start = Self.start(of: text)
        var unpaired: [Int] = []
        let flaw =
            keepsUnpairedSurrogates
            ? StrictJSONCheck.first(in: text, from: start, besidesUnpaired: &unpaired)
            : StrictJSONCheck.first(in: text, from: start)
        hasUnpairedSurrogates = !unpaired.isEmpty
        parts = nil
        do {
            root = try Self.parsed(text, from: start, keeping: unpaired, with: reader)
        } catch {
            if let flaw, flaw.offset <= error.offset { throw flaw }
            throw error
        }
        if let flaw { throw flaw }
    }

    private init(of parts: JSONParts) {
        root = parts.frame
        self.parts = parts
        hasUnpairedSurrogates = false
    }

    /// A part of a large object, which is its own from now on.
    fileprivate init(part: OpaquePointer) {
        root = part
        parts = nil
        hasUnpairedSurrogates = false
    }

    /// Where the text begins behind a byte-order mark.
    private static func start(of text: [UInt8]) -> Int {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return text.starts(with: mark) ? mark.count : 0
    }

    /// What json-c makes of the text; owned by the caller.
    /// - Parameter unpaired: where the escapes of unpaired surrogates begin.
    private static func parsed(
        _ text: [UInt8], from start: Int, keeping unpaired: [Int], with reader: JSONReader?
    ) throws(JSONError) -> OpaquePointer? {
        guard !unpaired.isEmpty else {
            return try parsed(text, from: start, JSON_TOKENER_VALIDATE_UTF8, with: reader)
        }
        do {
            // That the rest is UTF-8, `StrictJSONCheck` says.
            return try parsed(JSONSurrogates.bytes(of: text, unpaired), from: start, 0, with: reader)
        } catch {
            throw JSONError(
                reason: error.reason, offset: JSONSurrogates.offset(error.offset, inTextWith: unpaired))
        }
    }

    private static func parsed(
        _ text: [UInt8], from start: Int, _ flags: Int32, with given: JSONReader?
    ) throws(JSONError) -> OpaquePointer? {
        guard text.count - start < Int(Int32.max) else { throw JSONError(reason: "too long", offset: 0) }
        let reader = if let given { given } else { try JSONReader() }
        let tokener = reader.begin(flags)
        var root = text.withUnsafeBytes { bytes in
            json_tokener_parse_ex(
                tokener, bytes.baseAddress.map { ($0 + start).assumingMemoryBound(to: CChar.self) },
                Int32(bytes.count - start))
        }
        var end = start + json_tokener_get_parse_end(tokener)
        if json_tokener_get_error(tokener) == json_tokener_continue {
            // A number at the very end is complete only once something follows it.
            root = json_tokener_parse_ex(tokener, " ", 1)
            guard json_tokener_get_error(tokener) == json_tokener_success else {
                throw JSONError(reason: "unexpected end of text", offset: text.count)
            }
            end = text.count
        }
        let state = json_tokener_get_error(tokener)
        guard state == json_tokener_success else {
            throw JSONError(reason: String(cString: json_tokener_error_desc(state)), offset: end)
        }
        guard text[end...].allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
            json_object_put(root)
            throw JSONError(reason: "something follows the value", offset: end)
        }
        return root
    }

    /// The keys of all objects. Goes no further once there are no `unseen` containers: a million names are not walked.
    static func keyCount(in object: OpaquePointer?, unseen: inout Int) -> Int {
        switch object.map(json_object_get_type) {
        case json_type_array?:
            unseen -= 1
            var count = 0
            for index in 0..<json_object_array_length(object) where unseen > 0 {
                count += keyCount(in: json_object_array_get_idx(object, index), unseen: &unseen)
            }
            return count
        case json_type_object?:
            unseen -= 1
            var count = Int(json_object_object_length(object))
            var iterator = json_object_iter_begin(object)
            var end = json_object_iter_end(object)
            while unseen > 0, json_object_iter_equal(&iterator, &end) == 0 {
                count += keyCount(in: json_object_iter_peek_value(&iterator), unseen: &unseen)
                json_object_iter_next(&iterator)
            }
            return count
        default: return 0
        }
    }
}

/// A value inside a `JSONTree`.
package struct JSONNode {
    private let object: OpaquePointer?
    /// Keeps the pointer above alive.
    private let tree: JSONTree

    fileprivate init(object: OpaquePointer?, tree: JSONTree) {
        self.object = object
        self.tree = tree
    }

    /// How many members an object has; nil for any other value.
    package var memberCount: Int? {
        guard let object, json_object_get_type(object) == json_type_object else { return nil }
        return tree.parts?.memberCount(of: object) ?? Int(json_object_object_length(object))
    }

    /// The member of an object with this key.
    package subscript(key: String) -> JSONNode? {
        guard let object, memberCount != nil else { return nil }
        guard !isLarge else {
            var member: JSONNode?
            tree.parts?.forEachPart(of: object) { part in
                member = JSONTree(part: part).top[key]
                return member == nil
            }
            return member
        }
        var member: OpaquePointer?
        guard json_object_object_get_ex(object, key, &member) != 0 else { return nil }
        return JSONNode(object: member, tree: tree)
    }

    /// Hands each member of an object to `body`, in their order.
    package func forEachMember(_ body: (_ key: String, _ value: JSONNode) -> Void) {
        guard let object, memberCount != nil else { return }
        if isLarge {
            tree.parts?.forEachPart(of: object) { part in
                JSONTree(part: part).top.forEachMember(body)
                return true
            }
            return
        }
        JSONParts.forEachMember(of: object) { body(String(cString: $0), JSONNode(object: $1, tree: tree)) }
    }

    /// Whether it is an object that is read part by part.
    private var isLarge: Bool { object.map { tree.parts?.memberCount(of: $0) != nil } ?? false }

    /// The elements of an array; nil for any other value.
    package var elements: [JSONNode]? {
        guard let object, json_object_get_type(object) == json_type_array else { return nil }
        return (0..<json_object_array_length(object)).map {
            JSONNode(object: json_object_array_get_idx(object, $0), tree: tree)
        }
    }

    /// The UTF-16 of text with unpaired surrogates; nil for any other value.
    package var unpairedUTF16: [UInt16]? {
        guard tree.hasUnpairedSurrogates, let object, json_object_get_type(object) == json_type_string,
            let start = json_object_get_string(object)
        else { return nil }
        let count = Int(json_object_get_string_len(object))
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            JSONSurrogates.unpairedUTF16(of: UnsafeBufferPointer(start: $0, count: count))
        }
    }

    /// The node and everything below it, in which no text has unpaired surrogates.
    package var value: JSONValue {
        guard tree.parts != nil else { return JSONValue(of: object) }
        if let elements { return .array(elements.map(\.value)) }
        guard memberCount != nil else { return JSONValue(of: object) }
        var members: [JSONValue.Member] = []
        forEachMember { members.append(.init($0, $1.value)) }
        return .object(members)
    }
}

extension JSONValue {
    /// Arrays and objects in one another, at most.
    package static let deepestNesting = 64

    /// Parses a whole JSON text; a byte-order mark in front of it is tolerated. Of a key that an object has twice the
    /// last value counts.
    /// - Throws: `JSONError` for anything that is not exactly one JSON value in UTF-8, and for a number, a key or a text
    ///   that could not be held as it is.
    package init(parsing text: [UInt8]) throws(JSONError) {
        self = try JSONTree(parsing: text).top.value
    }

    fileprivate init(of object: OpaquePointer?) {
        guard let object else {
            self = .null
            return
        }
        switch json_object_get_type(object) {
        case json_type_boolean: self = .bool(json_object_get_boolean(object) != 0)
        case json_type_int: self = .integer(json_object_get_int64(object))
        case json_type_double: self = .double(json_object_get_double(object))
        case json_type_string: self = .string(Self.string(of: object))
        case json_type_array:
            var elements: [JSONValue] = []
            for index in 0..<json_object_array_length(object) {
                elements.append(JSONValue(of: json_object_array_get_idx(object, index)))
            }
            self = .array(elements)
        case json_type_object:
            var members: [Member] = []
            var iterator = json_object_iter_begin(object)
            var end = json_object_iter_end(object)
            while json_object_iter_equal(&iterator, &end) == 0 {
                let key = String(cString: json_object_iter_peek_name(&iterator))
                members.append(Member(key, JSONValue(of: json_object_iter_peek_value(&iterator))))
                json_object_iter_next(&iterator)
            }
            self = .object(members)
        default: self = .null
        }
    }

    private static func string(of object: OpaquePointer) -> String {
        guard let start = json_object_get_string(object) else { return "" }
        let count = Int(json_object_get_string_len(object))
        return start.withMemoryRebound(to: UInt8.self, capacity: count) {
            String(decoding: UnsafeBufferPointer(start: $0, count: count), as: UTF8.self)
        }
    }
}
