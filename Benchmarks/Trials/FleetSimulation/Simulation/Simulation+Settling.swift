internal import MeterModel

extension Simulation {
    /// Seconds that a request and its answer take while everything settles.
    private static let turn = 2.0
    /// More rounds than any fleet needs that settles at all: each round moves every waiting change one step further.
    private static let patience = 200

    /// Lets all devices rest until there is nothing to upload or to fetch.
    func settle() {
        begin()
        for device in devices.indices {
            for meter in devices[device].lives.keys.sorted() { disconnect(meter, on: device) }
        }
        catchUp()
    }

    /// Lets all devices sync until there is nothing to upload or to fetch; meters stay connected.
    func catchUp() {
        begin()
        // Each step in it is an event of its own, and observed.
        defer { begin() }
        for device in devices.indices {
            devices[device].hasNetwork = true
            devices[device].hasAccount = true
        }
        zone.isFull = false
        observe(device: nil)
        finishOperations()
        for _ in 0..<Self.patience {
            var longest = 0.0
            for device in devices.indices { longest = max(longest, turns(of: device)) }
            now += longest
            noteQuiet()
            if longest == 0 { return }
        }
        outcome.obstacles.append("the devices do not come to rest: they keep correcting each other")
    }

    /// Lets everything under way arrive. What would follow from it belongs to the turns: with small batches and a meter
    /// that is connected there would always be more to upload.
    private func finishOperations() {
        startsOperations = false
        defer { startsOperations = true }
        for device in devices.indices { devices[device].waiting = [] }
        while devices.contains(where: { $0.operation != nil }), queue.nextTime != nil { handleNext() }
    }

    /// A device fetches what there is, and then uploads what it has.
    /// - Returns: how many seconds that takes.
    private func turns(of device: Int) -> Double {
        var seconds = max(0, devices[device].retryAt - now)
        devices[device].retryAt = 0
        let transit = ScheduledEvent.Transit(up: Self.turn / 2, down: Self.turn / 2)
        for work in [DeviceState.Work.import(transit, page: CloudZone.batchSize), .export(transit)] {
            var hasMore = true
            while hasMore, let operation = nextOperation(work, on: device) {
                begin()
                var answered = operation
                answered.answer = answer(to: operation, of: device)
                hasMore = take(answered, of: device)
                observe(device: device)
                seconds += Self.turn
                // Only an upgrade lets this device continue.
                if devices[device].replica.isWaitingForUpgrade { return 0 }
            }
            seconds += max(0, devices[device].retryAt - now)
            devices[device].retryAt = 0
        }
        return seconds
    }
}

extension Simulation {
    /// Examines the final state.
    func finish() {
        outcome.tallies = devices.map(\.tally)
        outcome.userConflicts = journal.userConflicts
        concludeConvergence()
        outcome.severalRecords = metersWithSeveralRecords
        for meter in fleet.meters.indices {
            let records = register.records(of: meter)
            guard !records.isEmpty else { continue }
            if records.allSatisfy({ versions(of: $0).isEmpty }) { outcome.metersWithoutRecord.append(meter) }
        }
        for group in typed.groups {
            guard let position = fleet.layout.position(of: group[0].field) else { continue }
            let left = register.records(of: group[0].meter).flatMap(versions)
                .map { TypedValues.inAppsWords($0[position], of: group[0].field) }
            if group.contains(where: { left.contains(.text($0.value)) }) { continue }
            // What a rebuild reports as discarded is not lost.
            let isReported = group.contains {
                givenUp.contains(GivenUp(meter: $0.meter, field: $0.field, value: $0.value))
            }
            if !isReported { outcome.lost.append(group[0]) }
        }
    }

    /// Meters with more than one record in CloudKit.
    var metersWithSeveralRecords: [Int] {
        fleet.meters.indices.filter { meter in register.records(of: meter).count { zone[$0] != nil } > 1 }
    }

    /// The values of a record wherever it is.
    private func versions(of record: RecordNumber) -> [[FieldValue]] {
        ([zone[record]?.values] + devices.map { $0.replica[record]?.values }).compactMap(\.self)
    }

    private func concludeConvergence() {
        for (index, device) in devices.enumerated() {
            let name = device.identity.name
            if device.replica.isWaitingForUpgrade {
                outcome.obstacles.append(
                    "\(name) waits for an upgrade of the app: the cloud has records of a newer version")
                continue
            }
            if !device.replica.pending.isEmpty {
                outcome.obstacles.append(
                    "\(name) has \(device.replica.pending.count) changes that do not reach the cloud")
            }
            let differing = (0..<register.count).count { record in
                let number = RecordNumber(index: record)
                return zone[number].map { device.replica.readable($0.values) } != devices[index].replica[number]?.values
            }
            if differing > 0 { outcome.obstacles.append("\(name) differs from the cloud in \(differing) records") }
        }
        outcome.isConverged = outcome.obstacles.isEmpty
    }
}
