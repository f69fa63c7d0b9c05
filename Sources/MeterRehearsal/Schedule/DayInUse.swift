internal import MeterModel

/// A day in the life of a fleet: who uses which meter when, and what goes wrong on the way to CloudKit. Each device has
/// its own random numbers, so that its day does not change when another device is added.
package struct DayInUse {
    /// Seconds.
    package static let length = 86_400.0

    private let fleet: Fleet
    private let device: Int
    private var random: SeededGenerator
    private var events: [ScheduledEvent] = []

    private init(_ fleet: Fleet, device: Int, seed: UInt64) {
        self.fleet = fleet
        self.device = device
        random = SeededGenerator(seed: seed &* 7_919 &+ UInt64(device) &* 104_729 &+ 1)
    }

    /// What happens to all devices, in the order of time.
    package static func events(of fleet: Fleet, seed: UInt64) -> [ScheduledEvent] {
        var events: [ScheduledEvent] = []
        for device in fleet.devices.indices {
            var day = DayInUse(fleet, device: device, seed: seed)
            day.live()
            day.startOver(seed: seed)
            day.leaveAccount(seed: seed)
            events += day.events
        }
        var account = SeededGenerator(seed: seed &+ 0xACC0)
        if Int.random(in: 0..<3, using: &account) == 0 {
            let time = Double.random(in: 0..<length - 3_600, using: &account)
            events.append(ScheduledEvent(time, device: 0, .fillQuota))
            events.append(ScheduledEvent(time + 3_600, device: 0, .relieveQuota))
        }
        var zone = SeededGenerator(seed: seed &* 15_485_863 &+ 0x20E5)
        if Int.random(in: 0..<60, using: &zone) == 0 {
            let time = Double.random(in: 0..<length, using: &zone)
            let reset = ZoneReset.allCases.randomElement(using: &zone)!
            events.append(ScheduledEvent(time, device: 0, .resetZone(reset)))
        }
        if Int.random(in: 0..<30, using: &zone) == 0 {
            let time = Double.random(in: 0..<length, using: &zone)
            events.append(ScheduledEvent(time, device: 0, .limitBatches(records: 50)))
        }
        return events.inOrderOfTime
    }

    private mutating func oneIn(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }

    private mutating func add(_ time: Double, _ action: ScheduledEvent.Action) {
        guard time < Self.length else { return }
        events.append(ScheduledEvent(time, device: device, action))
    }

    private mutating func live() {
        if !fleet.devices[device].unknownFields.isEmpty {
            add(Double.random(in: 0..<Self.length, using: &random), .upgrade)
        }
        let home = homeMeters()
        var time = Double.random(in: 0..<7_200, using: &random)
        if fleet.devices[device].hasLostHistory { add(time, .resetMirror(.historyLost, transit())) }
        while time < Self.length {
            let end = time + Double.random(in: 300...3_600, using: &random)
            use(home, from: time, to: end)
            time = end + Double.random(in: 900...14_400, using: &random)
        }
    }

    /// On a few days the mirror starts over. The numbers are of their own: the rest of the day is the same without it.
    private mutating func startOver(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 6_700_417 &+ UInt64(device) &* 65_537 &+ 2)
        guard Int.random(in: 0..<30, using: &random) == 0 else { return }
        let reset = MirrorReset.allCases.randomElement(using: &random)!
        add(Double.random(in: 0..<Self.length, using: &random), .resetMirror(reset, transit()))
    }

    /// On a few days the account is not available for some hours. The numbers are of their own here, too.
    private mutating func leaveAccount(seed: UInt64) {
        var random = SeededGenerator(seed: seed &* 9_999_991 &+ UInt64(device) &* 65_537 &+ 3)
        guard Int.random(in: 0..<30, using: &random) == 0 else { return }
        let time = Double.random(in: 0..<Self.length, using: &random)
        let back = time + Double.random(in: 300...21_600, using: &random)
        let transit = ScheduledEvent.Transit(
            up: Double.random(in: 0.1...3, using: &random), down: Double.random(in: 0.1...3, using: &random))
        add(time, .signOut)
        add(back, .signIn(transit))
    }

    /// The meters in range of this device: each meter is in range of a few devices.
    private mutating func homeMeters() -> [Int] {
        guard !fleet.meters.isEmpty else { return [] }
        let share = max(1, 3 * fleet.meters.count / fleet.devices.count)
        let first = Int.random(in: fleet.meters.indices, using: &random)
        return (0..<min(share, fleet.meters.count)).map { (first + $0) % fleet.meters.count }
    }

    private mutating func use(_ meters: [Int], from start: Double, to end: Double) {
        add(start, .import(transit(), page: 400))
        synchronize(from: start, to: end)
        guard !meters.isEmpty else { return }
        // Advertisements come every second; the throttle lets one through in two minutes, and the others change
        // nothing.
        for meter in meters where oneIn(4) {
            for time in stride(from: start + Double.random(in: 0..<120, using: &random), to: end, by: 119) {
                add(time, .hear(meter: meter))
            }
        }
        var time = start + Double.random(in: 5...60, using: &random)
        while time < end {
            let meter = meters[Int.random(in: meters.indices, using: &random)]
            let leaving = time + Double.random(in: 30...1_200, using: &random)
            add(time, .connect(meter: meter))
            if oneIn(3) {
                add(time + 20, .rename(meter: meter, "\(fleet.devices[device].identity.name) \(events.count)"))
            }
            if oneIn(6) { add(time + 25, .chooseUnit(meter: meter, oneIn(2) ? .celsius : .fahrenheit)) }
            // Now and then the app crashes, and the lock stays.
            add(leaving, oneIn(12) ? .crash : .disconnect(meter: meter))
            time = leaving + Double.random(in: 5...300, using: &random)
        }
    }

    /// Uploads and fetches while the app runs, with an unreliable network.
    private mutating func synchronize(from start: Double, to end: Double) {
        if oneIn(4) {
            let cut = Double.random(in: start..<end, using: &random)
            add(cut, .cutNetwork)
            add(cut + Double.random(in: 60...7_200, using: &random), .restoreNetwork(transit()))
        }
        var time = start
        while time < end {
            time += Double.random(in: 5...60, using: &random)
            if oneIn(200) { add(time, .throttle(seconds: Double(Int.random(in: 5...120, using: &random)))) }
            add(time, oneIn(2) ? .export(transit()) : .import(transit(), page: oneIn(8) ? 20 : 400))
        }
    }

    private mutating func transit() -> ScheduledEvent.Transit {
        ScheduledEvent.Transit(
            up: Double.random(in: 0.1...3, using: &random), down: Double.random(in: 0.1...3, using: &random))
    }
}
