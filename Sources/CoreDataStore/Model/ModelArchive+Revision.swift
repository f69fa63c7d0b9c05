extension ModelArchive {
    /// The archive (an uncompressed binary property list) with these revisions and everything else as it was: objects,
    /// keys and classes unknown here, the order of objects, their numbers. Only the encoding of the property list is
    /// made anew.
    ///
    /// Throws `notRevised` where the model has no such entity, constraint or attribute of its own, and where the result
    /// would not be the model with these changes and no other; `notPropertyList` or `malformed` for what is no model.
    package static func revised(
        _ archive: [UInt8], _ revisions: [ModelRevision]
    ) throws(ModelArchiveError) -> [UInt8] {
        let list = try propertyList(archive)
        let model = try ManagedObjectModel(archived: list)
        let expected = try model.revised(revisions)
        var reviser = try ModelArchiveReviser(list)
        try reviser.change(model, to: expected)
        let revised = reviser.archive
        // An archive may have objects in common that Core Data's own do not: what changed is looked at, not trusted.
        guard try ManagedObjectModel(archived: revised).hasSameEntities(as: expected) else {
            throw .notRevised("its archive has parts in common that would change along")
        }
        return revised.binaryPropertyList()
    }

    /// `revised` for the content of `Z_MODELCACHE`, in the form it was found in: compressed or not.
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
    /// subentity declares anew counts as inherited once it equals the parent's.
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
