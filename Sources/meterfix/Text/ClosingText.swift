internal import Answer
internal import MeterInspect
internal import MeterModel

/// The last lines of every change: where the backup is, what now waits for CloudKit and how to see that it went, and how to
/// give the store back.
enum ClosingText {
    static func blocks(_ report: Report) -> [Block] {
        let backup = report.backup.map { [Block.paragraph("backup: \(.code($0))")] } ?? []
        switch report.outcome {
        case .planned: return backup + sync(report)
        case .applied: return backup + sync(report) + givingBack(report.store)
        case .unchanged, .stale, nil: return backup
        }
    }

    /// How the store gets back to where it came from.
    private static func givingBack(_ store: String) -> [Block] {
        let name = store.split(separator: "/").last.map(String.init) ?? store
        return [
            .paragraph(
                "to give it back: close the app on the device, put \(.code(name)) in its place there, and delete the old \(.code("\(name)-wal")) and \(.code("\(name)-shm")) beside it before the app opens"
            )
        ]
    }

    private static func sync(_ report: Report) -> [Block] {
        guard let plan = report.plan, plan.changesRecords else {
            return [.paragraph("this is not in the history: CloudKit and the user's other devices learn nothing of it")]
        }
        guard report.hasHistory else {
            return [.paragraph("the store has no history: CloudKit and other programs learn nothing of these changes")]
        }
        guard let sync = report.sync, sync.uploads + sync.deletes > 0 else { return [] }
        let amount = Phrase.waiting(uploads: sync.uploads, deletes: sync.deletes)
        guard !sync.isTokenLost else {
            return [
                .paragraph(
                    .tone(
                        .error,
                        "CloudKit's mirror has lost its place in the history: when the app opens this store, the mirrored records are deleted here and downloaded again, without these changes"
                    )
                )
            ]
        }
        guard report.outcome == .applied else {
            return [.paragraph("afterwards waiting for CloudKit, with what waits already: \(amount)")]
        }
        let word = ShellWord.quoted(report.store)
        return [
            .paragraph(
                "now waiting for CloudKit, until the app opens this store: \(amount). On a copy made later, \(.code("meterfix sync \(word)")) says \"arrived\" once each record has ZNEEDSUPLOAD 0 and an exported transaction at or after this one"
            )
        ]
    }
}
