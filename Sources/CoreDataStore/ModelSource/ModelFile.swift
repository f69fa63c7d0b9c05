internal import Foundation

/// A managed object model read from a developer's or an app's files.
package struct ModelFile: Sendable {
    /// As given.
    package let path: String
    /// The name of the model's version, "USB_Meter 2" for instance.
    package let version: String?
    package let model: ManagedObjectModel
    /// The keyed archive of the model.
    package let archive: [UInt8]
    /// The hashes that the compiler noted for this version, by entity name.
    package let publishedHashes: [String: [UInt8]]?

    /// Reads a compiled model (`.mom`).
    /// - Throws: `StoreError`: `notFound` for no such file; `damaged` for what is no model.
    package static func read(_ path: String) throws(StoreError) -> ModelFile {
        guard let bytes = FileManager.default.contents(atPath: path).map([UInt8].init) else {
            throw StoreError(.notFound, at: path, "no such file")
        }
        do {
            return ModelFile(
                path: path, version: nil, model: try ManagedObjectModel(archive: bytes), archive: bytes,
                publishedHashes: nil)
        } catch {
            throw StoreError(.damaged, at: path, "\(error)", hint: "name the model of the app, a .mom or .momd")
        }
    }
}
