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
