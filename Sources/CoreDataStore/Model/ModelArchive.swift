/// A managed object model on disk: a keyed archive, plain in a compiled `.mom`, raw-deflated in `Z_MODELCACHE`.
package enum ModelArchive {
    /// The archive of `model`, in the shape Core Data's own archives have in real stores: the same classes, keys and
    /// bits, inherited properties repeated in each subentity.
    ///
    /// It lacks what a `ManagedObjectModel` does not hold: default values, class names, validation, delete rules
    /// (written as "nullify"), indexes, fetch requests, expressions of derived attributes, properties not understood.
    /// It has not been tried with Apple's unarchiver.
    /// - Parameter configurations: the names of their entities.
    package static func encode(
        _ model: ManagedObjectModel, configurations: [String: Set<String>] = [:]
    ) -> [UInt8] {
        var writer = ModelArchiveWriter(model)
        return writer.archive(configurations).binaryPropertyList()
    }

    /// `encode(_:)`, as the content of `Z_MODELCACHE`.
    /// - Throws: `DeflateError` where zlib has no memory.
    package static func modelCache(for model: ManagedObjectModel) throws(DeflateError) -> [UInt8] {
        try encode(model).deflated()
    }

    /// The content of `Z_MODELCACHE`, inflated if it is compressed, as in every real store.
    static func uncompressed(_ content: [UInt8]) throws(ModelArchiveError) -> [UInt8] {
        do {
            return isPropertyList(content) ? content : try content.inflated(limit: sizeLimit)
        } catch {
            throw .notInflated(error)
        }
    }

    static func isPropertyList(_ content: [UInt8]) -> Bool { content.starts(with: "bplist00".utf8) }

    static func propertyList(_ archive: [UInt8]) throws(ModelArchiveError) -> PropertyList {
        var limits = BinaryPropertyListLimits()
        limits.inputBytes = sizeLimit
        do {
            return try PropertyList(binary: archive, limits: limits)
        } catch {
            throw .notPropertyList(error)
        }
    }

    /// The model of an uncompressed archive, with its details.
    static func read(
        _ archive: [UInt8]
    ) throws(ModelArchiveError) -> (model: ManagedObjectModel, details: ModelDetails) {
        var reader = try ModelArchiveReader(propertyList(archive))
        let model = try reader.model()
        return (model, reader.details)
    }

    /// Bytes of an archive once inflated. The largest in a real store has 22 KB.
    private static let sizeLimit = 1 << 25
}

extension ManagedObjectModel {
    /// Reads an uncompressed archive, as a `.mom` file holds it.
    /// - Throws: `ModelArchiveError`: `notPropertyList` or `malformed`.
    package init(archive bytes: [UInt8]) throws(ModelArchiveError) {
        try self.init(archived: ModelArchive.propertyList(bytes))
    }

    /// Reads the content of `Z_MODELCACHE`.
    /// - Throws: `ModelArchiveError`: `notInflated`, `notPropertyList` or `malformed`.
    package init(modelCache bytes: [UInt8]) throws(ModelArchiveError) {
        try self.init(archive: ModelArchive.uncompressed(bytes))
    }

    init(archived list: PropertyList) throws(ModelArchiveError) {
        var reader = try ModelArchiveReader(list)
        self = try reader.model()
    }
}

package enum ModelArchiveError: Error, Hashable, CustomStringConvertible {
    case notInflated(DeflateError)
    case notPropertyList(BinaryPropertyListError)
    /// A property list, but not the archive of a model.
    case malformed(String)
    /// A model, but the revision asked for does not fit it.
    case notRevised(String)

    package var description: String {
        switch self {
        case .notInflated(let failure): "the model cannot be read: \(failure)"
        case .notPropertyList(let error): "the model cannot be read: \(error)"
        case .malformed(let reason): "the model cannot be read: \(reason)"
        case .notRevised(let reason): "the model cannot be revised: \(reason)"
        }
    }
}

/// Bits in the archive of a property, seen in real stores.
enum PropertyBits {
    // In `_P`.
    static let optional: Int64 = 2
    static let readOnly: Int64 = 4
    static let transient: Int64 = 8
    static let ordered: Int64 = 0x400
    /// Set in every plain property of real stores, fewer of them with validation rules or user info; what they mean is
    /// not known.
    static let always: Int64 = 0xF1
    // In `NSFlagsKey`.
    static let externalStorage: Int64 = 4
    static let preservedAfterDeletion: Int64 = 0x10
}

extension ModelArchive {
    /// The content of `Z_MODELCACHE` encoded again, compressed or not, as it was found: with every object that the model
    /// refers to, and nothing that lies beside them or behind the end of the property list.
    /// - Parameter free: makes a text, a number or data in the place of one in a default value or in user info.
    /// - Throws: `ModelArchiveError` for content that is no model.
    package static func cleanCache(
        _ content: [UInt8], replacing free: (PropertyList) -> PropertyList
    ) throws(ModelArchiveError) -> [UInt8] {
        let list = try propertyList(uncompressed(content))
        _ = try ManagedObjectModel(archived: list)
        return try compressed(withoutUnusedObjects(replacingFree(list, free)).binaryPropertyList(), like: content)
    }

    /// The content of `Z_MODELCACHE` with this archive, compressed or not, as it was found.
    private static func compressed(_ archive: [UInt8], like content: [UInt8]) throws(ModelArchiveError) -> [UInt8] {
        do {
            return isPropertyList(content) ? archive : try archive.deflated()
        } catch {
            throw .notInflated(error)
        }
    }

    /// The archive with copies of the objects that default values and user info consist of, behind all others: what they
    /// share with the rest, such as a name, stays there as it is.
    private static func replacingFree(_ list: PropertyList, _ replacing: (PropertyList) -> PropertyList) -> PropertyList
    {
        guard var archive = list.dictionary, let original = archive["$objects"]?.array else { return list }
        var objects = original
        var copies: [Int: Int] = [:]
        var waiting: [Int] = []
        func copy(_ value: PropertyList) -> PropertyList {
            switch value {
            case .uid(let number):
                // The first one is nil.
                guard let index = Int(exactly: number), index > 0, original.indices.contains(index) else {
                    return value
                }
                if let place = copies[index] { return .uid(UInt64(place)) }
                copies[index] = objects.count
                waiting.append(index)
                objects.append(value)
                return .uid(UInt64(objects.count - 1))
            case .array(let elements): return .array(elements.map(copy))
            case .dictionary(let entries):
                return .dictionary(
                    Dictionary(uniqueKeysWithValues: entries.map { ($0, $0 == "$class" ? $1 : copy($1)) }))
            case .null, .bool, .integer, .unsigned, .real, .date, .data, .string: return replacing(value)
            }
        }
        for (index, object) in original.enumerated() {
            guard var entries = object.dictionary else { continue }
            for key in ["NSDefaultValue", "NSUserInfo"] where entries[key] != nil { entries[key] = copy(entries[key]!) }
            objects[index] = .dictionary(entries)
        }
        while let index = waiting.popLast() { objects[copies[index]!] = copy(original[index]) }
        archive["$objects"] = .array(objects)
        return .dictionary(archive)
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
            _ = withReferences(value) { index in
                if let index = Int(exactly: index), objects.indices.contains(index), used.insert(index).inserted {
                    waiting.append(objects[index])
                }
                return index
            }
        }
        let kept = objects.indices.filter(used.contains)
        let places = Dictionary(uniqueKeysWithValues: zip(kept.map(UInt64.init), UInt64(0)...))
        func renumbered(_ value: PropertyList) -> PropertyList { withReferences(value) { places[$0] ?? $0 } }
        return .dictionary(
            ["$archiver", "$version"].reduce(
                into: ["$objects": .array(kept.map { renumbered(objects[$0]) }), "$top": renumbered(top)]
            ) { $0[$1] = archive[$1] })
    }

    /// The value with other references.
    private static func withReferences(_ value: PropertyList, _ change: (UInt64) -> UInt64) -> PropertyList {
        switch value {
        case .uid(let index): .uid(change(index))
        case .array(let elements): .array(elements.map { withReferences($0, change) })
        case .dictionary(let entries): .dictionary(entries.mapValues { withReferences($0, change) })
        case .null, .bool, .integer, .unsigned, .real, .date, .data, .string: value
        }
    }
}

extension ModelArchive {
    /// The archive (an uncompressed binary property list) with these revisions and everything else as it was: objects,
    /// keys and classes unknown here, the order of objects, their numbers. Only the property list is encoded again.
    ///
    /// - Throws: `notRevised` if the model has no such entity, constraint or attribute of its own, or if the result
    ///   would not be the model with exactly these changes; `notPropertyList` or `malformed` for bytes that are not a
    ///   model.
    package static func revised(
        _ archive: [UInt8], _ revisions: [ModelRevision]
    ) throws(ModelArchiveError) -> [UInt8] {
        let list = try propertyList(archive)
        let model = try ManagedObjectModel(archived: list)
        let expected = try model.revised(revisions)
        var reviser = try ModelArchiveReviser(list)
        try reviser.change(model, to: expected)
        let revised = reviser.archive
        // An archive may share objects that Core Data's own archives do not share: the result is checked, not trusted.
        guard try ManagedObjectModel(archived: revised).hasSameEntities(as: expected) else {
            throw .notRevised("parts of its archive are shared and would change too")
        }
        return revised.binaryPropertyList()
    }

    /// `revised` for the content of `Z_MODELCACHE`, compressed or not, as it was found.
    /// - Throws: as `revised`, and `notInflated` if the content cannot be inflated.
    package static func revisedCache(
        _ content: [UInt8], _ revisions: [ModelRevision]
    ) throws(ModelArchiveError) -> [UInt8] {
        try compressed(revised(uncompressed(content), revisions), like: content)
    }
}

extension ManagedObjectModel {
    /// Whether entities mean the same, wherever in their lineage their properties are declared: a property that a
    /// subentity redeclares counts as inherited if it equals the parent's.
    fileprivate func hasSameEntities(as other: ManagedObjectModel) -> Bool {
        guard entities.count == other.entities.count else { return false }
        return zip(entities, other.entities).allSatisfy { mine, theirs in
            var (left, right) = (mine, theirs)
            left.attributes = allAttributes(of: mine)
            right.attributes = other.allAttributes(of: theirs)
            left.relationships = allRelationships(of: mine)
            right.relationships = other.allRelationships(of: theirs)
            return left == right
        }
    }
}
