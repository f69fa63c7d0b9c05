internal import Answer
internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterModel

/// stdout for the answer, stderr for messages.
struct Console {
    let medium: Medium
    /// What a page is called that has a title.
    let title: String
    /// How an answer shows its times.
    let times: ShownTimes
    /// Of how many records an answer shows the names in one list; 0 where it shows none at all.
    let shownNames: Int
    /// How many findings of each check an answer needs; 0 where it shows none.
    let shownFindings: Int
    private let isQuiet: Bool
    private let isJSON: Bool
    /// Makes room for what there is to say.
    private let progress: ProgressLine

    init(
        _ format: OutputFormat, _ color: ColorChoice, title: String, now: Timestamp, showsAll: Bool,
        isQuiet: Bool, progress: ProgressLine
    ) {
        self.progress = progress
        times = ShownTimes(now: now, isExact: showsAll)
        shownNames = format == .json || isQuiet ? 0 : showsAll ? .max : Self.mostNames
        shownFindings = isQuiet && format != .json ? 0 : format == .json || showsAll ? .max : Self.mostFindings
        self.title = title
        self.isQuiet = isQuiet
        isJSON = format == .json
        medium =
            switch format {
            case .json: .terminal(width: nil, isColored: false)
            case .text: .terminal(width: TerminalWidth.ofOutput, isColored: Self.usesColor(color))
            case .markdown: .markdown
            case .html: .html
            case .csv: .csv
            }
    }

    /// What a command says in the end: as blocks on its medium, or as a document.
    func answer(
        _ document: some JSONWritable, warnings: [String] = [],
        confirming: () throws(StoreError) -> Void = {}, _ blocks: @autoclosure () -> [Block]
    ) throws(StoreError) {
        warnings.forEach(warn)
        Self.answered = document
        if isJSON {
            try write(document: document, confirming: confirming)
        } else {
            try write(blocks(), confirming: confirming)
        }
    }

    /// What a command said. It is kept until the process ends, which is soon: to take a report of a million changes apart,
    /// value by value, takes a twentieth of a rebuild.
    nonisolated(unsafe) private static var answered: (any JSONWritable)?

    /// One answer, and what is around it; with `--quiet` nothing, and the blocks are not even made.
    /// - Parameter confirming: asked before the end is written.
    func write(
        _ blocks: @autoclosure () -> [Block], confirming: () throws(StoreError) -> Void = {}
    ) throws(StoreError) {
        guard !isQuiet else { return }
        progress.end()
        var buffer = OutputBuffer()
        var problem: StoreError?
        func write(_ bytes: [UInt8]) {
            guard problem == nil else { return }
            do throws(StoreError) { try StandardStream.output.write(bytes) } catch { problem = error }
        }
        buffer.append(medium.beginning(title: title), to: write)
        // Whether a time is shown is known once everything before is written.
        let end = Block.deferred { [times] in times.remark }
        medium.write(blocks() + [end]) { buffer.append($0, to: write) }
        buffer.append(medium.ending, to: write)
        if problem == nil { try confirming() }
        buffer.flush(to: write)
        if let problem { throw problem }
    }

    /// Pieces of an answer that was put together elsewhere, also with `--quiet`.
    func write(pieces: [[UInt8]]) throws(StoreError) {
        var problem: StoreError?
        progress.interrupt {
            do throws(StoreError) {
                for piece in pieces { try StandardStream.output.write(piece) }
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }

    /// - Parameter confirming: asked before the end is written: a document that is not confirmed is not whole.
    func write(document: some JSONWritable, confirming: () throws(StoreError) -> Void = {}) throws(StoreError) {
        progress.end()
        var last: [UInt8] = []
        try document.writeLine(pretty: true) { bytes throws(StoreError) in
            if !last.isEmpty { try StandardStream.output.write(last) }
            last = Array(bytes)
        }
        try confirming()
        try StandardStream.output.write(last)
    }

    /// Something that did not stop the command, but that the user must know.
    func warn(_ message: String) {
        progress.interrupt { try? StandardStream.error.write("meterfix: warning: \(Escaped.text(message))\n") }
    }

    func show(_ error: StoreError) {
        progress.interrupt { try? StandardStream.error.write(Self.text(of: error)) }
    }

    /// An error as it stands on stderr.
    static func text(of error: StoreError) -> String {
        var text = "meterfix: \(Escaped.text(error.path)): \(Escaped.text(error.message))\n"
        if let hint = error.hint { text += "hint: \(Escaped.text(hint))\n" }
        return text
    }

    /// No list shows more without `--verbose`.
    static let mostNames = 40

    /// Findings of one check that an answer is made from without `--verbose`: a few are shown, of the others what to do.
    static let mostFindings = 1_000

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
