internal import CoreDataStore
internal import Foundation
internal import JSON

/// stdout for the answer, stderr for messages.
struct Console {
    let style: Style
    private let isQuiet: Bool
    private let isJSON: Bool
    /// Ends as soon as there is something to say.
    private let progress: ProgressLine

    init(_ format: OutputFormat, _ color: ColorChoice, isQuiet: Bool, progress: ProgressLine) {
        self.progress = progress
        self.isQuiet = isQuiet
        isJSON = format == .json
        style = Style(form: format == .markdown ? .markdown : Self.usesColor(color) ? .colored : .plain)
    }

    /// What a command says in the end: as text, as Markdown or as a document.
    func answer(
        _ document: some JSONWritable, warnings: [String] = [], _ text: @autoclosure () -> [String]
    ) throws(StoreError) {
        warnings.forEach(warn)
        if isJSON { try write(document: document) } else { try write(text()) }
    }

    /// Lines of text; with `--quiet` nothing, and they are not even made.
    func write(_ text: @autoclosure () -> [String]) throws(StoreError) {
        guard !isQuiet else { return }
        let lines = style.laidOut(text())
        guard !lines.isEmpty else { return }
        progress.end()
        try StandardStream.output.write(lines.joined(separator: "\n") + "\n")
    }

    /// Pieces of text that were put together elsewhere, also with `--quiet`.
    func write(pieces: [[UInt8]]) throws(StoreError) {
        progress.end()
        for piece in pieces {
            try StandardStream.output.write(piece)
        }
    }

    func write(document: some JSONWritable) throws(StoreError) {
        progress.end()
        try document.writeLine(pretty: true) { bytes throws(StoreError) in
            try StandardStream.output.write(bytes)
        }
    }

    /// Something that did not stop the command, but that the user must know.
    func warn(_ message: String) {
        progress.end()
        try? StandardStream.error.write("meterfix: warning: \(Escaped.text(message))\n")
    }

    func show(_ error: StoreError) {
        progress.end()
        try? StandardStream.error.write(Self.text(of: error))
    }

    /// An error as it stands on stderr.
    static func text(of error: StoreError) -> String {
        var text = "meterfix: \(Escaped.text(error.path)): \(Escaped.text(error.message))\n"
        if let hint = error.hint { text += "hint: \(Escaped.text(hint))\n" }
        return text
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
