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
