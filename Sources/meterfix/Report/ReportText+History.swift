internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// How it came to this: who changed something when, when each device was last seen, and what is worth knowing.
extension ReportText {
    /// Of the whole time: what is nearer together is one mark, and a lane has 20 at most.
    private static let apart = 0.05
    private static let mostLabels = 9
    /// Seconds before the history begins that are shown: a year.
    private static let longestBefore = 366 * 86_400.0
    private static let mostAuthors = 5
    private static let mostDevices = 6
    private static let mostEvents = 8

    /// Meters that are reserved for longer than a device can have meant to.
    private var held: [MeterSummary] {
        let addresses = Set(report.customer.reservations.compactMap(\.address))
        return ((try? report.meters.get()) ?? []).filter { $0.address.map(addresses.contains) ?? false }
    }

    var history: Section {
        Section(
            .history, "History", heading: "How it came to this",
            Self.part(report.activity) { activity in
                guard let activity else { return ["The file keeps no history."] }
                let undated = Self.undated(activity.undated)
                guard let span = activity.span else {
                    return undated.isEmpty ? ["The history has no change."] : undated
                }
                let (events, devices) = (events, devices)
                return [
                    .lanes(lanes(activity, events, devices, over: whole(span, events, devices))),
                    .remark("The history begins on \(span.lowerBound.dateText(to: .day) ?? "an unknown day")."),
                ] + undated
            })
    }

    /// The history, what happened before and after it, and when devices were last seen.
    private func whole(
        _ span: ClosedRange<Timestamp>, _ events: [Event], _ devices: [KnownDevice]
    ) -> ClosedRange<Timestamp> {
        let times = events.map(\.time) + devices.compactMap(\.device.lastSeen)
        // A date of a wrong clock would push everything else together.
        let known = times.filter { span.lowerBound.seconds(since: $0) < Self.longestBefore && !$0.isAhead(of: now) }
        let all = known + [span.lowerBound, span.upperBound]
        return (all.min() ?? span.lowerBound)...(all.max() ?? span.upperBound)
    }

    private static func undated(_ count: Int) -> [Block] {
        guard count > 0 else { return [] }
        return [.remark("\(Phrase.count(count, "change has", "changes have")) no date, or one that cannot be right")]
    }

    private func lanes(
        _ activity: HistoryActivity, _ events: [Event], _ devices: [KnownDevice], over span: ClosedRange<Timestamp>
    ) -> Block.Lanes {
        func place(_ time: Timestamp) -> Double {
            let share = time.seconds(since: span.lowerBound) / span.upperBound.seconds(since: span.lowerBound)
            return share.isFinite ? min(max(share, 0), 1) : 0
        }
        let authors = activity.lanes(apart: span.upperBound.seconds(since: span.lowerBound) * Self.apart)
        let shown = authors.prefix(Self.mostAuthors)
        var lanes = shown.map { lane -> Block.Lane in
            let marks = lane.marks.map {
                Block.Mark(
                    place: place(Self.noon($0.first)), count: $0.changes, label: Self.label($0.first, $0.last))
            }
            return .init(
                author: lane.author.mark, name: lane.author.name, remark: Phrase.count(lane.changes, "change"),
                marks: marks)
        }
        let rest = authors.dropFirst(Self.mostAuthors)
        if !rest.isEmpty {
            let changes = rest.reduce(0) { $0 + $1.changes }
            lanes.append(
                .init(author: .other, name: "\(rest.count) others", remark: Phrase.count(changes, "change")))
        }
        lanes += devices.map { device, held in
            Block.Lane(
                author: .device, name: .customer(Escaped.start(of: device.label ?? "", columns: 40)),
                remark: device.lastSeen?.dateText(to: .day).map { "last seen \($0)" } ?? "never seen",
                marks: device.lastSeen.map {
                    [.init(place: place($0), count: 1, label: $0.dateText(to: .day) ?? "")]
                } ?? [],
                span: held.map { place($0)...max(place($0), place($1)) })
        }
        let (unit, starts) = HistoryActivity.axis(of: span, most: Self.mostLabels)
        return .init(
            title: "Who changed what, and when", lanes: lanes,
            events: events.map {
                .init(
                    place: place($0.time), date: $0.time.dateText(to: .day) ?? "–", text: $0.text,
                    isAlarming: $0.isAlarming)
            },
            axis: starts.map { (place($0), Self.label($0, unit)) })
    }

    private static func noon(_ day: Int) -> Timestamp { Timestamp(secondsSince2001: (Double(day) + 0.5) * 86_400) }

    private static func label(_ first: Int, _ last: Int) -> String {
        let days = (first == last ? [first] : [first, last]).map { noon($0).dateText(to: .day) ?? "–" }
        return days.joined(separator: " to ")
    }

    private static func label(_ start: Timestamp, _ unit: HistoryActivity.Unit) -> String {
        switch unit {
        case .day, .week: start.dateText(to: .day).map { String($0.dropLast(5)) } ?? "–"
        case .month: start.dateText(to: .month) ?? "–"
        case .years: start.dateText(to: .year) ?? "–"
        }
    }

    private typealias KnownDevice = (device: KnownDevices.Device, held: (Timestamp, Timestamp)?)

    /// Those that were seen last, with what they hold for too long.
    private var devices: [KnownDevice] {
        let held = held
        return report.status.devices.devices.filter { $0.label != nil }.prefix(Self.mostDevices).map { device in
            let lock = held.lazy.compactMap(\.lock).first { lock in
                device.id.map { $0 == lock.deviceID } ?? device.names.contains(lock.deviceName ?? "")
            }
            let span = lock.flatMap { lock in lock.connectedAt.flatMap { start in lock.expiresAt.map { (start, $0) } } }
            return (device, span)
        }
    }

    private typealias Event = (time: Timestamp, text: Inline, isAlarming: Bool)

    /// The most alarming, then the last ones, in the order in which they happened.
    private var events: [Event] {
        let all = (duplicates + locks + failures + changes + vanished).filter { $0.time.dateText(to: .day) != nil }
        let alarming = all.filter(\.isAlarming).sorted { $0.time < $1.time }.suffix(Self.mostEvents)
        let others = all.filter { !$0.isAlarming }.sorted { $0.time < $1.time }
            .suffix(Self.mostEvents - alarming.count)
        return (alarming + others).sorted { $0.time < $1.time }
    }

    private var letterCase: LetterCase { report.verification.letterCase }

    /// When each record after a meter's first one was made, by the clock of the device that made it.
    private var duplicates: [Event] {
        guard case .planned(let planned) = report.outlook else { return [] }
        return planned.plan.changedMeters.prefix(Self.mostEvents).flatMap { meter -> [Event] in
            guard let winner = meter.winner, let address = meter.address else { return [] }
            let dates = ([winner] + meter.deletions.map(\.record)).compactMap {
                $0[.createdAt].timestamp?.ifPlausible
            }.sorted()
            let name = Inline.name(meter.nameAfter) ?? .code(address.text(in: letterCase))
            return dates.dropFirst().enumerated().map { index, date in
                (date, "\(Self.ordinal(index + 2)) entry for \(name) was made", false)
            }
        }
    }

    private static func ordinal(_ number: Int) -> String {
        switch number {
        case 2: "A second"
        case 3: "A third"
        default: "Another"
        }
    }

    private var locks: [Event] {
        held.compactMap { meter in
            guard let start = meter.lock?.connectedAt, let end = meter.lock?.expiresAt?.dateText(to: .day) else {
                return nil
            }
            let name = Inline.name(meter.name) ?? .code(meter.address?.text(in: letterCase) ?? "a meter")
            return (start, "\(name) is reserved until \(end)", true)
        }
    }

    private var failures: [Event] {
        ((try? report.sync.get().mirror?.series) ?? []).filter { $0.lastError != nil }.compactMap { series in
            series.failures.compactMap(\.first).min().map {
                (Timestamp(secondsSince2001: $0), "The \(series.kindName) fails for the first time", true)
            }
        }
    }

    private var changes: [Event] {
        ((try? report.changes.get().items) ?? []).filter { $0.state == .done }.compactMap { item in
            item.madeAt.map { ($0, "meterfix changes the file\(item.command.map { ": \($0)" } ?? "")", false) }
        }
    }

    private var vanished: [Event] {
        guard let vanished = report.customer.vanished, let time = vanished.at else { return [] }
        return [(time, "\(Phrase.count(vanished.deleted, "entry is", "entries are")) deleted at once", true)]
    }
}

extension Author {
    fileprivate var name: Inline {
        switch self {
        case .meterfix: "meterfix"
        case .otherDevice: "Other devices, by iCloud"
        case .mirror: "CloudKit’s mirror, for itself"
        case .program(let name?): .customer(Escaped.start(of: name, columns: 40))
        case .program(nil): "unnamed"
        }
    }

    fileprivate var mark: Block.LaneAuthor {
        switch self {
        case .meterfix: .meterfix
        case .otherDevice, .mirror: .cloud
        case .program(_?): .app
        case .program(nil): .other
        }
    }
}
