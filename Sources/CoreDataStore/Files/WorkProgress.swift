internal import Foundation

/// How far long work has come. Whoever does the work tells it; whoever shows it to a person looks from time to time.
///
/// The work is done with it as `current`, so that it need not be handed from function to function. Where nobody looks,
/// there is none.
package final class WorkProgress: Sendable {
    @TaskLocal package static var current: WorkProgress?

    /// What is being done.
    package enum Phase: Hashable, Sendable {
        /// A private copy of the store's files is made.
        case copying
        /// SQLite takes over what is in the log.
        case playingLog
        case reading
        case planning
        case saving
        /// The records are read as they are before a change.
        case comparing
        case changing
        case checking
        case restoring
        /// Records are written into a copy without personal data.
        case redacting
        /// Several stores are verified.
        case verifying
        case rehearsing

        /// What its steps are.
        package var unit: Unit {
            switch self {
            case .copying, .saving, .restoring: .bytes
            case .reading, .planning, .comparing, .checking, .redacting: .records
            case .changing: .changes
            case .verifying: .stores
            case .rehearsing: .runs
            case .playingLog: .none
            }
        }
    }

    package enum Unit: Hashable, Sendable {
        case bytes, records, changes, stores, runs
        /// It cannot be told how far such work is.
        case none
    }

    /// How far the work is at one moment.
    package struct Snapshot: Hashable, Sendable {
        package let phase: Phase
        /// Of the phase's unit.
        package let done: Int
        /// About how many there are; nil where that is not known.
        package let total: Int?
        /// Since the phase began, in seconds.
        package let seconds: Double

        package init(phase: Phase, done: Int, total: Int?, seconds: Double) {
            self.phase = phase
            self.done = done
            self.total = total
            self.seconds = seconds
        }
    }

    private struct State {
        var phase: Phase?
        var done = 0
        var total: Int?
        var begun = ContinuousClock.now
    }

    private let lock = NSLock()
    private nonisolated(unsafe) var state = State()

    package init() {}

    /// Nil before the first phase.
    package var snapshot: Snapshot? {
        lock.withLock {
            state.phase.map { phase in
                let time = (ContinuousClock.now - state.begun).components
                return Snapshot(
                    phase: phase, done: state.done, total: state.total,
                    seconds: Double(time.seconds) + Double(time.attoseconds) / 1e18)
            }
        }
    }

    /// From now on the current work is in this phase.
    /// - Parameter total: of how many steps, about; nil where that is not known.
    package static func begin(_ phase: Phase, of total: Int? = nil) {
        current?.set(State(phase: phase, total: total.flatMap { $0 > 0 ? $0 : nil }))
    }

    private func set(_ state: State) { lock.withLock { self.state = state } }

    /// The phase turned out to have about so many steps. Means nothing in another phase.
    package static func expect(_ total: Int, in phase: Phase) {
        guard let current, total > 0 else { return }
        current.lock.withLock {
            if current.state.phase == phase { current.state.total = total }
        }
    }

    /// So many steps are done. Does not count in a phase with other steps. Not for each step: it takes a lock.
    package static func advance(_ unit: Unit, by steps: Int) {
        guard let current else { return }
        current.lock.withLock {
            if current.state.phase?.unit == unit { current.state.done += steps }
        }
    }
}
