internal import MeterModel

extension Simulation {
    /// Examines the final state.
    func finish() {
        outcome.tallies = devices.map(\.tally)
        outcome.conflicts = journal.conflicts
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
            let named = group.filter { givenUp.contains(GivenUp(meter: $0.meter, field: $0.field, value: $0.value)) }
            if named.isEmpty { outcome.lost.append(group[0]) } else { outcome.givenUp.append(named[0]) }
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
