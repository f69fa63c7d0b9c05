package import FleetSimulation
internal import MeterModel
internal import MeterTestSupport

/// Small fleets nobody thought of, with partly synced data, and what happens to them: the same for the same seed.
package struct RandomFleet: Sendable {
    package let seed: UInt64
    package let fleet: Fleet
    /// Before the repair: in use, with everything that can go wrong between devices and CloudKit.
    package let before: [ScheduledEvent]
    /// When the repairs begin. Seconds.
    package static let repairTime = 600.0

    package init(seed: UInt64) {
        self.seed = seed
        var maker = Maker(seed: seed)
        fleet = maker.fleet()
        before = maker.use(of: fleet, until: Self.repairTime)
    }

    /// Whether a device has deleted records, as a repair does, and has not told the others yet.
    package var hasDeletionsOnTheirWay: Bool {
        fleet.devices.contains { device in device.records.contains { $0.standing == .deleted } }
    }

    /// The schedule of a trial, and the same without the repair.
    /// - Parameter upgrades: whether all devices get the newest version of the app before they come to rest.
    package func schedules(_ trial: Trial, upgrades: Bool = true) -> (with: [ScheduledEvent], without: [ScheduledEvent])
    {
        let without = schedule(trial.moment, upgrades: upgrades)
        // After the preparation, which takes place at the same time.
        return ((without + repairs(trial)).inOrderOfTime, without)
    }

    private func repairs(_ trial: Trial) -> [ScheduledEvent] {
        (0..<(trial.isTogether ? fleet.devices.count : 1)).map { device in
            ScheduledEvent(Self.time(trial.moment) + Double(device) / 8, device: device, .repair)
        }
    }

    /// When the repairs begin: in use in the middle of everything; at rest they are the last thing that happens.
    private static func time(_ moment: Trial.Moment) -> Double {
        switch moment {
        case .inUse, .namesLeftAlone: repairTime / 2
        case .atRest: repairTime
        }
    }

    /// What happens without a repair.
    package func schedule(_ moment: Trial.Moment, upgrades: Bool = true) -> [ScheduledEvent] {
        let preparation = preparation(moment, upgrades: upgrades)
        let time = Self.time(moment)
        let morning = before.filter { $0.time < time }
        let rest = before.filter { $0.time >= time }
        switch moment {
        case .inUse, .atRest: return morning + preparation + rest
        case .namesLeftAlone: return morning + preparation + rest.filter { !$0.isTyping }
        }
    }

    /// What comes before the repair as part of the procedure.
    private func preparation(_ moment: Trial.Moment, upgrades: Bool = true) -> [ScheduledEvent] {
        let time = Self.time(moment)
        let updates = upgrades ? fleet.devices.indices.map { ScheduledEvent(time, device: $0, .upgrade) } : []
        switch moment {
        case .inUse: return []
        case .namesLeftAlone: return updates + [ScheduledEvent(time, device: 0, .catchUp)]
        case .atRest: return updates + [ScheduledEvent(time, device: 0, .settle)]
        }
    }

    /// The events of a trial that are not by chance.
    func procedure(of trial: Trial) -> [ScheduledEvent] { preparation(trial.moment) + repairs(trial) }
}

private struct Maker {
    private var random: SeededGenerator
    private var count = 0

    private static let addresses = [0xA4C1_380B_7E21, 0xA4C1_3870_12DD].map { MACAddress(bits: $0) }
    private static let start = Timestamp(secondsSince2001: FixtureClock.now)

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func oneIn(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &random) == 0 }

    mutating func fleet() -> Fleet {
        let meters = Self.addresses.prefix(Int.random(in: 1...2, using: &random))
        let zone = meters.flatMap { address in
            (0..<Int.random(in: 0...3, using: &random)).map { _ in copy(of: address, .uploaded) }
        }
        let devices = (0..<Int.random(in: 2...4, using: &random)).map { index in
            Fleet.Device(
                identity: AppDevice(id: "d\(index)", name: "Device \(index)")!,
                letterCase: oneIn(3) ? .lower : .upper,
                clockError: oneIn(6) ? Double(Int.random(in: -900...900, using: &random)) : 0,
                unknownFields: oneIn(8) ? ["lastSeenByDeviceName"] : [],
                records: oneIn(8) ? [] : records(of: zone, meters: Array(meters)))
        }
        return Fleet(
            layout: RecordLayout.withoutMetadata, meters: meters.map { Fleet.Meter(address: $0, modelType: "TC66C") },
            devices: devices, zone: zone, start: Self.start)
    }

    /// What one device has of it: most, some of it changed, and something of its own.
    private mutating func records(of zone: [Fleet.Copy], meters: [MACAddress]) -> [Fleet.Copy] {
        var copies: [Fleet.Copy] = []
        for record in zone where !oneIn(5) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                copies.append(
                    Fleet.Copy(
                        name: record.name, values: typed(into: record.values),
                        standing: .changed(fields: ["meterName", "updatedAt"])))
            case 1: copies.append(Fleet.Copy(name: record.name, values: older(record.values), standing: .uploaded))
            case 2: copies.append(Fleet.Copy(name: record.name, values: [], standing: .deleted))
            default: copies.append(record)
            }
        }
        for meter in meters where oneIn(4) { copies.append(copy(of: meter, .new)) }
        return copies
    }

    private func position(_ field: SettingsField) -> Int { RecordLayout.withoutMetadata.position(of: field)! }

    private mutating func copy(of address: MACAddress, _ standing: Fleet.Copy.Standing) -> Fleet.Copy {
        count += 1
        var values = Array(repeating: FieldValue.null, count: RecordLayout.withoutMetadata.fields.count)
        let age = Double(Int.random(in: 1...2_000, using: &random)) * 64
        values[position(.id)] = .blob(FixtureUUID(random.next()).bytes)
        values[position(.macAddress)] = .text(address.text(in: oneIn(4) ? .lower : .upper))
        values[position(.createdAt)] = .real(Self.start.secondsSince2001 - age - 100)
        values[position(.updatedAt)] = .real(Self.start.secondsSince2001 - age)
        if oneIn(2) { values[position(.meterName)] = .text("Old \(count)") }
        if oneIn(3) { values[position(.tc66TemperatureUnit)] = .text(oneIn(2) ? "celsius" : "fahrenheit") }
        if oneIn(2) { values[position(.modelType)] = .text("TC66C") }
        return Fleet.Copy(name: FixtureUUID(random.next()).text, values: values, standing: standing)
    }

    /// A rename that was not uploaded yet.
    private mutating func typed(into values: [FieldValue]) -> [FieldValue] {
        count += 1
        var values = values
        values[position(.meterName)] = .text("Unsent \(count)")
        values[position(.updatedAt)] = .real(
            Self.start.secondsSince2001 - Double(Int.random(in: 2...60, using: &random)))
        return values
    }

    /// The record before its last change.
    private func older(_ values: [FieldValue]) -> [FieldValue] {
        var values = values
        values[position(.meterName)] = .null
        values[position(.updatedAt)] = .real(values[position(.updatedAt)].timestamp!.secondsSince2001 - 50)
        return values
    }

    mutating func use(of fleet: Fleet, until end: Double) -> [ScheduledEvent] {
        var events: [ScheduledEvent] = []
        for _ in 0..<Int.random(in: 8...40, using: &random) {
            let time = Double.random(in: 0..<end, using: &random)
            let device = Int.random(in: fleet.devices.indices, using: &random)
            events.append(ScheduledEvent(time, device: device, action(fleet)))
        }
        return events.inOrderOfTime
    }

    private mutating func action(_ fleet: Fleet) -> ScheduledEvent.Action {
        let meter = Int.random(in: fleet.meters.indices, using: &random)
        let transit = ScheduledEvent.Transit(
            up: Double.random(in: 0.1...40, using: &random), down: Double.random(in: 0.1...40, using: &random))
        count += 1
        switch Int.random(in: 0..<33, using: &random) {
        case 0...4: return .rename(meter: meter, "Name \(count)")
        case 5: return .chooseUnit(meter: meter, oneIn(2) ? .celsius : .fahrenheit)
        case 6...8: return .hear(meter: meter)
        case 9...10: return .connect(meter: meter)
        case 11: return .disconnect(meter: meter)
        case 12...17: return .export(transit)
        case 18...23: return .import(transit, page: oneIn(3) ? 1 : 400)
        case 24: return .crash
        case 25: return .cutNetwork
        case 26: return .restoreNetwork(transit)
        case 27: return .throttle(seconds: 30)
        case 30: return .resetMirror(MirrorReset.allCases.randomElement(using: &random)!, transit)
        case 28: return oneIn(2) ? .fillQuota : .relieveQuota
        case 31: return oneIn(2) ? .signOut : .signIn(transit)
        case 32:
            return oneIn(3)
                ? .limitBatches(records: 1) : .resetZone(ZoneReset.allCases.randomElement(using: &random)!)
        default: return .upgrade
        }
    }
}
