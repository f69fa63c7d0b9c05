/// Puts the records of a log in the order of time, whatever order they come in: newest first, or two logs one behind the
/// other. Of a log too long to be held, only the beginning is sorted, and the answer knows when that was not enough.
struct LogOrder {
    /// Bytes of messages that wait.
    private static let most = 1 << 24
    /// Microseconds that one process may be behind another: those are no other order.
    private static let tolerance: Int64 = 1_000_000
    /// A log without days that goes back by more has passed midnight.
    private static let halfADay: Int64 = 43_200_000_000

    private var waiting: [LogRecord]? = []
    private var bytes = 0
    /// What was seen of the records with a day, and of those without one, which cannot be held against each other.
    private var (withDay, withoutDay) = (Clock(), Clock())

    /// The time of the last record, and the latest of all.
    private struct Clock {
        var last: Int64?
        var latest: Int64 = .min
    }

    /// How often the time went on, how often it went back, and how often by more than processes are apart.
    private var (on, back, farBack) = (0, 0, 0)
    /// The last record of each process that has a number, and of each program, as many as a log has that was not made to
    /// have them.
    private var lastOfProcess: [LogProcess: LogMoment] = [:]
    private var lastOfProgram: [LogProcess: (number: Int64, time: LogMoment)] = [:]
    private static let mostProcesses = 1_000
    /// The process of the last record that has a number, and its time: not among those yet.
    private var last: (owner: LogProcess, time: LogMoment)?
    /// Whether the times of one process go back, or those of a program whose process has a larger number than the one
    /// before, as a later one has: a clock was set, an hour came twice, or the log was put together in another order. That
    /// cannot be told.
    private var goesBackInProcess = false
    /// Whether records were put in another order than that of the log.
    private(set) var isSorted = false
    /// Whether later records are older than earlier ones, and stayed where they were.
    private(set) var isBroken = false

    /// - Returns: those whose turn it is.
    mutating func add(_ record: LogRecord) -> [LogRecord] {
        look(at: record)
        guard waiting != nil else { return [record] }
        waiting?.append(record)
        bytes += record.bytes.count
        return bytes > Self.most ? finish() : []
    }

    private mutating func look(at record: LogRecord) {
        guard let time = record.time else { return }
        var clock = time.hasDay ? withDay : withoutDay
        if let last = clock.last, isBack(time, to: last) {
            back += 1
            farBack += isBack(time, to: last - Self.tolerance) ? 1 : 0
        } else {
            on += time.micros == clock.last ?? time.micros ? 0 : 1
            // Past midnight, a clock begins anew.
            clock.latest = time.micros < clock.last ?? .min ? time.micros : max(clock.latest, time.micros)
        }
        clock.last = time.micros
        lookAtProcess(of: record, time)
        if time.hasDay { withDay = clock } else { withoutDay = clock }
        if waiting == nil { isBroken = isBroken || isBack(time, to: clock.latest - Self.tolerance) }
    }

    private mutating func lookAtProcess(of record: LogRecord, _ time: LogMoment) {
        let owner = record.owner
        guard let number = owner.number else { return }
        defer { last = (owner, time) }
        // Most records are of the process that wrote the one before.
        if let last, last.owner == owner { return compare(time, last.time) }
        if let last, let number = last.owner.number {
            if lastOfProcess.count < Self.mostProcesses || lastOfProcess[last.owner] != nil {
                lastOfProcess[last.owner] = last.time
                lastOfProgram[last.owner.program] = (number, last.time)
            }
        }
        if let before = lastOfProcess[owner] { compare(time, before) }
        if owner.name != nil, let before = lastOfProgram[owner.program], before.number < number {
            compare(time, before.time)
        }
    }

    private mutating func compare(_ time: LogMoment, _ before: LogMoment) {
        if before.hasDay == time.hasDay, isBack(time, to: before.micros - Self.tolerance) { goesBackInProcess = true }
    }

    /// Whether a record is older than a moment, and not of the day after it.
    private func isBack(_ time: LogMoment, to moment: Int64) -> Bool {
        time.micros < moment && (time.hasDay || time.micros > moment - Self.halfADay)
    }

    /// - Returns: all that wait, in their order.
    mutating func finish() -> [LogRecord] {
        guard let records = waiting.take() else { return [] }
        guard farBack > 0 || back > on else { return records }
        // What has no date goes where the record before it goes.
        var groups: [ArraySlice<LogRecord>] = []
        var start = 0
        for place in records.indices.dropFirst() where records[place].time != nil {
            groups.append(records[start..<place])
            start = place
        }
        groups.append(records[start...])
        if back > on { groups.reverse() }
        let haveDays = groups.allSatisfy { $0.first?.time?.hasDay ?? true }
        // What has a zone cannot be held against what has none.
        let zones = Set(groups.compactMap { $0.first?.time?.hasZone })
        let areComparable = haveDays && zones.count < 2
        if areComparable {
            groups = groups.enumerated().sorted { one, other in
                let (left, right) = (one.element.first?.time?.micros ?? .min, other.element.first?.time?.micros ?? .min)
                return (left, one.offset) < (right, other.offset)
            }.map(\.element)
        }
        isSorted = areComparable || back > on
        // Without days, two logs one behind the other cannot be told from a night.
        isBroken = !isSorted || zones.count > 1 || goesBackInProcess && back <= on
        return groups.flatMap(\.self)
    }
}

extension LogProcess {
    /// Whichever process of it.
    fileprivate var program: LogProcess { LogProcess(name: name, number: nil, host: host) }
}
