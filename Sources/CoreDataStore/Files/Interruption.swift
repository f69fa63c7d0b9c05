internal import Foundation
internal import GRDB

/// Stops on request: the running statements are interrupted, their transactions roll back, and the command ends as
/// after any other error.
package enum Interruption {
    private static let state = Locked(State())

    /// From now on every signal that ends a program and asks for no more interrupts the stores that are open, and a reader
    /// that has seen enough ends nothing: private copies are taken away in any case. A crash stays a crash. Call once, from
    /// the program, before it has a second thread.
    /// - Returns: false if no thread can be started that waits for them; then they end the program, as they do by
    ///   default.
    package static func listen() -> Bool {
        // A limit on the size of files is a failed write like any other.
        signal(SIGXFSZ, SIG_IGN)
        // To write into a pipe that nobody reads fails, and that is no failure of the command's.
        signal(SIGPIPE, SIG_IGN)
        // With one of these Swift's runtime on Linux stops every other thread before it tells of a crash, and waits until
        // each has handled it. A thread that waits for them would take it and not stop, and the crash would not end.
        for number in [SIGUSR1, SIGUSR2, SIGPROF] { signal(number) { _ in kill(getpid(), SIGTERM) } }
        // `signal` lets a call that was interrupted begin again.
        signal(wakeUp) { _ in }
        var action = sigaction()
        sigaction(wakeUp, nil, &action)
        action.sa_flags &= ~SA_RESTART
        sigaction(wakeUp, &action, nil)
        var signals = signals
        var before = sigset_t()
        // Blocked in this thread and those it starts, so that none is lost and only one thread receives them.
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let isListening = Thread.begin(stackSize: 1 << 19) {
            var signals = self.signals
            var number: CInt = 0
            while sigwait(&signals, &number) == 0 {
                // Once is not enough: a thread may have been just about to wait, or waits again to say what happened.
                if !isRequested { _ = Thread.begin(stackSize: 1 << 19, wakeForever) }
                // Under the lock, so that none of them is closed in between.
                state.withLock { state in
                    state.isRequested = true
                    for queue in state.queues.values { queue.interrupt() }
                }
            }
        }
        if !isListening { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return isListening
    }

    /// Those that ask to stop, and those that would end the program without a reason of its own.
    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGVTALRM, SIGXCPU] { sigaddset(&signals, number) }
        return signals
    }

    package static var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Ends a long computation between two calls of SQLite if the user asked to stop.
    /// - Throws: `StoreError` of kind `interrupted`.
    package static func check(_ path: String) throws(StoreError) {
        if isRequested { throw error(at: path) }
    }

    package static func error(at path: String) -> StoreError {
        StoreError(.interrupted, at: path, "interrupted; nothing was changed")
    }

    /// Makes a system call that may wait for as long as somebody else likes: at a pipe or at a terminal.
    /// - Returns: what the call returns, with its `errno`. That is `EINTR` only where the user asked to stop; another
    ///   signal does not end it.
    package static func waiting<Number: SignedInteger>(_ call: () -> Number) -> Number {
        // It may be one of libdispatch's, which block all signals.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, wakeUp)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        let thread = pthread_self()
        state.withLock { $0.waiting.append(thread) }
        while true {
            let number = call()
            let code = errno
            guard number < 0, code == EINTR, !isRequested else {
                state.withLock { state in
                    if let place = state.waiting.firstIndex(of: thread) { state.waiting.remove(at: place) }
                }
                errno = code
                return number
            }
        }
    }

    /// Does nothing but end the call in which a thread waits. By default it is ignored, so a parent that sends it to all
    /// does no harm.
    private static let wakeUp = SIGURG

    private static func wakeForever() {
        while true {
            // Under the lock, so that none of them has gone on to something else.
            state.withLock { for thread in $0.waiting { pthread_kill(thread, wakeUp) } }
            usleep(20_000)
        }
    }

    /// From now on a request interrupts what runs on this connection.
    static func watch(_ queue: DatabaseQueue) { state.withLock { $0.queues[ObjectIdentifier(queue)] = queue } }

    /// From now on it does not. To be called before the connection is closed.
    static func forget(_ queue: DatabaseQueue) { state.withLock { $0.queues[ObjectIdentifier(queue)] = nil } }

    private struct State {
        var isRequested = false
        var queues: [ObjectIdentifier: DatabaseQueue] = [:]
        /// In a system call that may not end by itself.
        var waiting: [pthread_t] = []
    }
}
