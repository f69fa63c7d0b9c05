internal import Foundation

/// Something that is read while the thread that asked for it goes on.
package final class ParallelRead<Value>: @unchecked Sendable {
    /// Guards the result, and is signalled when it is there.
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    /// Begins to read on a thread of its own.
    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread {
            let result = Result(catching: body)
            self.condition.withLock {
                self.result = result
                self.condition.broadcast()
            }
        }
    }

    /// Was read at once.
    package init(done result: Result<Value, any Error>) { self.result = result }

    /// What was read, as soon as it is.
    /// - Throws: what the reading threw.
    package func value() throws -> Value {
        wait()
        return try result!.get()
    }

    /// Returns when nothing is read any more.
    func wait() {
        condition.lock()
        defer { condition.unlock() }
        while result == nil { condition.wait() }
    }
}
