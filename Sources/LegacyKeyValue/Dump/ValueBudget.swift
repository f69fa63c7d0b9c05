internal import CoreDataStore

/// The values that a text may still make.
struct ValueBudget {
    private var remaining = DumpLimits.values

    /// Counts a value that is about to be made inside `depth` containers, at `position` of the text.
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
            throw DumpError("a key that stands twice in one dictionary", at: offset)
        }
    }
}
