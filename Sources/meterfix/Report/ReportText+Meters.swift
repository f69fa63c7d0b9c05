internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The meters of a store for a page: those that need somebody first, then by name.
extension ReportText {
    /// Meters that are shown without being asked for, and then when they are.
    private static let most = 50
    private static let mostFolded = 1_000

    /// Nil for a store without records of meters.
    var allMeters: Section? {
        guard report.customer.meters != nil else { return nil }
        switch report.meters {
        case .failure(let error):
            return Section(.meters, "All meters", heading: "All meters", Self.blocks(error))
        case .success(let meters):
            let heading: Inline =
                switch meters.count {
                case 0: "There is no meter in this file"
                case 1: "The meter"
                default: "All \(meters.count) meters"
                }
            return Section(
                .meters, "All meters", meters.count, heading: heading, blocks(sorted(meters), of: meters.count))
        }
    }

    /// - Parameter count: of all meters.
    private func blocks(_ meters: [(meter: MeterSummary, state: String?)], of count: Int) -> [Block] {
        guard !meters.isEmpty else { return [] }
        let limit = showsAll ? Int.max : Self.most
        var blocks: [Block] = [.table(table(of: meters.prefix(limit)))]
        let rest = meters.dropFirst(limit)
        if !rest.isEmpty {
            var parts: [Block] = [.table(table(of: rest))]
            if meters.count < count {
                parts.append("and \(count - meters.count) more: \(.code("meterfix meters --format csv \(storeWord)"))")
            }
            blocks.append(.part("\(Phrase.count(count - limit, "more meter"))", parts))
        }
        return blocks
    }

    /// Those of which something is to be said come first; those that are shown at all.
    private func sorted(_ meters: [MeterSummary]) -> [(meter: MeterSummary, state: String?)] {
        let keys = meters.enumerated().map { place, meter in
            (place: place, state: state(of: meter), name: meter.name?.lowercased() ?? "")
        }.sorted { one, other in
            guard (one.state == nil) == (other.state == nil) else { return one.state != nil }
            guard one.name.isEmpty == other.name.isEmpty else { return other.name.isEmpty }
            return (one.name, one.place) < (other.name, other.place)
        }
        return keys.prefix(showsAll ? .max : Self.most + Self.mostFolded).map { (meters[$0.place], $0.state) }
    }

    private func table(of meters: ArraySlice<(meter: MeterSummary, state: String?)>) -> Block.Table {
        Block.Table(
            Self.columns + [.number("entries"), "state"], isStacked: true,
            rows: meters.map { meter, state in
                cells(of: meter, in: report.verification.letterCase)
                    + [.number("\(meter.rows.count)"), .remark(state ?? "in order")]
            })
    }

    /// The heads of `cells`.
    static let columns: [Block.Cell] = ["meter", "address", "model", "unit", "last seen", "by"]

    func cells(of meter: MeterSummary, in letterCase: LetterCase) -> [Block.Cell] {
        [
            .text(meter.name ?? "no name"),
            meter.address.map { .code($0.text(in: letterCase)) } ?? FieldText.cell(meter.storedAddress),
            .text(meter.modelType ?? ""), .text(meter.temperatureUnit ?? ""),
            meter.seenAt == nil ? .text("") : times.cell(meter.seenAt), .text(meter.seenBy ?? ""),
        ]
    }

    /// What is to be said of a meter; nil where it is in order.
    private func state(of meter: MeterSummary) -> String? {
        guard let address = meter.address else { return "its address cannot be used" }
        if let question = letter.questions.first(where: { $0.address == address }) {
            return "question \(question.number)"
        }
        if let reservation = report.customer.reservations.first(where: { $0.address == address }) {
            return "reserved until \(reservation.until.dateText(to: .day) ?? "an unknown day")"
        }
        guard meter.rows.count > 1 else { return meter.waiting.isEmpty ? nil : "pending for iCloud" }
        switch report.customer.repair {
        case .ahead: return "will be merged"
        case .none, .impossible, .done, .forgotten: return "stored \(meter.rows.count) times"
        }
    }
}
