internal import Foundation

/// Something that is read while the thread that asked for it goes on.
package final class ParallelRead<Value>: @unchecked Sendable {
    /// Guards the result, and is signalled when it is there.
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    /// Begins to read on a thread of its own; reads at once where there can be no more threads.
    init(_ body: @escaping @Sendable () throws -> Value) {
        let isBegun = WorkerThread.start {
            let result = Result(catching: body)
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

    /// Returns when nothing is read any more.
    func wait() {
        condition.lock()
        defer { condition.unlock() }
        while result == nil { condition.wait() }
    }
}
