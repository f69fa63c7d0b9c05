internal import Foundation

/// Something that is read while the thread that asked for it continues.
package final class ParallelRead<Value>: @unchecked Sendable {
    /// Guards the result; signalled when it is available.
    private let condition = NSCondition()
    private var result: Result<Value, any Error>?

    /// Starts to read on a thread of its own; reads at once if no thread can be started.
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

    /// Waits for what is read, and returns it.
    /// - Throws: what the reading threw.
    package func value() throws -> Value {
        wait()
        return try result!.get()
    }

    /// Returns when the reading has ended.
    func wait() {
        condition.lock()
        defer { condition.unlock() }
        while result == nil { condition.wait() }
    }
}
