internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// What waits for CloudKit, and what its mirror will do when the app opens the store.
struct SyncText {
    private let report: SyncReport
    private let showsAll: Bool
    private let times: ShownTimes
    /// Objects that are shown without `--verbose`.
    private static let most = 40

    init(_ report: SyncReport, _ times: ShownTimes, showsAll: Bool) {
        self.times = times
        self.report = report
        self.showsAll = showsAll
    }

    var blocks: [Block] {
        AlertText.blocks(report.alerts, times) + [.heading("\(report.path): \(headline)")] + body + findings
    }

    var headline: Inline { report.mirror.map(Self.headline) ?? "not mirrored" }

    /// What is below the headline, without what `verify` finds too.
    var body: [Block] {
        let next = Block.section(
            "when the app opens this store", [.list(report.next.map(sentence), marker: .dash), .remark(Self.scale)])
        guard let mirror = report.mirror else { return [next] }
        var blocks: [Block] = [.pairs(pairs(mirror))]
        if !mirror.objects.isEmpty { blocks.append(.section("waiting", waiting(mirror))) }
        return blocks + [next]
    }

    /// That something waits or failed stands above, and what is said first.
    private var findings: [Block] {
        VerifyText.sections(
            Findings(report.findings).without(AlertText.checks.union(["mirror-pending", "mirror-failing"])), times,
            showsAll: showsAll)
    }

    private static func headline(_ mirror: SyncReport.Mirror) -> Inline {
        let forecast = mirror.forecast
        let waiting: Inline = "waiting for CloudKit: \(forecast.amount)"
        switch forecast.outcome {
        case .rowsDeleted:
            return "\(.tone(.error, "rows are deleted here when the app opens this store")); \(waiting)"
        case .stopped: return "\(.tone(.warning, "nothing is sent to CloudKit")); \(waiting)"
        case .nothingWaits: return .tone(.good, "nothing waits for CloudKit")
        case .sent, .everythingSent, .unknown: return waiting
        }
    }

    /// What the word behind each sentence means.
    private static let scale = Inline(
        Certainty.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: "; "))

    private func sentence(_ sentence: MirrorForecast.Sentence) -> Inline {
        let certainty = Inline("(\(sentence.certainty.rawValue))", .faint)
        let text = times.sentence(sentence.text)
        return sentence.isLoss ? "\(.tone(.error, text)) \(certainty)" : "\(text) \(certainty)"
    }

    private func pairs(_ mirror: SyncReport.Mirror) -> [Block.Pair] {
        var pairs = [
            Block.Pair("token", MirrorText.token(mirror.token, last: mirror.lastTransaction)),
            Block.Pair("in CloudKit", "\(Phrase.count(mirror.known, "record"))"),
        ]
        if let arrival = mirror.arrival { pairs.append(Block.Pair("meterfix", self.arrival(arrival))) }
        if !mirror.lastEvents.isEmpty {
            var events = Block.Pair("events")
            events.values = mirror.lastEvents.flatMap { MirrorEventText.lines($0, times) }
            pairs.append(events)
        }
        let since = mirror.series.filter { $0.failed > 0 }.reversed().flatMap {
            MirrorEventText.lines(since: $0, explained: mirror.lastEvents.compactMap(\.event.error), times)
        }
        if !since.isEmpty {
            var pair = Block.Pair("since when")
            pair.values = since
            pairs.append(pair)
        }
        return pairs
    }

    /// Whether the last change by meterfix is in CloudKit.
    private func arrival(_ arrival: CloudKitMirror.Arrival) -> Inline {
        let time = times.text(Timestamp(secondsSince2001: arrival.time))
        let change = "the change of \(time), transaction \(arrival.transaction)"
        return arrival.isComplete
            ? .tone(.good, "\(change): arrived in CloudKit")
            : "\(change): not arrived yet, \(arrival.changes - arrival.arrived) of \(Phrase.count(arrival.changes, "record")) left"
    }

    private func waiting(_ mirror: SyncReport.Mirror) -> [Block] {
        var table = Block.Table(["record", "row", "name", "change", "why"], widest: 40)
        let shown = ShownPart(of: mirror.objects, most: Self.most, showsAll: showsAll)
        for object in shown.elements {
            table.add([
                object.mac.map(Block.Cell.code) ?? .text(object.entity), "row \(object.object.row)",
                .text(object.name ?? "–"), .text(Self.change(object)), .remark(Self.why(object.waiting)),
            ])
        }
        return [.table(table)] + shown.remark
    }

    static func change(_ object: SyncReport.Object) -> String {
        switch object.waiting.kind {
        case .insert: "new record"
        case .delete: object.waiting.hasMetadata ? "delete" : "delete, never was in CloudKit"
        case .update: object.fields.map { $0.joined(separator: ", ") } ?? "update"
        }
    }

    static func why(_ waiting: CloudKitMirror.Waiting) -> String {
        switch waiting.reason {
        case .flag: "marked by the mirror"
        case .history: "transaction \(waiting.since.map(String.init) ?? "?"), not read yet"
        case .noMetadata: "not seen by the mirror yet"
        }
    }
}
