internal import Answer
internal import CoreDataStore
internal import Foundation

/// A line on stderr while long work goes on, which says how far it is: only on a terminal, only after half a second, and
/// gone when there is something else to print.
final class ProgressLine: @unchecked Sendable {
    /// Told by the work how far it is.
    let progress = WorkProgress()
    private let message: String
    private let lock = NSLock()
    private var hasEnded = false
    private var isVisible = false
    private static let patience: DispatchTimeInterval = .milliseconds(500)
    private static let interval: DispatchTimeInterval = .milliseconds(200)

    /// - Parameter message: what is being done, in one line.
    init(_ message: String, isQuiet: Bool) {
        self.message = message
        guard !isQuiet, isatty(STDERR_FILENO) == 1, ProcessInfo.processInfo.environment["TERM"] != "dumb" else {
            hasEnded = true
            return
        }
        showAgain(after: Self.patience)
    }

    private func showAgain(after delay: DispatchTimeInterval) {
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in
            guard let self else { return }
            let stage = progress.snapshot.map { ": \($0.text)" } ?? ""
            guard show(Self.line(message, stage, width: StandardStream.error.columns)) else { return }
            showAgain(after: Self.interval)
        }
    }

    /// How far the work is comes last, and is not to be what is cut.
    static func line(_ message: String, _ stage: String, width: Int?) -> String {
        // In the last column it would go on in the next line, which is not cleared.
        guard let room = width.map({ $0 - 1 }) else { return message + stage }
        let least = 20
        let shortened = DisplayWidth.cut(message, to: max(least, room - DisplayWidth.of(stage)))
        return DisplayWidth.cut(shortened + stage, to: room)
    }

    /// - Returns: false where there is no line any more.
    private func show(_ line: String) -> Bool {
        lock.withLock {
            guard !hasEnded else { return false }
            clear()
            isVisible = true
            try? StandardStream.error.write(line)
            return true
        }
    }

    /// Takes the line away while something else is printed.
    func interrupt(_ print: () -> Void) {
        lock.withLock {
            clear()
            print()
        }
    }

    /// Takes the line away for good.
    func end() {
        lock.withLock {
            hasEnded = true
            clear()
        }
    }

    private func clear() {
        guard isVisible else { return }
        isVisible = false
        // Back to the start of the line, and clear it.
        try? StandardStream.error.write("\r\u{1B}[K")
    }
}

extension WorkProgress.Snapshot {
    /// What is being done, how far it is and about how long it still takes: `saving a backup, 45 %, 3 s left`. Of a part
    /// whose length is not known, how long it has taken.
    var text: String { ([phase.text] + [share, time].compactMap(\.self)).joined(separator: ", ") }

    /// The part that is done; less than one, because `total` is an estimate. Nil where the total is not known.
    private var fraction: Double? { total.map { min(Double(done) / Double(max(1, $0)), 0.99) } }

    private var share: String? {
        switch phase.unit {
        case .stores: total.map { "\(done) of \($0)" }
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
        }
    }
}
