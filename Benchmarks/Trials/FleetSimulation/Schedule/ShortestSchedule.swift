/// Reduces a schedule to what is needed to show a problem: parts of it are left out, large ones first, as long as the
/// problem stays (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002).
package struct ShortestSchedule {
    package private(set) var events: [ScheduledEvent]
    private var runsLeft: Int

    /// - Parameters:
    ///   - schedule: one that shows the problem.
    ///   - keeps: whether an event is never left out.
    ///   - runs: the most schedules to try.
    ///   - shows: whether a schedule shows it.
    package init(
        of schedule: [ScheduledEvent], keeping keeps: (ScheduledEvent) -> Bool = { _ in false }, runs: Int,
        where shows: ([ScheduledEvent]) -> Bool
    ) {
        events = schedule
        runsLeft = runs
        var size = max(1, events.count / 2)
        while runsLeft > 0 {
            let hasShrunk = leaveOut(size, keeps, shows)
            if size == 1 && !hasShrunk { break }
            if !hasShrunk || size > events.count { size = max(1, min(size, events.count) / 2) }
        }
    }

    /// Tries to leave out each stretch of `size` events.
    private mutating func leaveOut(
        _ size: Int, _ keeps: (ScheduledEvent) -> Bool, _ shows: ([ScheduledEvent]) -> Bool
    ) -> Bool {
        var hasShrunk = false
        var end = events.count
        while end > 0, runsLeft > 0 {
            let start = max(0, end - size)
            let candidate = Array(events[..<start] + events[start..<end].filter(keeps) + events[end...])
            end = start
            guard candidate.count < events.count else { continue }
            runsLeft -= 1
            if shows(candidate) {
                events = candidate
                hasShrunk = true
            }
        }
        return hasShrunk
    }
}
