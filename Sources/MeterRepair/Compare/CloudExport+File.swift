internal import CoreDataStore
internal import Foundation
internal import JSON

extension CloudExport {
    /// The whole file.
    /// - Throws: `StoreError` where it cannot be read, or is larger than any export is.
    static func bytes(of path: String) throws(StoreError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileFault(code: errno).storeError(at: path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var bytes: [UInt8] = []
        do {
            while bytes.count <= limits.inputBytes, let part = try file.read(upToCount: 1 << 20), !part.isEmpty {
                bytes += part
                try Interruption.check(path)
            }
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.inputOutput, at: path, "the export cannot be read")
        }
        guard bytes.count <= limits.inputBytes else {
            throw StoreError(.damaged, at: path, "more than \(limits.inputBytes >> 20) MiB, too much for an export")
        }
        return bytes
    }
}
