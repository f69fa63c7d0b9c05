internal import Foundation
internal import GRDB

/// Stops on request: the running statements are interrupted, their transactions roll back, and the command ends as
/// after any other error.
package enum Interruption {
    private static let state = State()

    /// From now on every signal that ends a program and asks for no more interrupts the stores that are open, and a reader
    /// that has seen enough ends nothing: private copies are taken away in any case. Call once, from the program, before it
    /// has a second thread.
    /// - Returns: false if no thread can be started that waits for them; then they end the program, as they do by
    ///   default.
    package static func listen() -> Bool {
        // A limit on the size of files is a failed write like any other.
        signal(SIGXFSZ, SIG_IGN)
        // To write into a pipe that nobody reads fails, and that is no failure of the command's.
        signal(SIGPIPE, SIG_IGN)
        var signals = signals
        var before = sigset_t()
        // Blocked in this thread and those it starts, so that none is lost and only one thread receives them.
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let isListening = WorkerThread.start(stackSize: 1 << 19) {
            var signals = self.signals
            var number: CInt = 0
            while sigwait(&signals, &number) == 0 { state.interrupt() }
        }
        if !isListening { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return isListening
    }

    /// Those that ask to stop, and those that would end the program without a reason of its own.
    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [
            SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGUSR1, SIGUSR2,
        ] { sigaddset(&signals, number) }
        return signals
    }

    /// Whether the user asked to stop.
    package static var isRequested: Bool { state.isRequested }

    /// Ends a long computation between two calls of SQLite if the user asked to stop.
    /// - Throws: `StoreError` of kind `interrupted`.
    package static func check(_ path: String) throws(StoreError) {
        if isRequested { throw StoreError(.interrupted, at: path, "interrupted; nothing was changed") }
    }

    /// From now on a request interrupts what runs on this connection.
    static func watch(_ queue: DatabaseQueue) { state.watch(queue) }

    /// From now on it does not. To be called before the connection is closed.
    static func forget(_ queue: DatabaseQueue) { state.forget(queue) }

    private final class State: @unchecked Sendable {
        private let lock = NSLock()
        private var requested = false
        private var queues: [ObjectIdentifier: DatabaseQueue] = [:]

        var isRequested: Bool { lock.withLock { requested } }

        func watch(_ queue: DatabaseQueue) { lock.withLock { queues[ObjectIdentifier(queue)] = queue } }

        func forget(_ queue: DatabaseQueue) { lock.withLock { queues[ObjectIdentifier(queue)] = nil } }

        func interrupt() {
            // Under the lock, so that none of them is closed in between.
            lock.withLock {
                requested = true
                for queue in queues.values { queue.interrupt() }
            }
        }
    }
}
