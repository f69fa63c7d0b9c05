internal import MeterModel

extension Simulation {
    /// A request and its answer while nobody is in a hurry. Seconds.
    private static let turn = 2.0
    /// More rounds than any fleet needs that comes to rest at all: each round carries every waiting change one step on.
    private static let patience = 200

    /// Puts all devices down and waits until there is nothing to upload or to take in.
    func settle() {
        begin()
        for device in devices.indices {
            for meter in devices[device].lives.keys.sorted() { disconnect(meter, on: device) }
            devices[device].hasNetwork = true
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

    /// Lets what is under way arrive, and everything that follows from it.
    private func finishOperations() {
        while devices.contains(where: { $0.operation != nil }), queue.nextTime != nil { handleNext() }
    }

    /// A device takes in what there is, and then uploads what it has.
    /// - Returns: how long that takes. Seconds.
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
                // Only an upgrade lets this device go on.
                if devices[device].replica.isWaitingForUpgrade { return 0 }
            }
            seconds += max(0, devices[device].retryAt - now)
            devices[device].retryAt = 0
        }
        return seconds
    }
}
