internal import Foundation

/// Something that is read while the thread that asked for it goes on.
package final class PendingRead<Value>: @unchecked Sendable {
    /// Guards the result, and is signalled when it is there.
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    /// Begins to read on a thread of its own; reads at once where there can be no more threads.
    package init(_ body: @escaping @Sendable () throws -> Value) {
        let progress = WorkProgress.current
        let isBegun = Thread.begin {
            let result = WorkProgress.$current.withValue(progress) { Result(catching: body) }
            self.condition.withLock {
                self.result = result
                self.condition.broadcast()
            }
        }
        if !isBegun { result = Result(catching: body) }
    }

    package init(done result: Result<Value, any Error>) { self.result = result }

    /// What was read, as soon as it is.
    package func value() throws -> Value {
        wait()
        return try result!.get()
    }

    /// The same, with every error as one of the store at `path`.
    package func value(at path: String) throws(StoreError) -> Value {
        try StoreError.at(path) { try value() }
    }

    package func wait() {
        condition.lock()
        defer { condition.unlock() }
        while result == nil { condition.wait() }
    }
}
