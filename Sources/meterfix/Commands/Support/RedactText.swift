internal import Answer
internal import MeterInspect
internal import MeterRepair

/// What `redact` prints.
extension RedactionReport {
    var blocks: [Block] {
        let map = mapFile.map {
            "\($0): redact the other stores of the ticket with it too, and do not send it" as Inline
        }
        return [
            "\(.strong(output)): \(Phrase.size(ofBytes: size)), a copy of \(store) without personal data",
            .pairs(
                [Block.Pair("replaced", Inline(replaced))]
                    + Block.Pair.some("who is who", [map].compactMap(\.self))),
        ] + unknownValues
            + .warning(
                "the copy keeps what neither Core Data nor the model named; read it before you send the copy", of: kept)
            + .warning("the copy lacks a part of the store", of: leftOut) + comparison
    }

    private var replaced: String {
        let kinds = RedactedKind.allCases.compactMap { kind in
            tally.counts[kind].map { Phrase.count($0, kind.noun.one, kind.noun.many) }
        }
        return kinds.isEmpty ? "nothing: the store has no personal data" : Phrase.list(kinds)
    }

    private var unknownValues: [Block] {
        guard !unknown.isEmpty else { return [] }
        return [
            "These may not be harmless, so they were replaced too:",
            .list(unknown.map { Inline("\($0.place), \(Phrase.count($0.values, "value"))") }, marker: .dash),
        ]
    }

    private var comparison: [Block] {
        guard differences.isEmpty else {
            return .warning("the copy does not show the same as the store", of: differences)
        }
        let commands = hasMeters ? "verify, rebuild --dry-run and sync" : "verify and sync"
        return [
            .paragraph(.tone(.good, "\(commands) give the same answers for both.")),
            "What only the -wal and free space say (names-lost, written-without-history) is not in it.",
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
