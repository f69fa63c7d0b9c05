internal import Foundation

/// How many columns the lines of an answer may have.
enum TerminalWidth {
    /// Of the terminal that stdout is; nil where it is none, so that scripts get each line whole.
    static var ofOutput: Int? { of(STDOUT_FILENO) }

    /// Of the terminal that stderr is.
    static var ofMessages: Int? { of(STDERR_FILENO) }

    private static func of(_ descriptor: Int32) -> Int? {
        guard isatty(descriptor) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return columns(
            environment: ProcessInfo.processInfo.environment["COLUMNS"], terminal: isKnown ? Int(size.ws_col) : nil)
    }

    /// What the user set, otherwise what the terminal says; nil where neither is known.
    static func columns(environment: String?, terminal: Int?) -> Int? {
        [environment.flatMap { Int($0) }, terminal].compactMap(\.self).first { $0 > 0 }
    }
}
