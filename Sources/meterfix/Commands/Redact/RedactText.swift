internal import Answer
internal import MeterInspect
internal import MeterRepair

/// What `redact` prints.
struct RedactText {
    private let report: RedactionReport

    init(_ report: RedactionReport) { self.report = report }

    var blocks: [Block] {
        [
            .paragraph(
                "\(.strong(report.output)): \(Phrase.size(ofBytes: report.size)), a copy of \(report.store) without "
                    + "personal data"),
            .pairs([Block.Pair("replaced", Inline(replaced))] + map),
        ] + unknown + kept + comparison
    }

    private var replaced: String {
        let kinds = RedactedKind.allCases.compactMap { kind in
            report.tally.counts[kind].map { Phrase.count($0, kind.noun.one, kind.noun.many) }
        }
        return kinds.isEmpty ? "nothing: the store has no personal data" : Phrase.list(kinds)
    }

    private var map: [Block.Pair] {
        report.mapFile.map {
            [
                Block.Pair(
                    "who is who", "\($0): redact the other stores of the ticket with it too, and do not send it")
            ]
        } ?? []
    }

    private var unknown: [Block] {
        guard !report.unknown.isEmpty else { return [] }
        return [
            .paragraph("These may not be harmless, so they were replaced too:"),
            .list(
                report.unknown.map { Inline("\($0.place), \(Phrase.count($0.values, "value"))") }, marker: .dash),
        ]
    }

    private var kept: [Block] {
        guard !report.kept.isEmpty else { return [] }
        return [
            .note(
                .warning, "the copy keeps what neither Core Data nor the model named; read it before you send the copy"),
            .list(report.kept.map { Inline($0) }, marker: .dash),
        ]
    }

    private var comparison: [Block] {
        let leftOut: [Block] =
            report.leftOut.isEmpty
            ? []
            : [
                .note(.warning, "the copy lacks a part of the store"),
                .list(report.leftOut.map { Inline($0) }, marker: .dash),
            ]
        guard !report.differences.isEmpty else {
            let commands = report.hasMeters ? "verify, rebuild --dry-run and sync" : "verify and sync"
            return leftOut + [.paragraph(.tone(.good, "\(commands) give the same answers for both."))]
        }
        return leftOut + [
            .note(.warning, "the copy does not show the same as the store"),
            .list(report.differences.map { Inline($0) }, marker: .dash),
        ]
    }
}

extension RedactedKind {
    fileprivate var noun: (one: String, many: String?) {
        switch self {
        case .address: ("address", "addresses")
        case .id: ("id", nil)
        case .meter: ("name of a meter", "names of meters")
        case .device: ("name of a device", "names of devices")
        case .text: ("other text", nil)
        case .number: ("number", nil)
        case .blob: ("BLOB", nil)
        }
    }
}
