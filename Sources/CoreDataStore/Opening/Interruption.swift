internal import Foundation
internal import GRDB

/// Stopping on request: the running statements are interrupted, their transactions roll back, and the command ends as
/// after any other error.
package enum Interruption {
    private static let state = State()

    /// From now on SIGINT, SIGTERM and SIGHUP interrupt the stores that are open. Call once, from the program.
    package static func listen() {
        // A limit on the size of files is a failed write like any other.
        signal(SIGXFSZ, SIG_IGN)
        // Held back until all sources listen, so that none is lost.
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let listening = DispatchGroup()
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { state.interrupt() }
            listening.enter()
            source.setRegistrationHandler { listening.leave() }
            source.resume()
            state.keep(source)
        }
        listening.wait()
        #if canImport(Darwin)
            // Here a source listens beside what the signal does, and hears of none that came before it; on Linux it puts
            // a handler of its own in the place, which hears of those held back.
            var held = sigset_t()
            sigpending(&held)
            for number in [SIGINT, SIGTERM, SIGHUP] {
                if sigismember(&held, number) == 1 { state.interrupt() }
                signal(number, SIG_IGN)
            }
        #endif
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Whether the user asked to stop.
    package static var isRequested: Bool { state.isRequested }

    /// Ends a long computation between two calls of SQLite.
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
        private var sources: [any DispatchSourceSignal] = []

        func keep(_ source: any DispatchSourceSignal) { lock.withLock { sources.append(source) } }

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
