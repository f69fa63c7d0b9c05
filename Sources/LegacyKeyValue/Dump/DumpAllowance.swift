internal import CoreDataStore

/// The values that a text may still make.
struct DumpAllowance {
    private var remaining = DumpLimits.values

    /// Counts a value that is about to be made inside `depth` containers, at `position` of the text.
    mutating func count(depth: Int, at position: Int) throws(DumpFault) {
        remaining -= 1
        guard remaining >= 0 else { throw DumpFault("more than \(DumpLimits.values) values") }
        guard depth <= DumpLimits.depth else {
            throw DumpFault("more than \(DumpLimits.depth) containers inside each other", at: position)
        }
    }
}

extension [String: PropertyList] {
    /// Adds an entry whose key must be new.
    mutating func add(_ value: PropertyList, for key: String, at offset: Int) throws(DumpFault) {
        guard updateValue(value, forKey: key) == nil else {
            throw DumpFault("a key that stands twice in one dictionary", at: offset)
        }
    }
}
