internal import Foundation
internal import GRDB

/// The queue whose connection was closed last, kept until the next one is closed or the program ends. When GRDB's queue
/// goes, Dispatch starts a thread to clear up, which takes a twentieth of a command on a small store.
enum LastQueue {
    /// Closes a connection, and keeps its queue. One that is in use closes when its queue goes.
    static func keep(_ queue: DatabaseQueue) {
        guard (try? queue.close()) != nil else { return }
        // The one before goes when the lock is free again.
        withExtendedLifetime(place.exchange(for: queue)) {}
    }

    private static let place = Place()

    private final class Place: @unchecked Sendable {
        private let lock = NSLock()
        private var queue: DatabaseQueue?

        func exchange(for queue: DatabaseQueue) -> DatabaseQueue? {
            lock.withLock {
                let before = self.queue
                self.queue = queue
                return before
            }
        }
    }
}
