internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// How much was changed, when and by whom, as a chart.
struct ActivityText {
    private let activity: TicketReport.Part<HistoryActivity?>
    /// As many as can be told apart on a telephone.
    private static let mostBars = 36
    /// Authors with a kind of their own.
    private static let mostAuthors = 5

    init(_ activity: TicketReport.Part<HistoryActivity?>) { self.activity = activity }

    var blocks: [Block] {
        ReportText.part(activity) { activity in
            guard let activity else { return [.paragraph("the store keeps no history of its changes")] }
            let undated = Self.undated(activity.undated)
            guard let periods = activity.periods(most: Self.mostBars) else {
                return undated.isEmpty ? [.paragraph("the history has no change")] : undated
            }
            return [.chart(Self.chart(periods))] + undated
        }
    }

    private static func chart(_ periods: HistoryActivity.Periods) -> Block.BarChart {
        let shown = periods.authors.count > mostAuthors + 1 ? mostAuthors : periods.authors.count
        var kinds = periods.authors.prefix(shown).map(name)
        if shown < periods.authors.count { kinds.append("\(periods.authors.count - shown) others") }
        let bars = periods.periods.map { period in
            var amounts = Array(period.changes.prefix(shown))
            if shown < periods.authors.count { amounts.append(period.changes.dropFirst(shown).reduce(0, +)) }
            return Block.BarChart.Bar(label(period.start, periods.unit), amounts)
        }
        return Block.BarChart(
            "changes per \(word(periods.unit)), by who made them", axis: word(periods.unit), kinds: kinds, bars: bars)
    }

    private static func undated(_ count: Int) -> [Block] {
        guard count > 0 else { return [] }
        let verb = count == 1 ? "has no date, or one that cannot be right" : "have no date, or one that cannot be right"
        return [.remark("\(Phrase.count(count, "change")) \(verb)")]
    }

    private static func name(_ author: HistoryActivity.Author) -> String {
        switch author {
        case .meterfix: "meterfix"
        case .cloudKit: "from CloudKit"
        case .mirror: "CloudKit's mirror, for itself"
        case .named(let name): Escaped.start(of: name, columns: 40)
        case .unnamed: "unnamed"
        }
    }

    private static func word(_ unit: HistoryActivity.Unit) -> String {
        switch unit {
        case .day: "day"
        case .week: "week"
        case .month: "month"
        case .years(1): "year"
        case .years(let years): "\(years) years"
        }
    }

    private static func label(_ start: Timestamp, _ unit: HistoryActivity.Unit) -> String {
        switch unit {
        case .day: start.dateText(to: .day) ?? "–"
        case .week: start.dateText(to: .day).map { "from \($0)" } ?? "–"
        case .month: start.dateText(to: .month) ?? "–"
        case .years: start.dateText(to: .year) ?? "–"
        }
    }
}
