internal import CoreDataStore

/// The key-value stores of all apps as macOS 12, iOS 15 and later keep them in one Core Data store. Its layout is known
/// from descriptions only, so tables and columns are found by what is in their names.
struct KeyValueDatabase {
    private let files: StoreConnection
    private let path: String
    private let name: String

    /// - Parameter name: what messages call the database.
    init(path: String, name: String) throws(StoreError) {
        self.path = path
        self.name = name
        do {
            files = try StoreConnection.untouched(path)
        } catch {
            throw error.named(name)
        }
    }

    func dump(identifier: String?) throws(StoreError) -> KeyValueDump {
        do {
            let (entries, app, ignoredKeys) = try files.read { database in
                let tables = try KeyValueTables(database, name: name)
                let app = try tables.app(identifier: identifier)
                return (try tables.entries(of: app), app, try tables.ignoredKeyCount(beside: app))
            }
            let digest = try digest()
            try files.confirmUnchanged()
            return KeyValueDump(
                entries: entries, form: .init(.database, .app(app.identifier)), ignoredKeys: ignoredKeys,
                sha256: digest)
        } catch {
            throw error.named(name)
        }
    }

    private func digest() throws(StoreError) -> String {
        var digest = DumpDigest()
        for suffix in ["", "-wal"] where files.files.has(suffix) {
            let input = try FileInput(files.files.resolvedPath + suffix)
            while let bytes = try input.nextChunk() { digest.add(bytes) }
        }
        return digest.hex
    }
}

extension StoreError {
    /// The same error under the name the user knows.
    fileprivate func named(_ name: String) -> StoreError { StoreError(kind, at: name, message, hint: hint) }
}
