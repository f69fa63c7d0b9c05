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
        let revised = try revised(uncompressed(content), revisions)
        guard !isPropertyList(content) else { return revised }
        do {
            return try RawDeflate.deflated(revised)
        } catch {
            throw .notInflated(error)
        }
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
