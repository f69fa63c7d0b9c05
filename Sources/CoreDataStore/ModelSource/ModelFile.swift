internal import Foundation
internal import Texts

/// A managed object model read from a developer's or an app's files.
public struct ModelFile: Sendable {
    /// As given.
    package let path: String
    /// The name of the model's version, "USB_Meter 2" for instance; nil for a `contents` file on its own.
    public let version: String?
    /// What the file describes.
    public let model: ManagedObjectModel
    package let details: ModelDetails
    /// The keyed archive of the model: a compiled model's own bytes. For a source, which has none, it is generated
    /// (`ModelArchive.encode`, which says what is missing).
    package let archive: [UInt8]
    /// The hashes that the compiler wrote for this version, by entity name. Only compiled models come with them.
    package let publishedHashes: [String: [UInt8]]?

    /// Reads a source (`.xcdatamodel`, `.xcdatamodeld`, its `contents`) or a compiled model (`.mom`, `.momd`); the
    /// format is detected from the contents. Of several versions the current one is read. The formats are those of
    /// Xcode 15 and of apps built with it.
    /// - Throws: `StoreError`: `notFound` if there is no such file; `damaged` if it is not a model or cannot be read,
    ///   for a source with line and column; errors of the file system.
    public static func read(_ path: String) throws(StoreError) -> ModelFile {
        let place = try ModelPlace(path)
        let bytes = try ModelFile.bytes(of: place.file)
        let information = ModelArchive.isPropertyList(bytes) ? try VersionInformation(beside: place.file) : nil
        return try ModelFile(
            bytes, at: place.file, path: path, version: place.version,
            publishedHashes: place.version.flatMap { information?.hashes[$0] })
    }

    /// A model of bytes that were read already, of a source's `contents` or a `.mom`.
    /// - Throws: `StoreError`, `damaged` for bytes that are no model, `unsuitable` for a model of Xcode 3.
    package init(
        _ bytes: [UInt8], at file: String, path: String? = nil, version: String?, publishedHashes: [String: [UInt8]]?
    ) throws(StoreError) {
        self.path = path ?? file
        self.version = version
        if bytes.starts(with: ModelPlace.typedStream) { throw ModelPlace.ofXcode3(file) }
        guard ModelArchive.isPropertyList(bytes) else {
            (model, details) = try ModelFile.source(bytes, at: file)
            archive = ModelArchive.encode(model, configurations: details.configurations)
            self.publishedHashes = nil
            return
        }
        do {
            (model, details) = try ModelArchive.read(bytes)
        } catch {
            throw StoreError(.damaged, at: file, "\(error)", hint: ModelPlace.hint)
        }
        archive = bytes
        self.publishedHashes = publishedHashes
    }

    /// Whether Core Data opens a store with these hashes with this model: those of all its entities, or of the entities
    /// of one configuration, are the store's. An entity whose hash cannot be computed, and that comes with none, does
    /// not count.
    /// - Parameter noted: 32 bytes by entity, as `NSStoreModelVersionHashes` has them.
    package func fits(_ noted: [String: [UInt8]]) -> Bool {
        let computed = model.versionHashes()
        let all = Set(model.entities.map(\.name))
        return ([all] + details.configurations.values).contains { names in
            names == Set(noted.keys)
                && names.allSatisfy { name in
                    (publishedHashes?[name] ?? computed[name]).map { $0 == noted[name] } ?? true
                }
        }
    }
}

/// `VersionInfo.plist` of a `.momd`: keys as in those that Xcode 15 made.
package struct VersionInformation {
    /// `NSManagedObjectModel_CurrentVersionName`.
    package let current: String
    /// `NSManagedObjectModel_VersionHashes`: by version, then by entity, 32 bytes each.
    package let hashes: [String: [String: [UInt8]]]

    /// Nil where the folder has none.
    init?(in folder: String) throws(StoreError) {
        let path = folder + "/VersionInfo.plist"
        guard try ModelFile.isFile(path) else { return nil }
        try self.init(ModelFile.bytes(of: path), at: path)
    }

    /// - Throws: `StoreError`, `damaged` for what is not a model.
    package init(_ bytes: [UInt8], at path: String) throws(StoreError) {
        let list: [String: PropertyList]?
        do {
            list = try PropertyList(binary: bytes).dictionary
        } catch {
            throw StoreError(.damaged, at: path, "\(error)", hint: "name the .mom of the version")
        }
        guard let current = list?["NSManagedObjectModel_CurrentVersionName"]?.string, ModelPlace.isPlainName(current)
        else {
            throw StoreError(
                .damaged, at: path, "does not say which version is current", hint: "name the .mom of the version")
        }
        self.current = current
        hashes = (list?["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:]).mapValues { version in
            (version.dictionary ?? [:]).compactMapValues(\.data)
        }
    }

    /// That of the folder of a compiled model; nil if the model is not in one.
    init?(beside file: String) throws(StoreError) {
        do {
            try self.init(in: FileReplacement.folder(of: file))
        } catch {
            // It would only add hashes to a model that is there.
            if error.kind == .damaged { return nil }
            throw error
        }
    }
}

extension ModelFile {
    /// Far above any real one: the largest source seen has 33 KB.
    private static let sizeLimit = 1 << 25

    static func bytes(of path: String) throws(StoreError) -> [UInt8] {
        guard let status = try FileStatus.named(path), status.isRegular else {
            throw StoreError(.damaged, at: path, "not a file with a model in it")
        }
        guard let bytes = try FileInput(path).bytes(limit: sizeLimit, expected: status.size) else {
            throw StoreError(
                .damaged, at: path, "more than \(sizeLimit >> 20) MiB, and no model is that large",
                hint: "is this the right file?")
        }
        return bytes
    }

    static func isFile(_ path: String) throws(StoreError) -> Bool { try FileStatus.named(path)?.isRegular == true }

    /// The model in a `contents` file.
    static func source(
        _ bytes: [UInt8], at path: String
    ) throws(StoreError) -> (model: ManagedObjectModel, details: ModelDetails) {
        let root = try xml(bytes, at: path)
        do {
            let source = try ModelXML(root)
            return (try source.model(), source.details())
        } catch {
            throw storeError(error, in: bytes, at: path)
        }
    }

    static func xml(_ bytes: [UInt8], at path: String) throws(StoreError) -> XMLTree {
        let first = bytes.first { !TextScanner.isWhite($0) }
        guard first == UInt8(ascii: "<") || bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw StoreError(
                .damaged, at: path, "not a model\(found(bytes).map { " but \($0)" } ?? "")",
                hint: ModelPlace.hint)
        }
        do {
            return try XMLTree(document: bytes)
        } catch {
            throw storeError(error, in: bytes, at: path)
        }
    }

    private static func found(_ bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return "an empty file" }
        if bytes.starts(with: "SQLite format 3".utf8) { return "a database" }
        // Beside the .mom of the current version in a .momd; the format is Apple's own.
        if bytes.starts(with: "momv2$".utf8) { return "an optimised model (.omo); name the .mom beside it" }
        return FileKind(of: bytes)?.name
    }

    private static func storeError(_ error: XMLError, in text: [UInt8], at path: String) -> StoreError {
        StoreError(.damaged, at: path, "\(error.reason), \(TextPosition(of: error.offset, in: text))")
    }
}
