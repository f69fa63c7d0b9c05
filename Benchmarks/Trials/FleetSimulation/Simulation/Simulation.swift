package import MeterModel

/// A discrete-event simulation of a fleet: the same fleet, schedule and options always give the same outcome.
package final class Simulation {
    package struct Options: Sendable {
        package var policy: MergePolicy
        package var strategy: RepairStrategy
        package var winner = WinnerPolicy.mostComplete
        package var firstAid = FirstAidRule.built
        package var naming = RecordNaming.random
        package var olderApps = OlderApps.stopAtRecord
        /// Of record names and identities.
        package var seed: UInt64 = 0
        /// Values that are watched for their loss.
        package var watched: [TypedValue] = []
        /// Whether every step is described in words.
        package var isNarrated = false

        package init(policy: MergePolicy, strategy: RepairStrategy = .v3) {
            self.policy = policy
            self.strategy = strategy
        }
    }

    /// What follows from other events.
    enum Consequence {
        /// A request reaches the zone.
        case arrival(device: Int, operation: Int)
        /// Its answer reaches the device.
        case answer(device: Int, operation: Int)
        /// A lock is due to be renewed.
        case beat(device: Int, meter: Int, life: ConnectionStateMachine)
        /// The time that CloudKit asked a device to wait is over.
        case retry(device: Int)
    }

    let fleet: Fleet
    let options: Options
    let register: RecordRegister
    // The checks of exclusive access take a tenth of a simulation.
    @exclusivity(unchecked) var zone = CloudZone()
    @exclusivity(unchecked) var devices: [DeviceState] = []
    @exclusivity(unchecked) var queue = EventQueue<Consequence>()
    /// Seconds since the beginning.
    @exclusivity(unchecked) var now = 0.0
    @exclusivity(unchecked) var journal: Journal
    var typed = TypedValues()
    /// What rebuilds reported as given up.
    var givenUp: Set<GivenUp> = []
    var outcome = Outcome()
    /// Whether devices begin operations by themselves; while they settle, they take turns.
    var startsOperations = true
    /// The zone's token after the last change of a repair.
    var lastRepairTag = 0
    private var isGone: [TypedValue: Bool] = [:]

    struct GivenUp: Hashable {
        let meter: Int
        let field: SettingsField
        let value: String
    }

    package init(_ fleet: Fleet, _ options: Options) {
        self.fleet = fleet
        self.options = options
        register = RecordRegister(meters: fleet.meters.count)
        journal = Journal(isNarrated: options.isNarrated || !options.watched.isEmpty)
        setUp()
        for value in options.watched { isGone[value] = false }
    }

    /// Runs a schedule, whose events are sorted by time, and lets the fleet settle.
    package func run(_ schedule: [ScheduledEvent]) -> Outcome {
        var settled = 0.0
        for event in schedule {
            advance(to: event.time + settled)
            begin()
            if options.isNarrated { tell(event) }
            let before = now
            happen(event)
            observe(device: event.concernsAll ? nil : event.device)
            // Only settling takes time.
            settled += now - before
        }
        settle()
        finish()
        return outcome
    }

    /// Runs everything that is due until then.
    private func advance(to time: Double) {
        while let next = queue.nextTime, next <= time { handleNext() }
        now = max(now, time)
    }

    func handleNext() {
        guard let (time, consequence) = queue.removeNext() else { return }
        now = max(now, time)
        begin()
        switch consequence {
        case .arrival(let device, let operation):
            arrive(operation, of: device)
            observe(device: device)
        case .answer(let device, let operation):
            receive(operation, of: device)
            observe(device: device)
        case .beat(let device, let meter, let life):
            beat(life, of: meter, on: device)
            observe(device: device)
        case .retry(let device):
            startNext(on: device)
        }
    }

    private func happen(_ event: ScheduledEvent) {
        let device = event.device
        switch event.action {
        case .hear(let meter): hear(meter, on: device)
        case .connect(let meter): connect(meter, on: device)
        case .disconnect(let meter): disconnect(meter, on: device)
        case .rename(let meter, let name): type(name, into: .meterName, of: meter, on: device)
        case .chooseUnit(let meter, let unit): type(unit.rawValue, into: .tc66TemperatureUnit, of: meter, on: device)
        case .export(let transit): start(.export(transit), on: device)
        case .import(let transit, let page): start(.import(transit, page: page), on: device)
        case .crash: devices[device].crash()
        case .cutNetwork: devices[device].hasNetwork = false
        case .restoreNetwork(let transit): restoreNetwork(of: device, transit)
        case .throttle(let seconds): zone.delayNextRequest(of: device, by: seconds)
        case .fillQuota: zone.isFull = true
        case .relieveQuota: zone.isFull = false
        case .limitBatches(let records): zone.batchLimit = records
        case .signOut: devices[device].hasAccount = false
        case .signIn(let transit): signIn(device, transit)
        case .resetZone(let reset): resetZone(reset)
        case .resetMirror(let reset, let transit): resetMirror(of: device, reset, transit)
        case .upgrade: devices[device].replica.learnAllFields()
        case .repair: repair(device)
        case .settle: settle()
        case .catchUp: catchUp()
        }
    }

    private static let nameByHand = "Named by hand"

    private func repair(_ device: Int) {
        let clock = clock(of: device)
        var repair = Replica.Repair()
        switch options.strategy {
        case .v3: repair = devices[device].replica.rebuild(winner: options.winner, now: clock, &journal)
        case .v2:
            var names: [String] = []
            for _ in 0..<devices[device].replica.count { names.append(devices[device].newRecordName()) }
            repair = devices[device].replica.deleteAndRecreate(
                winner: options.winner, now: clock, options.naming, names: names, &journal)
        case .quietRebuild:
            repair = devices[device].replica.rebuild(
                winner: options.winner, now: clock, onlyQuiet: true, &journal)
        case .firstAid:
            repair = devices[device].replica.giveFirstAid(options.firstAid, now: clock, &journal)
        case .set:
            for meter in devices[device].replica.set(Self.nameByHand, now: clock) {
                typed.note(
                    TypedValue(meter: meter, field: .meterName, value: Self.nameByHand, time: now, device: device))
                repair.updated += 1
            }
        case .type:
            for meter in fleet.meters.indices where devices[device].replica.recordsOfMeter[meter].count == 1 {
                type(Self.nameByHand, into: .meterName, of: meter, on: device)
                repair.updated += 1
            }
        case .unlock: repair = devices[device].replica.unlock(now: clock)
        case .fix: repair = devices[device].replica.fix(now: clock)
        case .importLegacy:
            repair = devices[device].replica.importLegacy(
                [.meterName: .text("Legacy"), .tc66TemperatureUnit: .text(TemperatureUnit.celsius.rawValue)], now: clock
            )
        case .delete: repair = devices[device].replica.deleteUnneeded(force: false)
        case .forcedDelete: repair = devices[device].replica.deleteUnneeded(force: true)
        }
        for (meter, field, value) in repair.givenUp {
            if let text = value.text { givenUp.insert(GivenUp(meter: meter, field: field, value: text)) }
        }
        outcome.repairedRecords += repair.updated + repair.deleted + repair.inserted
        outcome.repairedAt = now
        outcome.quietAt = nil
        outcome.severalRecordsWhenQuiet = nil
    }

    /// The time on a device's clock.
    func clock(of device: Int) -> Timestamp {
        Timestamp(secondsSince2001: fleet.start.secondsSince2001 + now + devices[device].clockError)
    }

    // MARK: - Watching

    func begin() { journal.beginEvent() }

    /// Checks after an event whether it lost the last copy of a watched value.
    func observe(device: Int?) {
        if options.isNarrated {
            outcome.steps += journal.happenings.map { Outcome.Step(time: now, device: device, text: $0.text) }
        }
        guard !isGone.isEmpty else { return }
        for meter in Set(journal.touched) {
            for value in options.watched where value.meter == meter {
                let wasGone = isGone[value]!
                isGone[value] = !isAnywhere(value)
                guard !wasGone, isGone[value]! else { continue }
                let text = journal.happenings.filter { $0.meter == meter }.map(\.text).joined(separator: "; ")
                outcome.ends[value] = Outcome.Step(
                    time: now, device: device, text: text, isMirrorReset: journal.isMirrorReset)
            }
        }
    }

    /// Whether a record of the meter has the value: on a device, in the zone, or on its way there.
    private func isAnywhere(_ typed: TypedValue) -> Bool {
        guard let position = fleet.layout.position(of: typed.field) else { return false }
        let value = FieldValue.text(typed.value)
        return register.records(of: typed.meter).contains { record in
            zone[record]?.values[position] == value
                || devices.contains { device in
                    device.replica[record]?.values[position] == value
                        || device.operation?.batch.contains { item in
                            guard item.record == record, case .save(let values, _) = item.work else { return false }
                            return values[position] == value
                        } == true
                }
        }
    }

    private func tell(_ event: ScheduledEvent) {
        outcome.steps.append(
            Outcome.Step(time: now, device: event.concernsAll ? nil : event.device, text: event.text(fleet.meters)))
    }
}
