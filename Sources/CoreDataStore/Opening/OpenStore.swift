package import GRDB

package protocol OpenStore: AnyObject {
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value
    /// One transaction; it is rolled back if `body` throws.
    func change<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value
    /// - Throws: `StoreError` if what was written cannot be checkpointed into the main file.
    func close() throws(StoreError)
}

extension OpenStore {
    /// What `body` makes of the store, which is closed afterwards, also after an error.
    /// - Throws: what `body` throws; otherwise what closing throws.
    package func closing<Value>(after body: (Self) throws(StoreError) -> Value) throws(StoreError) -> Value {
        let value: Value
        do throws(StoreError) {
            value = try body(self)
        } catch {
            try? close()
            throw error
        }
        try close()
        return value
    }
}

extension Database {
    /// One transaction; it is rolled back if `body` throws.
    func transaction<Value>(_ kind: TransactionKind, _ body: (Database) throws -> Value) throws -> Value {
        var value: Value?
        try inTransaction(kind) {
            value = try body(self)
            return .commit
        }
        return value!
    }

    /// Whether changes go to a `-wal`, as the connection itself sees it.
    func isWAL() throws -> Bool {
        try first("PRAGMA journal_mode") { $0.bytes(0).elementsEqual("wal".utf8) } ?? false
    }
}
