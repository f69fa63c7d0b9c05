internal import Foundation

/// A look at a store that another process may be writing to. What was seen counts only if nobody wrote meanwhile; if
/// somebody did, it is looked at again, for a moment.
package struct SteadyLook {
    /// How often it was looked at before.
    package fileprivate(set) var attempt = 0
    /// Whether the look does not depend on the store's files any more, because it is at a copy that is known to be whole,
    /// or because nobody else can write to them. What is found then counts.
    package var isSettled = false

    /// Looks at the store at `path`.
    /// - Parameters:
    ///   - patience: how long it is tried again; it is so once at least.
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
                // It is about something else, such as the folder for private copies; or another process has a lock, and
                // that may take any time.
                let isLocked = error.kind == .inUse && error != .changedMeanwhile(path)
                guard error.path == path, error.kind != .interrupted, !isLocked else { throw error }
                result = .failure(error)
            }
            if state.isSettled || StoreFingerprint(path) == before { return try result.get() }
            guard state.attempt == 0 || ContinuousClock.now < end else { throw .changedMeanwhile(path) }
            try Interruption.check(path)
            // From 1 ms on, twice as long each time, up to 64 ms.
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
