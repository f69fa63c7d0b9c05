internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRehearsal

/// A rehearsal: what was played, how each procedure ended, and what to do.
struct RehearseText {
    let report: RehearsalReport
    let times: ShownTimes
    let showsAll: Bool
    /// Losses that are shown without `--verbose`.
    private static let most = 10
    private static let mostSteps = 40

    var blocks: [Block] {
        let options = report.options
        var blocks: [Block] = said(of: report.devices.compactMap(\.store?.source))
        blocks += [
            .heading(
                "\(report.days == 1 ? "a day" : "\(report.days) days") of \(Phrase.count(report.devices.count, "device")) with \(Phrase.count(report.meters.count, "meter")), \(Phrase.count(report.records, "record")) in the cloud"
            ),
            .paragraph(
                "strategy \(options.strategy.rawValue), policy \(options.policy.rawValue), seed \(report.seed)\(report.days == 1 ? "" : ", the worst day, is shown in full; --seed \(report.seed) plays only this day")"
            ),
            .section("on any day, as the stores are", [.table(known)]),
        ]
        if !report.mirrorResets.isEmpty {
            blocks.append(
                .section("on day \(report.seed)", [.list(report.mirrorResets.map { "\(place($0)) \($0.text)" })]))
        }
        blocks += report.runs.map(section)
        blocks.append(.section("what a repair costs on all devices together", costs))
        let losses = [
            (report.daysLostWithoutRepair, report.lostWithoutRepair, "the merge policy"),
            (report.daysLostInMirrorResets, report.lostInMirrorResets, "a sync that starts over"),
        ]
        for (days, lost, what) in losses where days > 0 {
            let values = Phrase.count(lost, "typed value")
            let share = report.days == 1 ? "that day" : "in \(share(days)), \(values) on day \(report.seed)"
            blocks.append(
                .group([
                    .paragraph(
                        "without any repair \(what) loses \(report.days == 1 ? values : "something typed") \(share)")
                ]))
        }
        return blocks + [
            .section("recommendation", [.list(report.recommendation.map { "\($0)" }, marker: .dash)])
        ]
    }

    /// What is said first.
    private func said(of stores: [StoreCopy.Source]) -> [Block] {
        stores.flatMap { store in
            AlertText.blocks(store.alerts, of: store.path, times)
                + (store.obstacle.map {
                    [.note(.warning, "\(store.path): \($0); the rehearsal plays a day on which the device syncs")]
                } ?? [])
        }
    }

    /// What no day changes.
    private var known: Block.Table {
        var table = Block.Table()
        for device in report.devices {
            guard let store = device.store else { continue }
            table.add([
                .text(device.name), "rebuild --in-use fills \(Phrase.count(store.filled, "record"))",
                "a rebuild discards \(Phrase.count(store.givenUp, "value")), and its dry run names them",
            ])
        }
        return table
    }

    /// `37 of 200 days`
    private func share(_ days: Int) -> String { "\(days) of \(Phrase.count(report.days, "day"))" }

    /// In how many days a procedure does which harm; nothing where one day was played.
    private func shares(_ run: RehearsalReport.Run) -> [Block] {
        guard report.days > 1 else { return [] }
        let days = run.days
        let harm = [
            (days.lost, "something typed is lost through the repair"),
            (days.gone, "the repair leaves a meter without a record"),
            (days.several, "the repair leaves a meter with several records"),
            (days.apart, "the devices do not agree in the end"),
        ]
        return [
            .list(harm.filter { $0.0 > 0 }.map { "in \(share($0.0)) \($0.1)" }),
            .paragraph("day \(report.seed):"),
        ]
    }

    private static func title(_ run: RehearsalReport.Run) -> String {
        switch run.strategy {
        case .v2, .v3, .quietRebuild, .set, .type, .unlock, .fix, .importLegacy, .delete, .forcedDelete:
            title(run.procedure)
        case .firstAid: "rebuild --in-use on \(title(run.procedure))"
        }
    }

    private static func title(_ procedure: Procedure) -> String {
        switch procedure {
        case .together: "all devices at once, in use"
        case .oneAndWait: "one device, with the app closed on the others until all is quiet"
        case .namesLeftAlone: "all devices, in use, no name typed"
        }
    }

    private func section(_ run: RehearsalReport.Run) -> Block {
        let outcome = run.outcome
        let days =
            report.days == 1
            ? "" : " in \(share(run.days.well == report.days ? report.days : report.days - run.days.well))"
        let result: Inline =
            run.days.well == report.days ? .tone(.good, "well\(days)") : .tone(.error, "harm done\(days)")
        let obstacle = outcome.obstacles.first.map { "  \($0)" } ?? ""
        let byRepair = run.lost(through: .repair)
        let others = outcome.severalRecords.filter { !run.leftWithSeveral.contains($0) }
        let inResets = run.lost(through: .mirrorReset)
        var pairs = [
            Block.Pair("converges", "\(outcome.isConverged ? "yes" : "no")\(obstacle)"),
            Block.Pair("meters without a record", "\(outcome.metersWithoutRecord.count)"),
            Block.Pair("meters the repair leaves with several records", "\(run.leftWithSeveral.count)"),
            Block.Pair("meters with several records in the end", "\(outcome.metersWithSeveralRecords)"),
            Block.Pair("typed values lost through the repair", "\(byRepair.count)"),
            Block.Pair("typed values lost through the merge policy", "\(run.lost(through: .mergePolicy).count)"),
        ]
        if !report.mirrorResets.isEmpty {
            pairs.append(Block.Pair("typed values lost as a device's sync started over", "\(inResets.count)"))
        }
        pairs += [
            Block.Pair("values typed last that the rebuild names as discarded", "\(outcome.givenUp.count)"),
            Block.Pair("conflicting versions of a record", "\(outcome.conflicts)"),
            Block.Pair("quiet after the last repair", "\(outcome.secondsUntilQuiet.map(duration) ?? "never")"),
        ]
        var blocks: [Block] =
            shares(run) + [
                .pairs(pairs),
                .list(
                    shown(outcome.metersWithoutRecord).map { "no record is left for \(.code(mac($0)))" }
                        + shown(run.leftWithSeveral).map { "the repair leaves several records for \(.code(mac($0)))" }
                        + shown(others).map {
                            "in the end there are several records for \(.code(mac($0))), repair or not"
                        }
                        + shown(byRepair).map { text($0, "lost") }
                        + shown(inResets).map { text($0, "lost as its sync started over") }),
            ]
        let counts =
            [outcome.metersWithoutRecord, run.leftWithSeveral, others].map(\.count) + [byRepair.count, inResets.count]
        if !showsAll, counts.contains(where: { $0 > Self.most }) { blocks.append(.remark("… see --verbose or --json")) }
        if let story = run.shortest { blocks.append(section(story)) }
        return .section("\(Self.title(run)): \(result)", blocks)
    }

    private func shown<Element>(_ elements: [Element]) -> [Element] {
        showsAll ? elements : Array(elements.prefix(Self.most))
    }

    private func text(_ loss: RehearsalReport.Loss, _ how: String) -> Inline {
        let end = loss.end.map { ", \(place($0)): \($0.text)" } ?? ""
        return "\(how): \(loss.value.field.rawValue) \"\(loss.value.value)\" of \(.code(mac(loss.value.meter)))\(end)"
    }

    private func section(_ story: RehearsalReport.Story) -> Block {
        var blocks: [Block] = [.list(story.steps.prefix(Self.mostSteps).map { "\(place($0)): \($0.text)" })]
        if story.steps.count > Self.mostSteps { blocks.append(.remark("… see --json")) }
        return .section(
            "the shortest schedule that shows it (seed \(report.seed), \(mac(story.meter)), \(Phrase.count(story.events, "event"))):",
            blocks)
    }

    private var costs: [Block] {
        var table = Block.Table()
        for run in report.runs + [report.otherStrategy] {
            let operations = run.repairOperations
            table.add([
                "\(run.strategy.rawValue), \(Self.title(run.procedure))",
                .text(Phrase.count(operations.saves, "upload")), .text(Phrase.count(operations.deletes, "delete")),
            ])
        }
        guard let run = report.runs.first(where: { $0.procedure == .oneAndWait }) else { return [.table(table)] }
        var devices = Block.Table()
        for (device, tally) in zip(report.devices, run.outcome.tallies) {
            devices.add([
                .text(device.name), .text(Phrase.count(tally.saves, "upload")),
                .text(Phrase.count(tally.deletes, "delete")), .text(Phrase.count(tally.batches, "batch", "batches")),
                "\(Phrase.count(tally.received, "change")) received",
            ])
        }
        return [
            .table(table),
            .section("that day, the repair included, with one device repairing:", [.table(devices)]),
        ]
    }

    private func mac(_ meter: Int) -> String { report.meters[meter].address.text(in: .upper) }

    private func place(_ step: Outcome.Step) -> String {
        clock(step.time) + " " + (step.device.map { report.devices[$0].name } ?? "all devices")
    }

    /// `07:05:09`
    private func clock(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        return [whole / 3_600, whole / 60 % 60, whole % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private func duration(_ seconds: Double) -> String { seconds < 120 ? "\(Int(seconds)) s" : clock(seconds) }
}
