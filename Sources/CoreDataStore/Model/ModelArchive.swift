/// A managed object model on disk: a keyed archive, plain in a compiled `.mom`, raw-deflated in `Z_MODELCACHE`.
package enum ModelArchive {
    /// The archive of `model`, in the shape Core Data's own archives have in real stores: the same classes, keys and
    /// bits, inherited properties repeated in each subentity.
    ///
    /// Left out is what a `ManagedObjectModel` does not hold: default values, class names, validation, delete rules
    /// (written as "nullify"), indexes, fetch requests, expressions of derived attributes, properties not understood.
    /// Apple's unarchiver has not been tried on it.
    package static func encode(_ model: ManagedObjectModel) -> [UInt8] {
        var writer = ModelArchiveWriter(model)
        return writer.archive().binaryPropertyList()
    }

    /// `encode(_:)`, as the content of `Z_MODELCACHE`.
    package static func modelCache(for model: ManagedObjectModel) throws(RawDeflate.Failure) -> [UInt8] {
        try RawDeflate.deflated(encode(model))
    }

    /// Bytes of an archive once inflated. The largest in real stores has 22 KB.
    fileprivate static let sizeLimit = 1 << 25
}

extension ManagedObjectModel {
    /// Reads an uncompressed archive, as a `.mom` file holds it.
    package init(archive bytes: [UInt8]) throws(ModelArchiveError) {
        let list: PropertyList
        do {
            var limits = BinaryPropertyListLimits()
            limits.inputBytes = ModelArchive.sizeLimit
            list = try PropertyList(binary: bytes, limits: limits)
        } catch {
            throw .notPropertyList(error)
        }
        var reader = try ModelArchiveReader(list)
        self = try reader.model()
    }

    /// Reads the content of `Z_MODELCACHE`.
    package init(modelCache bytes: [UInt8]) throws(ModelArchiveError) {
        let archive: [UInt8]
        do {
            archive = try RawDeflate.inflated(bytes, limit: ModelArchive.sizeLimit)
        } catch {
            throw .notInflated(error)
        }
        try self.init(archive: archive)
    }
}
