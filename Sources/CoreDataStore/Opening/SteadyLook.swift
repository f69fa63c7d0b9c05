internal import Foundation

/// Reads a store that another process may be writing to. What was read counts only if nobody wrote meanwhile; otherwise
/// the store is read again, for a limited time.
package struct SteadyLook {
    /// How often it was read before.
    package fileprivate(set) var attempt = 0
    /// Whether the reading does not depend on the store's files any more, because it uses a copy that is known to be
    /// consistent, or because nobody else can write to them. Then the result counts.
    package var isSettled = false

    /// Reads the store at `path`.
    /// - Parameters:
    ///   - patience: for how long it is tried again; at least once.
    ///   - look: leaves no connection open to the store, unless it is settled.
    /// - Throws: what `look` throws, if nobody wrote meanwhile; otherwise `StoreError` of kind `inUse`.
    package static func at<Value>(
        _ path: String, patience: Duration = .seconds(1), _ look: (inout SteadyLook) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        let end = ContinuousClock.now + patience
        var state = SteadyLook()
        while true {
            let before = StoreFingerprint(path)
            state.isSettled = false
            let result: Result<Value, StoreError>
            do throws(StoreError) {
                result = .success(try look(&state))
            } catch {
                // The error is about something else, such as the folder for private copies; or another process has a
                // lock, for an unknown time.
                let isLocked = error.kind == .inUse && error != .changedMeanwhile(path)
                guard error.path == path, error.kind != .interrupted, !isLocked else { throw error }
                result = .failure(error)
            }
            if state.isSettled || StoreFingerprint(path) == before { return try result.get() }
            guard state.attempt == 0 || ContinuousClock.now < end else { throw .changedMeanwhile(path) }
            try Interruption.check(path)
            // 1 ms at first, then twice as long each time, up to 64 ms.
            usleep(1_000 << UInt32(min(state.attempt, 6)))
            state.attempt += 1
        }
    }
}

extension StoreError {
    static func changedMeanwhile(_ path: String) -> StoreError {
        StoreError(.inUse, at: path, "the store changed while it was read", hint: "close the app and run it again")
    }
}
