internal import Foundation

/// How many columns the lines of an answer may have.
enum TerminalWidth {
    /// Of the terminal that stdout is; nil where it is none, so that scripts get each line whole.
    static var ofOutput: Int? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
        return columns(
            environment: ProcessInfo.processInfo.environment["COLUMNS"], terminal: isKnown ? Int(size.ws_col) : nil)
    }

    /// What the user set, otherwise what the terminal says; nil where neither is known.
    static func columns(environment: String?, terminal: Int?) -> Int? {
        [environment.flatMap { Int($0) }, terminal].compactMap(\.self).first { $0 > 0 }
    }
}
