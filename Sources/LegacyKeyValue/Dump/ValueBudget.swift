internal import CoreDataStore

/// How many more values a text may contain.
struct ValueBudget {
    private var remaining = DumpLimits.values

    /// Counts a value that is nested in `depth` containers, at `position` of the text.
    mutating func count(depth: Int, at position: Int) throws(DumpError) {
        remaining -= 1
        guard remaining >= 0 else { throw DumpError("more than \(DumpLimits.values) values") }
        guard depth <= DumpLimits.depth else {
            throw DumpError("more than \(DumpLimits.depth) containers inside each other", at: position)
        }
    }
}

extension [String: PropertyList] {
    /// Adds an entry whose key must be new.
    mutating func add(_ value: PropertyList, for key: String, at offset: Int) throws(DumpError) {
        guard updateValue(value, forKey: key) == nil else {
            throw DumpError("a duplicate key in a dictionary", at: offset)
        }
    }
}
