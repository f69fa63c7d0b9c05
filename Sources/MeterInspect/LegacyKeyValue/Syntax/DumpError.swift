internal import CoreDataStore
internal import Texts

/// Why a dump cannot be read, before its name is known.
struct DumpError: Error, Hashable {
    /// Lower case, no full stop.
    let reason: String
    let hint: String?
    /// Bytes from the start of the text, if the dump is text.
    let offset: Int?

    init(_ reason: String, at offset: Int? = nil, hint: String? = nil) {
        self.reason = reason
        self.offset = offset
        self.hint = hint
    }

    /// The same with the name, and the text that it is about.
    /// - Parameter hint: for an error that has none of its own.
    static func located<Value>(
        at name: String, in text: [UInt8] = [], hint: String? = nil, _ body: () throws(DumpError) -> Value
    ) throws(StoreError) -> Value {
        do { return try body() } catch { throw error.storeError(at: name, in: text, hint: hint) }
    }

    private static let interrupted = DumpError("interrupted")

    /// Ends the reading of a large dump if the user asked to stop.
    static func checkInterruption() throws(DumpError) {
        if Interruption.isRequested { throw interrupted }
    }

    func storeError(at name: String, in text: [UInt8] = [], hint other: String? = nil) -> StoreError {
        if self == Self.interrupted { return Interruption.error(at: name) }
        let hint = hint ?? other
        guard let offset else { return StoreError(.damaged, at: name, reason, hint: hint) }
        return StoreError(.damaged, at: name, "\(reason), \(TextPosition(of: offset, in: text))", hint: hint)
    }
}
