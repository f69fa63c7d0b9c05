internal import Foundation
internal import MeterModel

extension SettingsStore {
    /// What any process, this one included, changes in the records of a store. The first element has every record, so
    /// that nothing is missed between a look and the first change.
    ///
    /// The store is looked at in intervals. What was written is told when nothing more was written for one interval, and
    /// at the latest after four. A connection lock that expires is told, too: nobody writes then.
    ///
    /// While somebody iterates, the file is open, as it is in an app: `meterfix rebuild` and a store with exclusive access
    /// find it in use. Cancel the task before an iOS app is suspended.
    /// - Parameters:
    ///   - path: the store's main file.
    ///   - interval: between two looks. The default of 250 ms shows a change after half a second.
    /// - Returns: the changes, without an end. It throws `StoreError`, and ends, when the store cannot be read.
    public static func changes(
        at path: String, every interval: Duration = .milliseconds(250)
    ) -> AsyncThrowingStream<SettingsChange, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                let watch = SettingsWatch(path)
                defer { watch.end() }
                do {
                    while !Task.isCancelled {
                        if let change = try watch.look(at: Timestamp(Date())) { continuation.yield(change) }
                        try await Task.sleep(for: interval)
                    }
                    continuation.finish()
                } catch is CancellationError {
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
