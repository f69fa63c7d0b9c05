internal import CJSONC

package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Lower case, no full stop.
    package let reason: String
    /// Bytes from the start of the text.
    package let offset: Int

    /// Whether the text ends too early.
    package var isAboutEnd: Bool { reason == Self.endReason }

    static let endReason = "unexpected end of text"

    package var description: String { "\(reason) at byte \(offset)" }
}

/// A JSON text as json-c holds it: for texts too large to make a `JSONValue` of everything in them.
package final class JSONTree {
    /// Nil is JSON's null.
    private let root: OpaquePointer?
    /// Whether some of the text has unpaired surrogates.
    fileprivate let hasUnpairedSurrogates: Bool

    deinit { json_object_put(root) }

    package var top: JSONNode { JSONNode(object: root, tree: self) }

    /// Parses a whole JSON text; a byte-order mark in front of it is tolerated.
    /// - Parameters:
    ///   - limits: nil for text of which somebody else knows that it is not large; then, of a key that an object has
    ///     twice, the last value counts.
    ///   - keepsUnpairedSurrogates: let a value be text with unpaired surrogates, which `JSONNode` hands out as UTF-16 and
    ///     which is no `JSONValue`. Otherwise, and in keys, it is refused.
    /// - Throws: `JSONError` for anything that is not exactly one JSON value in UTF-8, that goes beyond `limits`, or
    ///   that could not be held as it is: a number, a key, one of two values under one key, text.
    package init(
        parsing text: [UInt8], limits: JSONLimits?, keepsUnpairedSurrogates: Bool = false, with given: JSONReader? = nil
    ) throws(JSONError) {
        if let limits, text.count > limits.inputBytes {
            throw JSONError(reason: "\(text.count) bytes are more than \(limits.inputBytes)", offset: 0)
        }
        let scan = JSONScan(text, limits ?? .none, keepsUnpairedSurrogates: keepsUnpairedSurrogates)
        hasUnpairedSurrogates = scan.hasUnpairedSurrogates
        let reader = if let given { given } else { try JSONReader() }
        root = try reader.object(of: scan)
        guard limits == nil || Self.keyCount(in: root, of: scan) == scan.keys else {
            throw JSONError(reason: "an object has a duplicate key", offset: 0)
        }
    }

    /// The keys of all objects, each counted once in its object.
    private static func keyCount(in root: OpaquePointer?, of scan: JSONScan) -> Int {
        // Goes no further once every container was seen: a million names are not walked.
        var unseen = scan.containers
        func count(_ object: OpaquePointer?) -> Int {
            guard let object else { return 0 }
            switch json_object_get_type(object) {
            case json_type_array:
                unseen -= 1
                return (0..<json_object_array_length(object)).reduce(0) {
                    unseen > 0 ? $0 + count(json_object_array_get_idx(object, $1)) : $0
                }
            case json_type_object:
                unseen -= 1
                var keys = Int(json_object_object_length(object))
                if unseen > 0 { forEachMember(of: object) { keys += unseen > 0 ? count($1) : 0 } }
                return keys
            default: return 0
            }
        }
        return count(root)
    }
}

extension JSONTree {
    /// A byte that no text has: in front of `u` and four digits, an unpaired surrogate.
    static let mark: UInt8 = 0xFF

    fileprivate static func forEachMember(
        of object: OpaquePointer, _ body: (_ key: UnsafePointer<CChar>, _ value: OpaquePointer?) -> Void
    ) {
        var iterator = json_object_iter_begin(object)
        var end = json_object_iter_end(object)
        while json_object_iter_equal(&iterator, &end) == 0 {
            body(json_object_iter_peek_name(&iterator), json_object_iter_peek_value(&iterator))
            json_object_iter_next(&iterator)
        }
    }
}

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
        return Int(json_object_object_length(object))
    }

    package subscript(key: String) -> JSONNode? {
        var member: OpaquePointer?
        guard let object, json_object_get_type(object) == json_type_object,
            json_object_object_get_ex(object, key, &member) != 0
        else { return nil }
        return JSONNode(object: member, tree: tree)
    }

    /// Hands each member of an object to `body`, in their order.
    package func forEachMember(_ body: (_ key: String, _ value: JSONNode) -> Void) {
        guard let object, json_object_get_type(object) == json_type_object else { return }
        JSONTree.forEachMember(of: object) { body(String(cString: $0), JSONNode(object: $1, tree: tree)) }
    }

    /// The elements of an array; nil for any other value.
    package var elements: [JSONNode]? {
        guard let object, json_object_get_type(object) == json_type_array else { return nil }
        return (0..<json_object_array_length(object)).map {
            JSONNode(object: json_object_array_get_idx(object, $0), tree: tree)
        }
    }

    /// Nil for what is no text, and for text with unpaired surrogates.
    package var string: String? {
        guard let object, json_object_get_type(object) == json_type_string, unpairedUTF16 == nil else { return nil }
        return String(decoding: JSONTree.bytes(of: object), as: UTF8.self)
    }

    /// The UTF-16 of text with unpaired surrogates; nil for any other value.
    package var unpairedUTF16: [UInt16]? {
        guard tree.hasUnpairedSurrogates, let object, json_object_get_type(object) == json_type_string else {
            return nil
        }
        var rest = JSONTree.bytes(of: object)[...]
        guard rest.contains(JSONTree.mark) else { return nil }
        var units: [UInt16] = []
        while let mark = rest.firstIndex(of: JSONTree.mark) {
            units += String(decoding: rest[..<mark], as: UTF8.self).utf16
            rest = rest[(mark + 2)...]
            units += [UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0]
            rest = rest.dropFirst(4)
        }
        return units + String(decoding: rest, as: UTF8.self).utf16
    }

    /// The node and everything below it, in which no text has unpaired surrogates.
    package var value: JSONValue { JSONValue(of: object) }
}

extension JSONTree {
    /// Of a string.
    fileprivate static func bytes(of object: OpaquePointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: json_object_get_string(object), count: Int(json_object_get_string_len(object)))
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
        self = try JSONTree(parsing: text, limits: nil).top.value
    }

    fileprivate init(of object: OpaquePointer?) {
        guard let object else {
            self = .null
            return
        }
        switch json_object_get_type(object) {
        case json_type_boolean: self = .bool(json_object_get_boolean(object) != 0)
        case json_type_int:
            // What is too large for a signed number is its largest then.
            let unsigned = json_object_get_uint64(object)
            self = unsigned > UInt64(Int64.max) ? .unsigned(unsigned) : .integer(json_object_get_int64(object))
        case json_type_double: self = .double(json_object_get_double(object))
        case json_type_string: self = .string(String(decoding: JSONTree.bytes(of: object), as: UTF8.self))
        case json_type_object: self = .object(Self.members(of: object))
        case json_type_array:
            self = .array(
                (0..<json_object_array_length(object)).map { JSONValue(of: json_object_array_get_idx(object, $0)) })
        default: self = .null
        }
    }

    private static func members(of object: OpaquePointer) -> [Member] {
        var members: [Member] = []
        JSONTree.forEachMember(of: object) { members.append(Member(String(cString: $0), JSONValue(of: $1))) }
        return members
    }
}
