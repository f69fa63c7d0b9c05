internal import CoreDataStore
internal import MeterInspect

extension WorkProgress.Snapshot {
    /// What is being done, how far it is and about how long it still takes: `saving a backup, 45 %, 3 s left`. Of a part
    /// whose length is not known, how long it has taken.
    var text: String {
        ([phase.text] + [share, time].compactMap(\.self)).joined(separator: ", ")
    }

    /// The part that is done; less than one, because `total` is an estimate. Nil where the total is not known.
    private var fraction: Double? {
        total.map { min(Double(done) / Double(max(1, $0)), 0.99) }
    }

    private var share: String? {
        switch phase.unit {
        case .stores: total.map { "\(done) of \($0)" }
        case .runs: Phrase.count(done, "run")
        case .bytes, .records, .changes, .none: fraction.map { "\(Int($0 * 100)) %" }
        }
    }

    private var time: String? {
        guard let fraction else { return seconds < 1 ? nil : Self.span(seconds) }
        // Of the first moments nothing can be concluded.
        guard seconds >= 1, fraction >= 0.02 else { return nil }
        return "\(Self.span(seconds * (1 - fraction) / fraction)) left"
    }

    /// Whole seconds, and minutes from two minutes on.
    private static func span(_ seconds: Double) -> String {
        seconds < 120 ? "\(Int(seconds.rounded(.up))) s" : "\(Int((seconds / 60).rounded(.up))) min"
    }
}

extension WorkProgress.Phase {
    fileprivate var text: String {
        switch self {
        case .copying: "copying the files"
        case .playingLog: "playing the log in"
        case .reading: "reading the records"
        case .planning: "planning"
        case .saving: "saving a backup"
        case .comparing: "reading what is there before the change"
        case .changing: "writing the changes"
        case .checking: "checking what was written"
        case .restoring: "restoring the saved contents"
        case .redacting: "replacing what is personal"
        case .verifying: "stores verified"
        case .rehearsing: "rehearsing"
        }
    }
}
