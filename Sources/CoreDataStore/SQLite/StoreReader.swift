internal import Foundation
package import GRDB

/// Reads from the store of a connection, perhaps while that connection goes on.
package protocol StoreReader: AnyObject, Sendable {
    /// Whether a read would go on beside the connection, and not before it.
    func readsBeside(_ database: Database) -> Bool

    /// Begins to read from the store as it is now, or reads it at once.
    /// - Parameters:
    ///   - database: the connection's. Where it has changed something, `showChanges` was called since, and it changes
    ///     nothing more until the reading is done.
    ///   - body: uses the database it is handed, and no other.
    func read<Value>(
        beside database: Database, _ body: @escaping @Sendable (Database) throws -> Value
    ) -> PendingRead<Value>

    /// From now on the store is read as the connection's transaction leaves it, before the commit.
    /// - Parameter database: the connection's, in its first transaction that changes anything.
    func showChanges(of database: Database)

    /// Interrupts what still reads, and returns when nothing does.
    func end()
}

/// Reads through the connection itself, one thing after the other.
package final class SequentialReader: StoreReader {
    package init() {}

    package func readsBeside(_ database: Database) -> Bool { false }

    package func read<Value>(
        beside database: Database, _ body: @escaping @Sendable (Database) throws -> Value
    ) -> PendingRead<Value> {
        PendingRead(done: Result { try body(database) })
    }

    package func showChanges(of database: Database) {}

    package func end() {}
}

/// Something that is read while the thread that asked for it goes on.
package final class PendingRead<Value>: @unchecked Sendable {
    /// Guards the result, and is signalled when it is there.
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    /// Begins to read on a thread of its own; reads at once where there can be no more threads.
    package init(_ body: @escaping @Sendable () throws -> Value) {
        let progress = WorkProgress.current
        let isBegun = WorkerThread.start {
            let result = WorkProgress.$current.withValue(progress) { Result(catching: body) }
            self.condition.withLock {
                self.result = result
                self.condition.broadcast()
            }
        }
        if !isBegun { result = Result(catching: body) }
    }

    /// Was read at once.
    package init(done result: Result<Value, any Error>) { self.result = result }

    /// What was read, as soon as it is.
    /// - Throws: what the reading threw.
    package func value() throws -> Value {
        wait()
        return try result!.get()
    }

    /// The same, with every error as one of the store at `path`.
    package func value(at path: String) throws(StoreError) -> Value {
        do {
            return try value()
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// Returns when nothing is read any more.
    package func wait() {
        condition.lock()
        defer { condition.unlock() }
        while result == nil { condition.wait() }
    }
}
