internal import MeterModel

/// The mirroring on a device: one operation at a time, in order.
extension Simulation {
    /// Starts an operation, or queues it after the one under way, or until CloudKit may be asked again.
    func start(_ work: DeviceState.Work, on device: Int) {
        guard startsOperations, devices[device].canReachCloud else { return }
        guard devices[device].operation == nil, now >= devices[device].retryAt else {
            if !devices[device].waiting.contains(where: { $0.isExport == work.isExport }) {
                devices[device].waiting.append(work)
            }
            return
        }
        guard let operation = nextOperation(work, on: device) else { return startNext(on: device) }
        devices[device].operation = operation
        queue.add(.arrival(device: device, operation: operation.number), at: now + work.transit.up)
    }

    /// The next one in the queue.
    func startNext(on device: Int) {
        guard devices[device].operation == nil, now >= devices[device].retryAt, !devices[device].waiting.isEmpty else {
            return
        }
        start(devices[device].waiting.removeFirst(), on: device)
    }

    /// The mirror tries again by itself as soon as there is a network. What there is to fetch it learns by a notification:
    /// an import of its own.
    func restoreNetwork(of device: Int, _ transit: ScheduledEvent.Transit) {
        guard !devices[device].hasNetwork else { return }
        devices[device].hasNetwork = true
        start(.export(transit), on: device)
    }

    /// It does the same as soon as the account is there again.
    func signIn(_ device: Int, _ transit: ScheduledEvent.Transit) {
        guard !devices[device].hasAccount else { return }
        devices[device].hasAccount = true
        start(.export(transit), on: device)
    }

    /// Everything in the zone is gone. The devices learn of it when they ask.
    func resetZone(_ reset: ZoneReset) {
        journal.isMirrorReset = true
        if reset == .deletedByUser, outcome.repairedAt != nil { outcome.isDeletedByUserAfterRepair = true }
        for record in zone.reset(reset) {
            journal.note(
                register.meter(of: record), "the cloud loses record \(register.name(of: record).prefix(8))")
        }
    }

    /// The mirror starts over: it fetches everything, and then uploads what it has.
    func resetMirror(of device: Int, _ reset: MirrorReset, _ transit: ScheduledEvent.Transit) {
        devices[device].stopSync()
        devices[device].replica.startOver(reset, newest: zone.token, &journal)
        startOver(device, transit)
    }

    private func startOver(_ device: Int, _ transit: ScheduledEvent.Transit) {
        start(.import(transit, page: CloudZone.batchSize), on: device)
        start(.export(transit), on: device)
    }

    /// Nil if there is nothing to do.
    func nextOperation(_ work: DeviceState.Work, on device: Int) -> DeviceState.Operation? {
        var batch: [CloudZone.Item] = []
        if devices[device].replica.isStopped { return nil }
        if work.isExport {
            batch = devices[device].replica.nextBatch(devices[device].batchSize)
            guard !batch.isEmpty else { return nil }
        } else {
            // Push notifications tell the devices that there is something to fetch.
            guard devices[device].replica.token < zone.token else { return nil }
        }
        devices[device].lastOperation += 1
        return DeviceState.Operation(number: devices[device].lastOperation, work: work, batch: batch)
    }

    func arrive(_ number: Int, of device: Int) {
        guard devices[device].operation?.number == number else { return }
        guard devices[device].canReachCloud else { return fail(device) }
        devices[device].operation!.answer = answer(to: devices[device].operation!, of: device)
        let transit = devices[device].operation!.work.transit
        queue.add(.answer(device: device, operation: number), at: now + transit.down)
    }

    /// The zone does what a request asks for.
    func answer(to operation: DeviceState.Operation, of device: Int) -> DeviceState.Operation.Answer {
        if let reset = zone.reset(after: devices[device].knownZoneResets) {
            return .zoneReset(reset, count: zone.resets.count, newest: zone.token)
        }
        guard case .import(_, let page) = operation.work else {
            let answer = zone.modify(operation.batch, from: device)
            if case .done = answer {
                if devices[device].replica.unknownFields.isEmpty { zone.isOfNewerVersion = true }
                for item in operation.batch { journal.note(register.meter(of: item.record), uploadText(item, device)) }
            }
            return .modify(answer)
        }
        return .fetch(zone.changes(since: devices[device].replica.token, limit: page, for: device))
    }

    private func uploadText(_ item: CloudZone.Item, _ device: Int) -> String {
        let name = devices[device].replica.shortName(item.record)
        if case .delete = item.work { return "deletes record \(name) in the cloud" }
        return "uploads record \(name)"
    }

    func receive(_ number: Int, of device: Int) {
        guard let operation = devices[device].operation, operation.number == number else { return }
        // The zone carried out the request, but the device never learns of it.
        guard devices[device].canReachCloud else { return fail(device) }
        devices[device].operation = nil
        let hasMore = take(operation, of: device)
        noteQuiet()
        if case .zoneReset = operation.answer {
            devices[device].waiting = []
            startOver(device, operation.work.transit)
        } else if hasMore {
            start(operation.work, on: device)
        } else {
            startNext(on: device)
        }
    }

    private func fail(_ device: Int) {
        if let batch = devices[device].operation?.batch { devices[device].replica.takeBack(batch) }
        devices[device].operation = nil
        devices[device].waiting = []
    }

    /// Handles the zone's answer.
    /// - Returns: whether there is more to do of the same kind, now.
    func take(_ operation: DeviceState.Operation, of device: Int) -> Bool {
        switch operation.answer {
        case nil: return false
        case .zoneReset(let reset, let count, let newest):
            devices[device].replica.takeBack(operation.batch)
            devices[device].replica.startOver(reset, newest: newest, &journal)
            devices[device].knownZoneResets = count
            return true
        case .modify(.limitExceeded):
            devices[device].replica.takeBack(operation.batch)
            devices[device].batchSize = max(1, operation.batch.count / 2)
            return true
        case .fetch(.retryAfter(let seconds)), .modify(.retryAfter(let seconds)):
            devices[device].replica.takeBack(operation.batch)
            waitToRetry(operation.work, on: device, seconds)
            return false
        case .fetch(.page(let page)):
            devices[device].tally.received += page.changes.count
            let context = Replica.ChangeContext(device: device, time: now)
            return devices[device].replica.take(page, on: context, &journal) && page.moreComing
        case .modify(.quotaExceeded):
            devices[device].replica.takeBack(operation.batch)
            return false
        case .modify(.conflicts(let changed, let gone)):
            devices[device].replica.takeBack(operation.batch)
            devices[device].tally.conflicts += changed.count + gone.count
            let context = Replica.ChangeContext(device: device, time: now)
            devices[device].replica.takeDeletions(of: gone, &journal)
            var isReadable = true
            for (record, server) in changed {
                isReadable =
                    devices[device].replica.take(server, as: record, on: context, &journal) && isReadable
            }
            // As long as it has a record that it cannot merge, none of its batches succeeds until the upgrade.
            return isReadable
        case .modify(.done(let tags)):
            count(operation.batch, of: device)
            devices[device].replica.confirm(operation.batch, tags: tags)
            return operation.batch.count == devices[device].batchSize
        }
    }

    private func waitToRetry(_ work: DeviceState.Work, on device: Int, _ seconds: Double) {
        devices[device].retryAt = now + seconds
        devices[device].waiting.removeAll { $0.isExport == work.isExport }
        devices[device].waiting.insert(work, at: 0)
        queue.add(.retry(device: device), at: now + seconds)
    }

    private func count(_ batch: [CloudZone.Item], of device: Int) {
        devices[device].tally.batches += 1
        for item in batch {
            let isRepair = devices[device].replica.pending[item.record]?.isRepair == true
            if isRepair { lastRepairTag = zone.token }
            if case .delete = item.work {
                devices[device].tally.deletes += 1
                if isRepair { devices[device].tally.repairDeletes += 1 }
            } else {
                devices[device].tally.saves += 1
                if isRepair { devices[device].tally.repairSaves += 1 }
            }
        }
    }

    /// Records when the changes of the last repair have reached every device.
    func noteQuiet() {
        guard outcome.repairedAt != nil, outcome.quietAt == nil else { return }
        let isQuiet = devices.allSatisfy { device in
            device.replica.token >= lastRepairTag && !device.replica.pending.values.contains(where: \.isRepair)
        }
        if isQuiet {
            outcome.quietAt = now
            outcome.severalRecordsWhenQuiet = metersWithSeveralRecords
        }
    }
}
