internal import Foundation

/// A managed object model read from a developer's or an app's files.
package struct ModelFile: Sendable {
    /// As given.
    package let path: String
    /// The name of the model's version, "USB_Meter 2" for instance; nil for a `contents` file on its own.
    package let version: String?
    package let model: ManagedObjectModel
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
    package static func read(_ path: String) throws(StoreError) -> ModelFile {
        let place = try ModelPlace(path)
        let bytes = try ModelBytes.read(place.file)
        if ModelArchive.isPropertyList(bytes) {
            let information = try VersionInformation(beside: place.file)
            do {
                let (model, details) = try ModelArchive.read(bytes)
                return ModelFile(
                    path: path, version: place.version, model: model, details: details, archive: bytes,
                    publishedHashes: place.version.flatMap { information?.hashes[$0] })
            } catch {
                throw StoreError(.damaged, at: place.file, "\(error)", hint: ModelPlace.hint)
            }
        }
        let (model, details) = try ModelBytes.source(bytes, at: place.file)
        return ModelFile(
            path: path, version: place.version, model: model, details: details, archive: ModelArchive.encode(model),
            publishedHashes: nil)
    }
}
