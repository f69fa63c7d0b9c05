internal import CoreDataStore
internal import JSON

/// How large a dump may be. The real key-value store holds 1 MB and 1,024 keys; a million entries fit.
enum DumpLimits {
    /// Bytes of a dump that is not a database, and of one value in a database.
    static let inputBytes = 1 << 27
    /// Depth of nested containers. What is read can be written as JSON, whose limit is `JSONValue.deepestNesting`.
    static let depth = 60
    /// Values of any kind, keys included.
    static let values = 3 << 20

    /// The same for binary property lists.
    static var binary: BinaryPropertyListLimits {
        var limits = BinaryPropertyListLimits()
        limits.inputBytes = inputBytes
        limits.depth = depth
        limits.values = values
        return limits
    }

    static var json: JSONLimits {
        var limits = JSONLimits()
        limits.inputBytes = inputBytes
        limits.values = values
        return limits
    }
}
