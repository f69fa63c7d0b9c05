internal import CoreDataStore
internal import Foundation
internal import JSON

/// stdout for the answer, stderr for messages.
struct Console {
    let style: Style
    private let isQuiet: Bool

    init(options: CommonOptions) {
        isQuiet = options.quiet
        style = Style(isColored: Self.usesColor(options.color))
    }

    /// Lines of text; nothing with `--quiet`.
    func write(_ lines: [String]) {
        guard !isQuiet, !lines.isEmpty else { return }
        FileHandle.standardOutput.write(Data((lines.joined(separator: "\n") + "\n").utf8))
    }

    func write(_ document: JSONValue, onOneLine: Bool) {
        FileHandle.standardOutput.write(Data((document.text(pretty: !onOneLine) + "\n").utf8))
    }

    func show(_ error: StoreError) {
        var text = "meterfix: \(Escaped.text(error.path)): \(Escaped.text(error.message))\n"
        if let hint = error.hint { text += "hint: \(Escaped.text(hint))\n" }
        FileHandle.standardError.write(Data(text.utf8))
    }

    private static func usesColor(_ choice: ColorChoice) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto:
            let environment = ProcessInfo.processInfo.environment
            return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
                && environment["TERM"] != "dumb"
        }
    }
}
