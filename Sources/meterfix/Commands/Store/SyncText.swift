internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// What fails, what is pending for CloudKit, and what the mirror will do when the app opens the store.
extension SyncReport {
    func blocks(_ times: ShownTimes) -> [Block] {
        alerts.blocks(times) + [.heading("\(path): \(headline)")] + body(times) + others(times) + steps.blocks()
    }

    var headline: Inline {
        mirror.map {
            Self.headline($0, isAlone: alerts.isEmpty && findings.allSatisfy { $0.severity == .note })
        } ?? "not mirrored"
    }

    /// What is below the headline, without what `verify` finds too.
    func body(_ times: ShownTimes) -> [Block] {
        let next = Block.section(
            "when the app opens this store",
            [.list(self.next.map { sentence($0, times) }, marker: .dash), .remark(Self.scale)])
        guard let mirror = mirror else { return [next] }
        var blocks: [Block] = []
        let troubles = troubles(mirror, times)
        if !troubles.isEmpty { blocks.append(.pairs(troubles)) }
        if !mirror.objects.isEmpty { blocks.append(.section("pending", pending(mirror, times))) }
        return blocks + [next, .section("mirror", [.pairs(pairs(mirror, times))])]
    }

    /// What is pending, what failed and what is said first stand above.
    private func others(_ times: ShownTimes) -> [Block] {
        let said = [Check.mirrorPending.id, Check.mirrorFailing.id] + (alerts.damage.map { [$0.id] } ?? [])
        return findings.without(StoreAlert.checks.union(said)).sections(times)
    }

    /// - Parameter isAlone: whether nothing is said before it.
    private static func headline(_ mirror: Mirror, isAlone: Bool) -> Inline {
        let forecast = mirror.forecast
        let pending: Inline =
            switch mirror.signs.pages {
            case _ where forecast.total > 0: "pending for CloudKit: \(forecast.amount)"
            case .whole: "nothing is pending for CloudKit"
            case .damaged: "what is pending for CloudKit is not known, because the store is damaged"
            case .notMade:
                "nothing pending for CloudKit was found; only \(.code("verify")) reads every page of a store of this size"
            }
        let failed = mirror.lastEvents.filter { $0.event.error != nil }.map { "the last \($0.event.kindName) failed" }
        let failure: [Inline] = failed.isEmpty ? [] : [.tone(.warning, Phrase.list(failed)) + "; "]
        if forecast.going > 0 {
            let objects = Phrase.count(forecast.going, "object of this store is", "objects of this store are")
            return "\(.tone(.error, "\(objects) about to be deleted")); \(pending)"
        }
        switch forecast.outcome {
        case .rowsDeleted:
            return "\(.tone(.error, "rows are deleted here when the app opens this store")); \(pending)"
        case .stopped: return "\(.tone(.warning, "nothing is sent to CloudKit")); \(pending)"
        case .everythingSent: return "\(.tone(.warning, "every record is uploaded again")); \(pending)"
        case .nothingWaits where forecast.leftBehind > 0:
            return (failure + MirrorText.obstacles(forecast)).reduce(Inline(""), +) + "; \(pending)"
        case .nothingWaits where failed.isEmpty && isAlone && mirror.signs.pages == .whole:
            return .tone(.good, pending.text)
        case .nothingWaits, .sent, .unknown: return failure.reduce(Inline(""), +) + pending
        }
    }

    /// What the word behind each sentence means.
    private static let scale = Inline(
        Certainty.allCases.map { "\($0.rawValue): \($0.meaning)" }.joined(separator: "; "))

    private func sentence(_ sentence: MirrorForecast.Statement, _ times: ShownTimes) -> Inline {
        let certainty = Inline("(\(sentence.certainty.rawValue))", .faint)
        let text = times.sentence(sentence.text)
        return sentence.isLoss ? "\(.tone(.error, text)) \(certainty)" : "\(text) \(certainty)"
    }

    /// What fails, since when, what to do, and how far the last change by meterfix has come.
    private func troubles(_ mirror: Mirror, _ times: ShownTimes) -> [Block.Pair] {
        let failed = mirror.lastEvents.filter { $0.event.error != nil }
        let since = mirror.series.filter { $0.failed > 0 }.reversed().flatMap {
            MirrorText.lines(since: $0, explained: mirror.lastEvents.compactMap(\.event.error), times)
        }
        return Block.Pair.some("what fails", failed.flatMap { MirrorText.lines($0, times) })
            + Block.Pair.some("since when", since)
            + Block.Pair.some("what to do", failed.compactMap { $0.cure.map { NextStep.text($0, asDryRun: true) } })
            + (mirror.arrival.map { [Block.Pair("meterfix", arrival($0, times))] } ?? [])
    }

    private func pairs(_ mirror: Mirror, _ times: ShownTimes) -> [Block.Pair] {
        let others = mirror.lastEvents.filter { $0.event.error == nil }
        let gone = findings.filter { $0.id == Check.mirrorOrphan.id }.reduce(0) { $0 + $1.rows.count }
        return [
            Block.Pair("history token", MirrorText.token(mirror.token, last: mirror.lastTransaction)),
            Block.Pair(
                "in CloudKit",
                "\(Phrase.count(mirror.known, "record"))\(gone > 0 ? ", and \(gone) that are gone here" : "")"),
        ] + Block.Pair.some("events", others.flatMap { MirrorText.lines($0, times) })
    }

    /// Whether the last change by meterfix is in CloudKit.
    private func arrival(_ arrival: CloudKitMirror.Arrival, _ times: ShownTimes) -> Inline {
        let time = times.text(Timestamp(secondsSince2001: arrival.time))
        let change = "the change of \(time), transaction \(arrival.transaction)"
        return arrival.isComplete
            ? .tone(.good, "\(change): uploaded")
            : "\(change): \(arrival.changes - arrival.arrived) of \(Phrase.count(arrival.changes, "record")) not there yet"
    }

    private func pending(_ mirror: Mirror, _ times: ShownTimes) -> [Block] {
        let shown = ShownPart(of: mirror.objects, most: 40, showsAll: times.showsAll)
        let rows: [[Block.Cell]] = shown.elements.map { object in
            [
                object.mac.map(Block.Cell.code) ?? .text(object.entity), "row \(object.object.row)",
                .text(object.name ?? "–"), .text(object.change), .remark(object.waiting.why),
            ]
        }
        return [.table(.init(["meter", "row", "name", "change", "why"], widest: 40, rows: rows))] + shown.remark
    }
}

extension SyncReport.Object {
    var change: String {
        switch waiting.kind {
        case .insert: waiting.isUploadedAgain ? "uploaded again" : "new record"
        case .delete: waiting.hasMetadata ? "delete" : "delete, never uploaded"
        case .update: fields.map { $0.joined(separator: ", ") } ?? "update"
        }
    }
}

extension CloudKitMirror.Waiting {
    var why: String {
        switch reason {
        case .flag: "marked by the mirror"
        case .history: "transaction \(since.map(String.init) ?? "?"), not read yet"
        case .noMetadata: "not seen by the mirror yet"
        }
    }
}
