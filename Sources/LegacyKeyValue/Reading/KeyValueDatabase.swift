internal import CoreDataStore

/// The key-value stores of all apps as macOS 12, iOS 15 and later keep them in one Core Data store. Its layout is known
/// from descriptions only, so tables and columns are found by what is in their names.
struct KeyValueDatabase {
    let path: String
    /// The name of the database in messages.
    let name: String

    func dump(identifier: String?) throws(StoreError) -> KeyValueDump {
        do {
            return try StoreConnection.look(at: path) { connection, database in
                let tables = try KeyValueTables(database, name: path)
                let app = try tables.app(identifier: identifier)
                let dump = KeyValueDump(
                    entries: try tables.entries(of: app), format: .init(.database, .app(app.identifier)),
                    ignoredKeys: try tables.ignoredKeyCount(beside: app), sha256: try digest(of: connection.files))
                // A private copy is consistent, but the digest is that of the files themselves.
                try connection.confirmUnchanged()
                return dump
            }
        } catch {
            throw error.path == path ? error.named(name) : error
        }
    }

    private func digest(of files: StoreFiles) throws(StoreError) -> String {
        var digest = DumpDigest()
        for suffix in ["", "-wal"] where files.has(suffix) {
            let input = try FileInput(files.resolvedPath + suffix)
            while let bytes = try input.nextChunk() { digest.add(bytes) }
        }
        return digest.hex
    }
}

extension StoreError {
    /// The same error with the name that the user knows.
    fileprivate func named(_ name: String) -> StoreError { StoreError(kind, at: name, message, hint: hint) }
}
