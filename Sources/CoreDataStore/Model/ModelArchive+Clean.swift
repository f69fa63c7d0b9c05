extension ModelArchive {
    /// The content of `Z_MODELCACHE` encoded again, compressed or not, as it was found: with every object that the model
    /// refers to, and nothing that lies beside them or behind the end of the property list.
    /// - Throws: `ModelArchiveError` for bytes that are not a model.
    package static func cleanCache(_ content: [UInt8]) throws(ModelArchiveError) -> [UInt8] {
        let list = try propertyList(uncompressed(content))
        _ = try ManagedObjectModel(archived: list)
        let archive = withoutUnusedObjects(list).binaryPropertyList()
        guard !isPropertyList(content) else { return archive }
        do {
            return try RawDeflate.deflated(archive)
        } catch {
            throw .notInflated(error)
        }
    }

    /// A keyed archive with the objects that can be reached from its root, in their order.
    private static func withoutUnusedObjects(_ list: PropertyList) -> PropertyList {
        guard let archive = list.dictionary, let objects = archive["$objects"]?.array, let top = archive["$top"] else {
            return list
        }
        // The archiver's nil is always there.
        var used: Set<Int> = [0]
        var waiting = [top]
        while let value = waiting.popLast() {
            for index in references(in: value) where objects.indices.contains(index) && used.insert(index).inserted {
                waiting.append(objects[index])
            }
        }
        let kept = objects.indices.filter(used.contains)
        let places = Dictionary(uniqueKeysWithValues: zip(kept, 0...))
        return .dictionary(
            ["$archiver", "$version"].reduce(
                into: [
                    "$objects": .array(kept.map { renumbered(objects[$0], places) }), "$top": renumbered(top, places),
                ]
            ) { $0[$1] = archive[$1] })
    }

    private static func references(in value: PropertyList) -> [Int] {
        switch value {
        case .uid(let index): Int(exactly: index).map { [$0] } ?? []
        case .array(let elements): elements.flatMap(references)
        case .dictionary(let entries): entries.values.flatMap(references)
        case .null, .bool, .integer, .real, .date, .data, .string: []
        }
    }

    private static func renumbered(_ value: PropertyList, _ places: [Int: Int]) -> PropertyList {
        switch value {
        case .uid(let index): .uid(Int(exactly: index).flatMap { places[$0] }.map(UInt64.init) ?? index)
        case .array(let elements): .array(elements.map { renumbered($0, places) })
        case .dictionary(let entries): .dictionary(entries.mapValues { renumbered($0, places) })
        case .null, .bool, .integer, .real, .date, .data, .string: value
        }
    }
}
