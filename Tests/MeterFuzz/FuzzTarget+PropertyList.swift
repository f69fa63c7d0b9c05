internal import CoreDataStore
internal import MeterTestSupport

extension FuzzTarget {
    /// A binary property list: the metadata of a store, a value of the key-value database.
    static let propertyList = FuzzTarget(
        name: "property-list", longestInput: 1 << 16, shortRun: 500,
        seeds: {
            let mixed = PropertyList.dictionary([
                "größe": .string("漢字"), "count": .integer(-3), "when": .date(743_911_561.25), "none": .null,
                "bytes": .data([UInt8](repeating: 7, count: 20)), "list": .array([.bool(true), .uid(300), .real(1.5)]),
            ])
            return [mixed.binaryPropertyList(), SampleDumps.withOthers.binaryPropertyList()]
        },
        entry: {
            { bytes in
                guard let list = try? PropertyList(binary: bytes) else { return }
                let written = list.binaryPropertyList()
                // Not compared as values: NaN is never the same as itself.
                guard let again = try? PropertyList(binary: written), again.binaryPropertyList() == written else {
                    throw BrokenLaw("a property list is not read back as it was written")
                }
            }
        })
}
