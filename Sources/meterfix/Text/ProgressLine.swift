internal import Foundation

/// A line on stderr while long work goes on: only on a terminal, only after half a second, and gone at the end.
final class ProgressLine: Sendable {
    private let shown = Shown()
    private static let patience: DispatchTimeInterval = .milliseconds(500)

    init(_ message: String, isQuiet: Bool) {
        guard !isQuiet, isatty(STDERR_FILENO) == 1 else { return }
        let shown = shown
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { shown.show(message) }
    }

    /// Takes the line away.
    func end() { shown.end() }

    private final class Shown: @unchecked Sendable {
        private let lock = NSLock()
        private var hasEnded = false
        private var isVisible = false

        func show(_ message: String) {
            lock.withLock {
                guard !hasEnded else { return }
                isVisible = true
                try? StandardStream.error.write(message)
            }
        }

        func end() {
            lock.withLock {
                hasEnded = true
                guard isVisible else { return }
                isVisible = false
                // Back to the start of the line, and clear it.
                try? StandardStream.error.write("\r\u{1B}[K")
            }
        }
    }
}
