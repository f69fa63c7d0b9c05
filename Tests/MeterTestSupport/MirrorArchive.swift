internal import CoreDataStore

/// The keyed archives in the mirror's settings, as `NSKeyedArchiver` writes them. They are put together here object by
/// object: what reads them is not what wrote them.
package enum MirrorArchive {
    /// A `_NSPersistentHistoryToken` that names one transaction of one store.
    /// - Parameter store: the UUID's text, as in `Z_METADATA`.
    package static func historyToken(store: String, transaction: Int64) -> [UInt8] {
        archive([
            .dictionary(["NSPersistentHistoryTokenDictionary": .uid(2), "$class": .uid(6)]),
            .dictionary(["NS.keys": .array([.uid(3)]), "NS.objects": .array([.uid(4)]), "$class": .uid(5)]),
            .string(store),
            .integer(transaction),
            classObject("NSDictionary", "NSObject"),
            classObject("_NSPersistentHistoryToken", "NSPersistentHistoryToken", "NSObject"),
        ])
    }

    /// A dictionary of an entity's name to its version hash.
    static func versionHashes(_ hashes: [String: [UInt8]]) -> [UInt8] {
        let entities = hashes.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let keys = entities.indices.map { PropertyList.uid(UInt64(2 + $0)) }
        let values = entities.indices.map { PropertyList.uid(UInt64(2 + entities.count + $0)) }
        let dictionary: [String: PropertyList] = [
            "NS.keys": .array(keys), "NS.objects": .array(values), "$class": .uid(UInt64(2 + 2 * entities.count)),
        ]
        return archive(
            [.dictionary(dictionary)] + entities.map { .string($0) } + entities.map { .data(hashes[$0] ?? []) }
                + [classObject("NSDictionary", "NSObject")])
    }

    /// - Parameter objects: the root first; an object is referred to by its place, counted from 1.
    private static func archive(_ objects: [PropertyList]) -> [UInt8] {
        PropertyList.dictionary([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
            "$top": .dictionary(["root": .uid(1)]), "$objects": .array([.string("$null")] + objects),
        ]).binaryPropertyList()
    }

    private static func classObject(_ names: String...) -> PropertyList {
        .dictionary(["$classname": .string(names[0]), "$classes": .array(names.map { .string($0) })])
    }
}
