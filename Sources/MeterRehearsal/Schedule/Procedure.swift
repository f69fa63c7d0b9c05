/// A procedure for the repair of several devices.
package enum Procedure: String, Sendable, CaseIterable {
    /// Every device repairs its own store at about noon, while all of them are in use.
    case together
    /// At noon all devices are updated and rest until nothing is left to sync. One of them repairs its store, and they
    /// are used again when nothing is left to sync.
    case oneAndWait = "one-and-wait"
    /// At noon the app is updated on all devices, and they sync until nothing is left. Every device repairs its own store,
    /// and all stay in use, but nothing is typed from then on.
    case namesLeftAlone = "names-left-alone"

    /// Whether every meter has one record when the repair has reached every device. While the devices are in use, nobody
    /// can promise that: one of them may just be making another record. Even then a repair must not leave a meter with
    /// several records that has one without it.
    var promisesOneRecord: Bool {
        switch self {
        case .together, .namesLeftAlone: false
        case .oneAndWait: true
        }
    }

    /// A day with the repair in it.
    package func schedule(_ day: [ScheduledEvent], devices: Int) -> [ScheduledEvent] {
        let noon = DayInUse.length / 2
        let updates = (0..<devices).map { ScheduledEvent(noon, device: $0, .upgrade) }
        // Within a minute of each other.
        let repairs = (0..<devices).map { device in
            ScheduledEvent(noon + 60 * Double(device) / Double(devices), device: device, .repair)
        }
        let morning = Array(day.prefix { $0.time < noon })
        let rest = Array(day.dropFirst(morning.count))
        switch self {
        case .together: return morning + (repairs + rest).inOrderOfTime
        case .oneAndWait:
            let settle = ScheduledEvent(noon, device: 0, .settle)
            return morning + updates + [settle, ScheduledEvent(noon, device: 0, .repair), settle] + rest
        case .namesLeftAlone:
            let catchUp = ScheduledEvent(noon, device: 0, .catchUp)
            return morning + updates + [catchUp] + (repairs + rest.filter { !$0.isTyping }).inOrderOfTime
        }
    }
}

/// Why the mirror of a device starts over, and what becomes of the device's records. Described in re-implementations of
/// Apple's code (OpenCloudData, about iOS 18), not confirmed on a device.
package enum MirrorReset: String, Sendable, CaseIterable {
    /// The user signs in to another iCloud account and back to this one (Cocoa error 134405): every record on the device
    /// is deleted, and fetched from the account.
    case accountChange = "account-change"
    /// The history up to the mirror's token is gone (Cocoa error 134301): the records that the mirror knows are deleted
    /// on the device, and fetched again. New ones stay and are uploaded.
    case historyLost = "history-lost"
    /// CloudKit no longer takes the device's change token (CloudKit error 21): the device keeps its records, fetches
    /// everything, and uploads those again as if they were new that CloudKit turns out not to have.
    case tokenExpired = "token-expired"
}

/// What happens to the zone itself, and so to all devices: each of them learns of it at its next request. Described in
/// re-implementations of Apple's code, not confirmed on a device.
package enum ZoneReset: String, Sendable, CaseIterable {
    /// The user deletes the app's data in the iCloud settings (CloudKit error 28): every device deletes its records of
    /// the zone when it learns of it. New ones, which were never in the zone, stay and are uploaded (inferred).
    case deletedByUser = "deleted-by-user"
    /// The zone or its encryption key is gone (CloudKit errors 26 and 112): every device keeps its records and uploads
    /// them again, under the same names (inferred). What another device has uploaded first stands.
    case lost = "lost"
}

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
