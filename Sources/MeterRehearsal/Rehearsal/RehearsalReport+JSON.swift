package import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

extension RehearsalReport {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        var members = JSONDocument.head(command: "rehearse", store: stores[0])
        members += [
            .init("stores", .array(stores.map(JSONValue.string))),
            .init("policy", .string(options.policy.rawValue)), .init("strategy", .string(options.strategy.rawValue)),
            .init("winner", .string(options.winner.rawValue)), .init("seed", .string(String(seed))),
            .init("days", JSONValue(days)), .init("daysWell", JSONValue(daysWell)),
            .init("daysLostWithoutRepair", JSONValue(daysLostWithoutRepair)),
            .init("daysLostInMirrorResets", JSONValue(daysLostInMirrorResets)),
            .init("meters", JSONValue(meters.count)), .init("records", JSONValue(records)),
            .init(
                "devices",
                .array(
                    devices.map { device in
                        [
                            "name": .string(device.name), "records": JSONValue(device.records),
                            "waiting": JSONValue(device.waiting),
                            "firstAidFills": device.store.map { JSONValue($0.filled) } ?? .null,
                            "rebuildGivesUp": device.store.map { JSONValue($0.givenUp) } ?? .null,
                            "walMissing": .bool(device.store?.source.alerts.missingLog != nil),
                        ]
                    })),
            .init("mirrorResets", .array(mirrorResets.map(json))),
            .init("well", .bool(wentWell)), .init("lostWithoutRepair", JSONValue(lostWithoutRepair)),
            .init("lostInMirrorResets", JSONValue(lostInMirrorResets)),
            .init("runs", .array(runs.map { json($0, isCounted: true) })),
            .init("otherStrategy", json(otherStrategy, isCounted: false)),
            .init("recommendation", .array(recommendation.map(JSONValue.string))),
        ]
        return .object(members)
    }

    /// - Parameter isCounted: whether more than one day was played of it.
    private func json(_ run: Run, isCounted: Bool) -> JSONValue {
        let outcome = run.outcome
        let operations = run.repairOperations
        return [
            "days": isCounted ? json(run.days) : .null, "procedure": .string(run.procedure.rawValue),
            "strategy": .string(run.strategy.rawValue),
            "well": .bool(run.wentWell), "converged": .bool(outcome.isConverged),
            "obstacles": .array(outcome.obstacles.map(JSONValue.string)),
            "metersWithoutRecord": .array(outcome.metersWithoutRecord.map { .string(mac($0)) }),
            "metersWithSeveralRecords": JSONValue(outcome.metersWithSeveralRecords),
            "metersLeftWithSeveralRecords": .array(run.leftWithSeveral.map { .string(mac($0)) }),
            "lost": .array(run.lost.map(json)), "namedAsGivenUp": .array(outcome.givenUp.map(json)),
            "conflicts": JSONValue(outcome.conflicts),
            "userConflicts": .array(outcome.userConflicts.map(json)),
            "repair": ["saves": JSONValue(operations.saves), "deletes": JSONValue(operations.deletes)],
            "secondsUntilQuiet": outcome.secondsUntilQuiet.map { .double($0) } ?? .null,
            "devices": .array(zip(devices, outcome.tallies).map(json)),
            "shortest": run.shortest.map(json) ?? .null,
        ]
    }

    private func json(_ days: Days) -> JSONValue {
        [
            "well": JSONValue(days.well), "lost": JSONValue(days.lost), "withoutRecord": JSONValue(days.gone),
            "leftWithSeveralRecords": JSONValue(days.several), "apart": JSONValue(days.apart),
            "namedAsGivenUp": JSONValue(days.givenUp),
        ]
    }

    private func mac(_ meter: Int) -> String { meters[meter].address.text(in: .upper) }

    private func json(_ value: TypedValue) -> JSONValue {
        [
            "mac": .string(mac(value.meter)), "field": .string(value.field.rawValue), "value": .string(value.value),
            "typedOn": value.device.map { .string(devices[$0].name) } ?? .null,
            "typedAt": value.time.isFinite ? .double(value.time) : .null,
        ]
    }

    private func json(_ loss: Loss) -> JSONValue {
        [
            "value": json(loss.value), "byRepair": .bool(loss.cause == .repair), "cause": .string(loss.cause.rawValue),
            "step": loss.end.map(json) ?? .null,
        ]
    }

    private func json(_ step: Outcome.Step) -> JSONValue {
        [
            "time": .double(step.time), "device": step.device.map { .string(devices[$0].name) } ?? .null,
            "what": .string(step.text),
        ]
    }

    private func json(_ conflict: SyncConflict) -> JSONValue {
        [
            "time": .double(conflict.time), "device": .string(devices[conflict.device].name),
            "mac": .string(mac(conflict.meter)), "field": .string(conflict.field.rawValue),
            "kept": JSONValue(conflict.kept.text), "givenUp": JSONValue(conflict.givenUp.text),
        ]
    }

    private func json(_ device: Device, _ tally: Outcome.Tally) -> JSONValue {
        [
            "name": .string(device.name), "saves": JSONValue(tally.saves), "deletes": JSONValue(tally.deletes),
            "repairSaves": JSONValue(tally.repairSaves), "repairDeletes": JSONValue(tally.repairDeletes),
            "batches": JSONValue(tally.batches), "conflicts": JSONValue(tally.conflicts),
            "received": JSONValue(tally.received),
        ]
    }

    private func json(_ story: Story) -> JSONValue {
        [
            "seed": .string(String(seed)), "mac": .string(mac(story.meter)),
            "events": JSONValue(story.events), "steps": .array(story.steps.map(json)),
        ]
    }
}
