internal import Foundation
internal import GRDB

/// Stopping on request: the running statement is interrupted, its transaction rolls back, and the command ends as
/// after any other error.
package enum Interruption {
    private static let state = State()

    /// From now on SIGINT, SIGTERM and SIGHUP interrupt the store that is open. Call once, from the program.
    package static func listen() {
        // A limit on the size of files is a failed write like any other.
        signal(SIGXFSZ, SIG_IGN)
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { state.interrupt() }
            source.resume()
            state.keep(source)
        }
    }

    /// Whether the user asked to stop.
    package static var isRequested: Bool { state.isRequested }

    /// Ends a long computation between two calls of SQLite.
    /// - Throws: `StoreError` of kind `interrupted`.
    package static func check(_ path: String) throws(StoreError) {
        if isRequested { throw StoreError(.interrupted, at: path, "interrupted; nothing was changed") }
    }

    /// The connection that a request interrupts.
    static var current: DatabaseQueue? {
        get { state.current }
        set { state.current = newValue }
    }

    private final class State: @unchecked Sendable {
        private let lock = NSLock()
        private var requested = false
        private weak var queue: DatabaseQueue?
        private var sources: [any DispatchSourceSignal] = []

        func keep(_ source: any DispatchSourceSignal) { lock.withLock { sources.append(source) } }

        var isRequested: Bool { lock.withLock { requested } }

        var current: DatabaseQueue? {
            get { lock.withLock { queue } }
            set { lock.withLock { queue = newValue } }
        }

        func interrupt() {
            lock.withLock {
                requested = true
                return queue
            }?.interrupt()
        }
    }
}
