internal import CJSONC

/// json-c's parser, for one text after the other: to make one takes longer than to read a short text.
package final class JSONReader {
    private let tokener: UnsafeMutablePointer<json_tokener>

    /// - Throws: `JSONError` where there is no memory left.
    package init() throws(JSONError) {
        // One more level than is let pass, and one for the value itself.
        guard let tokener = json_tokener_new_ex(Int32(JSONValue.deepestNesting + 2)) else {
            throw JSONError(reason: "out of memory", offset: 0)
        }
        self.tokener = tokener
    }

    deinit { json_tokener_free(tokener) }

    /// The value of a whole text.
    /// - Throws: `JSONError`, as `JSONTree`.
    package func value(of text: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        try JSONTree(parsing: text, limits: limits, with: self).top.value
    }

    /// What json-c makes of a text; owned by the caller.
    /// - Throws: `JSONError`: what the scan found, or what json-c finds in front of that.
    func object(of scan: JSONScan) throws(JSONError) -> OpaquePointer? {
        guard scan.text.count - scan.start < Int(Int32.max) else { throw JSONError(reason: "too long", offset: 0) }
        json_tokener_reset(tokener)
        // That the text is UTF-8, the scan says.
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT)
        let end = max(scan.flaw?.offset ?? scan.text.count, scan.start)
        var root = scan.text[scan.start..<end].withUnsafeBytes {
            json_tokener_parse_ex(tokener, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
        }
        var stop = scan.start + json_tokener_get_parse_end(tokener)
        if scan.flaw == nil, state == json_tokener_continue {
            // A number at the very end is complete only once something follows it.
            root = json_tokener_parse_ex(tokener, " ", 1)
            stop = end
            guard state == json_tokener_success else {
                throw JSONError(reason: JSONError.endReason, offset: end)
            }
        }
        guard state == json_tokener_success || state == json_tokener_continue else {
            throw JSONError(reason: String(cString: json_tokener_error_desc(state)), offset: stop)
        }
        let isOver = scan.text[stop..<end].allSatisfy { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let flaw = isOver ? scan.flaw : JSONError(reason: "something follows the value", offset: stop) else {
            return root
        }
        json_object_put(root)
        throw flaw
    }

    private var state: json_tokener_error { json_tokener_get_error(tokener) }
}

/// How much a JSON text may ask of the reader. json-c keeps every value as an object of its own, an empty `{}` as most
/// of a kilobyte: counts bound memory, where the text's length alone would not.
package struct JSONLimits: Hashable, Sendable {
    /// Bytes of the whole text.
    package var inputBytes = 1 << 27
    /// Values of any kind.
    package var values = 3 << 20
    /// Objects and arrays among them.
    package var containers = 1 << 18

    package init() {}

    /// For what meterfix wrote itself, or has read within a limit.
    static var none: JSONLimits {
        var limits = JSONLimits()
        (limits.inputBytes, limits.values, limits.containers) = (.max, .max, .max)
        return limits
    }
}
