internal import CoreDataStore
internal import JSON

/// How large a dump may be. The real key-value store holds 1 MB and 1,024 keys; a million entries fit.
enum DumpLimits {
    /// Bytes of a dump that is not a database, and of one value in a database.
    static let inputBytes = 1 << 27
    /// Depth of nested containers. What is read can be written as JSON, whose limit is `JSONValue.deepestNesting`.
    static let depth = 60
    static let values = 3 << 20
    /// How many documents may be one in another: property lists among data, JSON in a text.
    static let documents = 3

    static var binary: BinaryPropertyListLimits {
        var limits = BinaryPropertyListLimits()
        limits.inputBytes = inputBytes
        limits.depth = depth
        limits.values = values
        return limits
    }

    /// For one that is a value in a dump, whose values are bytes of that: as many of them as there may be, the sum of all
    /// is bounded.
    static func binary(within count: Int) -> BinaryPropertyListLimits {
        var limits = binary
        limits.values = min(limits.values, count)
        limits.contentBytes = min(limits.contentBytes, 64 * count)
        return limits
    }

    static var json: JSONLimits {
        var limits = JSONLimits()
        limits.inputBytes = inputBytes
        limits.values = values
        return limits
    }
}

struct ValueBudget {
    private var remaining = DumpLimits.values

    /// Counts a value that is nested in `depth` containers, at `position` of the text.
    mutating func count(depth: Int, at position: Int) throws(DumpError) {
        remaining -= 1
        if remaining & 0xFFF == 0 { try DumpError.checkInterruption() }
        guard remaining >= 0 else { throw DumpError("more than \(DumpLimits.values) values") }
        guard depth <= DumpLimits.depth else {
            throw DumpError("more than \(DumpLimits.depth) containers inside each other", at: position)
        }
    }
}

extension [String: PropertyList] {
    mutating func add(_ value: PropertyList, for key: String, at offset: Int) throws(DumpError) {
        guard updateValue(value, forKey: key) == nil else {
            throw DumpError("a duplicate key in a dictionary", at: offset)
        }
    }
}
