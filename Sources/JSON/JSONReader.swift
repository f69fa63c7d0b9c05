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

    /// Ready for the next text.
    func begin(_ flags: Int32) -> UnsafeMutablePointer<json_tokener> {
        json_tokener_reset(tokener)
        json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | flags)
        return tokener
    }
}
