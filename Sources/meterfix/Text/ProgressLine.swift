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
            let line = Self.line(message, progress.text, width: StandardStream.error.columns)
            guard show(line) else { return }
            showAgain(after: Self.interval)
        }
    }

    /// How far the work is comes last, and is not to be what is cut.
    static func line(_ message: String, _ progress: String, width: Int?) -> String {
        let stage = progress.isEmpty ? "" : ": \(progress)"
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
