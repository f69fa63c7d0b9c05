internal import XML

/// Reads the files of a model.
enum ModelBytes {
    /// Far above any real one: the largest source seen has 33 KB.
    private static let sizeLimit = 1 << 25

    static func read(_ path: String) throws(StoreError) -> [UInt8] {
        guard let status = try status(path), status.isRegular else {
            throw StoreError(.damaged, at: path, "not a file with a model in it")
        }
        guard let bytes = try FileInput(path).bytes(limit: sizeLimit, expected: status.size) else {
            throw StoreError(
                .damaged, at: path, "more than \(sizeLimit >> 20) MiB, and no model is that large",
                hint: "is this the right file?")
        }
        return bytes
    }

    static func status(_ path: String) throws(StoreError) -> FileStatus? {
        do {
            return path.utf8.contains(0) ? nil : try FileStatus(path: path)
        } catch {
            throw error.storeError(at: path)
        }
    }

    static func isFile(_ path: String) throws(StoreError) -> Bool { try status(path)?.isRegular == true }

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
