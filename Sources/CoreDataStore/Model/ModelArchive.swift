/// A managed object model on disk: a keyed archive, plain in a compiled `.mom`, raw-deflated in `Z_MODELCACHE`.
package enum ModelArchive {
    /// The archive of `model`, in the shape Core Data's own archives have in real stores: the same classes, keys and
    /// bits, inherited properties repeated in each subentity.
    ///
    /// It lacks what a `ManagedObjectModel` does not hold: default values, class names, validation, delete rules
    /// (written as "nullify"), indexes, fetch requests, expressions of derived attributes, properties not understood.
    /// It has not been tried with Apple's unarchiver.
    package static func encode(_ model: ManagedObjectModel) -> [UInt8] {
        var writer = ModelArchiveWriter(model)
        return writer.archive().binaryPropertyList()
    }

    /// `encode(_:)`, as the content of `Z_MODELCACHE`.
    /// - Throws: `DeflateError` if the archive cannot be compressed.
    package static func modelCache(for model: ManagedObjectModel) throws(RawDeflate.DeflateError) -> [UInt8] {
        try RawDeflate.deflated(encode(model))
    }

    /// The content of `Z_MODELCACHE`, inflated if it is compressed, as in every real store.
    static func uncompressed(_ content: [UInt8]) throws(ModelArchiveError) -> [UInt8] {
        guard !isPropertyList(content) else { return content }
        do {
            return try RawDeflate.inflated(content, limit: sizeLimit)
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

/// Why bytes are not a managed object model, or not one that can be revised as asked.
package enum ModelArchiveError: Error, Hashable, CustomStringConvertible {
    case notInflated(RawDeflate.DeflateError)
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
