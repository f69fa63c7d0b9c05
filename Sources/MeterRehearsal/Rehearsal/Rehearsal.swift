package import CoreDataStore
internal import MeterInspect
package import MeterModel

/// Rehearses a repair of a customer's devices before one of them is repaired: many days in use with the repair at noon,
/// once with all devices repairing at once, once with one device alone, once with first aid on all devices, and once
/// without any repair, so that what the merge policy loses by itself is not blamed on the repair. One of the days is told
/// in full.
package struct Rehearsal {
    package struct Options: Sendable {
        package var devices: Int?
        package var policy = MergePolicy.ofTheApp
        package var strategy = RepairStrategy.v3
        package var winner = WinnerPolicy.mostComplete
        /// The one day to play; nil for many.
        package var seed: UInt64?
        /// How many days are played then.
        var days: UInt64 = 200
        /// When the day begins.
        package var start: Timestamp

        package init(start: Timestamp) { self.start = start }
    }

    /// The first store's, for errors.
    private let path: String
    private let fleet: Fleet
    private let options: Options

    /// Reads the stores, runs the simulations, and reports. The stores are only read.
    /// - Parameter paths: main files, at least one.
    /// - Throws: `StoreError`.
    package static func report(_ paths: [String], _ options: Options) throws(StoreError) -> RehearsalReport {
        let count = max(paths.count, options.devices ?? max(2, paths.count))
        var stores: [StoreCopy] = []
        for path in paths { stores.append(try StoreCopy(path, now: options.start)) }
        let fleet = Fleet(stores, devices: count, extraMeters: 2, start: options.start)
        return try Rehearsal(fleet, options, of: paths[0]).report(stores.map(\.source))
    }

    /// - Parameter path: the first store's, for errors.
    init(_ fleet: Fleet, _ options: Options, of path: String) {
        self.path = path
        self.fleet = fleet
        self.options = options
    }

    func report(_ stores: [StoreCopy.Source]) throws(StoreError) -> RehearsalReport {
        let seeds = options.seed.map { [$0] } ?? Array(1...options.days)
        WorkProgress.begin(.rehearsing)
        let tried = try tried(seeds)
        // The worst one; of equally bad ones the first.
        let shown = tried.reduce(tried[0]) { $0.harm.lexicographicallyPrecedes($1.harm) ? $1 : $0 }
        let day = try RehearsedDay(fleet, options, seed: shown.seed, of: path).report()
        return RehearsalReport(
            stores: stores.map(\.path), devices: devices(of: stores), meters: fleet.meters, records: fleet.zone.count,
            options: options, days: seeds.count, seed: shown.seed,
            daysLostWithoutRepair: tried.count(where: \.isLostWithoutRepair),
            daysLostInMirrorResets: tried.count(where: \.isLostInMirrorReset),
            daysWell: tried.count(where: \.isWell), mirrorResets: day.mirrorResets,
            lostWithoutRepair: day.lostWithoutRepair, lostInMirrorResets: day.lostInMirrorResets,
            runs: day.runs.enumerated().map { index, run in
                var run = run
                run.days = tried.reduce(into: .init()) { $0.add($1.days[index]) }
                return run
            }, otherStrategy: day.otherStrategy)
    }

    /// Half of the days on another thread.
    private func tried(_ seeds: [UInt64]) throws(StoreError) -> [RehearsedDay.Trial] {
        @Sendable func tried(_ seeds: ArraySlice<UInt64>) throws(StoreError) -> [RehearsedDay.Trial] {
            var tried: [RehearsedDay.Trial] = []
            for seed in seeds { tried.append(try RehearsedDay(fleet, options, seed: seed, of: path).trial()) }
            return tried
        }
        let middle = seeds.count / 2
        guard middle > 0 else { return try tried(seeds[...]) }
        let others = PendingRead { try tried(seeds[middle...]) }
        defer { others.wait() }
        let first = try tried(seeds[..<middle])
        return first + (try others.value(at: path))
    }

    /// What repairs of the stores do as they are: no day changes that.
    private func devices(of stores: [StoreCopy.Source]) -> [RehearsalReport.Device] {
        // Each is changed.
        let (aided, rebuilt) = (
            Simulation(fleet, .init(policy: options.policy)), Simulation(fleet, .init(policy: options.policy))
        )
        var journal = Journal(isNarrated: false)
        return fleet.devices.enumerated().map { index, device in
            RehearsalReport.Device(
                name: device.identity.name, records: device.records.count { $0.standing != .deleted },
                waiting: device.records.count(where: \.standing.isWaiting),
                store: index < stores.count
                    ? RehearsalReport.Store(
                        source: stores[index],
                        filled: aided.devices[index].replica.giveFirstAid(.built, now: fleet.start, &journal).updated,
                        givenUp: rebuilt.devices[index].replica.rebuild(
                            winner: options.winner, now: fleet.start, &journal
                        ).givenUp.count)
                    : nil)
        }
    }
}
