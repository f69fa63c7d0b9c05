/// What long work reads or writes at the moment, and how much of it. Whoever does the work tells it; whoever shows it to a
/// person looks from time to time.
///
/// The work is done with it as `current`, so that it need not be handed from function to function. Where nobody looks,
/// there is none.
package final class WorkProgress: Sendable {
    @TaskLocal package static var current: WorkProgress?

    package enum Unit: String, Sendable {
        /// Shown as megabytes (1,000,000 bytes).
        case bytes = "MB"
        case records, changes, stores
    }

    private struct State {
        var work = ""
        /// Nil where nothing is counted.
        var unit: Unit?
        var done = 0
        var total: Int?
    }

    private let state = Locked(State())

    package init() {}

    /// For a person: `reading 2048 of 5000 records`; empty before anything was begun.
    package var text: String {
        state.withLock { state in
            guard let unit = state.unit, state.done > 0 || state.total != nil else { return state.work }
            let size = unit == .bytes ? 1_000_000 : 1
            // No more than all: the total is an estimate, and some is read twice.
            let done = min(state.done, state.total ?? .max) / size
            return "\(state.work) \(done)\(state.total.map { " of \($0 / size)" } ?? "") \(unit.rawValue)"
        }
    }

    /// - Parameters:
    ///   - work: what is done from now on, in a word or two that a number and its unit may follow: `reading`.
    ///   - total: about how much there is; nil where that is not known.
    ///   - unit: of what is counted; nil where nothing is.
    package static func begin(_ work: String, of total: Int? = nil, _ unit: Unit? = nil) {
        current?.state.withLock { $0 = State(work: work, unit: unit, total: total) }
    }

    /// So much more is done. Does not count where something else is counted. Not for each step: it takes a lock.
    package static func advance(_ unit: Unit, by steps: Int) {
        current?.state.withLock { if $0.unit == unit { $0.done += steps } }
    }
}
