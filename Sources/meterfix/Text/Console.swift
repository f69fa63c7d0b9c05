internal import Answer
internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterModel

/// stdout for the answer, stderr for messages.
struct Console: Sendable {
    let medium: Medium
    /// What a page is called that has a title.
    let title: String
    /// How an answer shows its times.
    let times: ShownTimes
    /// Of how many records an answer shows the names in one list; 0 where it shows none at all.
    let shownNames: Int
    private let isQuiet: Bool
    let isJSON: Bool
    /// Makes room for what there is to say.
    private let progress: ProgressLine

    init(
        _ format: OutputFormat, _ color: ColorChoice, title: String, now: Timestamp, showsAll: Bool,
        isQuiet: Bool, progress: ProgressLine
    ) {
        self.progress = progress
        times = ShownTimes(now: now, isExact: showsAll)
        shownNames = format == .json || isQuiet ? 0 : showsAll ? .max : Self.mostNames
        self.title = title
        self.isQuiet = isQuiet
        isJSON = format == .json
        medium =
            switch format {
            case .json: .terminal(width: nil, isColored: false)
            case .text: .terminal(width: StandardStream.output.columns, isColored: Self.usesColor(color))
            case .markdown: .markdown
            case .html: .html
            case .csv: .csv(isShown: isatty(STDOUT_FILENO) == 1)
            }
    }

    /// What a command says in the end: as blocks on its medium, or as a document.
    func answer(
        _ document: some JSONWritable, warnings: [String] = [], _ blocks: @autoclosure () -> [Block]
    ) throws(StoreError) {
        warnings.forEach(warn)
        Self.answered = document
        if isJSON {
            try write(document: document)
        } else {
            try write(blocks())
        }
    }

    /// What a command said. It is kept until the process ends, which is soon: to take a report of a million changes apart,
    /// value by value, takes a twentieth of a rebuild.
    nonisolated(unsafe) private static var answered: (any JSONWritable)?

    /// One answer, and what is around it; with `--quiet` nothing, and the blocks are not even made.
    func write(_ blocks: @autoclosure () -> [Block]) throws(StoreError) {
        guard !isQuiet else { return }
        progress.end()
        // Whether a time is shown is known once everything before is made.
        let answer = blocks()
        try medium.write(answer + times.remark, title: title) { bytes throws(StoreError) in
            try StandardStream.output.write(bytes)
        }
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

    func write(document: some JSONWritable) throws(StoreError) {
        progress.end()
        try StandardStream.output.write(document.line(pretty: true))
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

    private static func usesColor(_ choice: ColorChoice) -> Bool {
        switch choice {
        case .always: return true
        case .never: return false
        case .auto:
            guard isatty(STDOUT_FILENO) == 1 else { return false }
            let environment = ProcessInfo.processInfo.environment
            return environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
        }
    }
}

extension Medium {
    /// Writes a whole answer in large pieces, up to the first error.
    func write(
        _ blocks: [Block], title: String, header: String? = nil, to sink: ([UInt8]) throws(StoreError) -> Void
    ) throws(StoreError) {
        var buffer = OutputBuffer()
        var problem: StoreError?
        func write(_ bytes: [UInt8]) {
            guard problem == nil else { return }
            do throws(StoreError) { try sink(bytes) } catch { problem = error }
        }
        buffer.append(beginning(title: title, header: header), to: write)
        self.write(blocks) { buffer.append($0, to: write) }
        buffer.append(ending, to: write)
        buffer.flush(to: write)
        if let problem { throw problem }
    }
}

/// Text on its way out, in pieces that are large enough to be written and small enough for the memory.
struct OutputBuffer {
    private var bytes: [UInt8] = []
    private static let size = 1 << 16

    mutating func append(_ text: String, to sink: ([UInt8]) -> Void) {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= Self.size { flush(to: sink) }
    }

    mutating func flush(to sink: ([UInt8]) -> Void) {
        guard !bytes.isEmpty else { return }
        sink(bytes)
        bytes.removeAll(keepingCapacity: true)
    }
}

/// stdout and stderr. Foundation's file handles end the program where a write fails.
enum StandardStream: Int32 {
    case output = 1
    case error = 2

    /// Opens `/dev/null` in the place of each stream the program was started without. Otherwise the next file opened,
    /// perhaps a store, would get its number, and the answer would be written into it.
    static func openMissing() {
        // The lowest free number is the one that is missing.
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 { _ = open("/dev/null", O_RDWR) }
    }

    /// Writes all of the text. That nobody reads it any more is no failure.
    /// - Throws: `StoreError` where it cannot be written, for example on a full disk.
    func write(_ text: String) throws(StoreError) { try write(Array(text.utf8)) }

    /// The same for bytes.
    func write(_ bytes: [UInt8]) throws(StoreError) {
        if let fault = bytes.withUnsafeBytes(fault) { throw error(fault) }
    }

    /// Whether a part of an answer was written: what comes after it is no answer of its own any more.
    nonisolated(unsafe) private(set) static var hasAnswer = false

    private func error(_ fault: FileError) -> StoreError {
        let name = self == .output ? "standard output" : "standard error"
        if fault.code == EINTR {
            return StoreError(.interrupted, at: name, "interrupted before all of the answer was read")
        }
        return StoreError(.inputOutput, at: name, "the answer cannot be written: \(fault.message)")
    }

    private func fault(ofWriting bytes: UnsafeRawBufferPointer) -> FileError? {
        if self == .output, !bytes.isEmpty { Self.hasAnswer = true }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = Interruption.waiting { Foundation.write(rawValue, part.baseAddress, part.count) }
            guard written < 0 else {
                rest = rest.dropFirst(written)
                continue
            }
            switch errno {
            case EAGAIN:
                // A terminal or a pipe that somebody made non-blocking.
                var poll = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                let ready = Interruption.waiting { Foundation.poll(&poll, 1, -1) }
                if ready < 0 { return FileError(code: errno) }
            case EPIPE: return nil
            case let code: return FileError(code: code)
            }
        }
        return nil
    }
}

extension StandardStream {
    /// How many columns its lines may have; nil where it is no terminal, so that scripts get each line whole.
    var columns: Int? {
        guard isatty(rawValue) == 1 else { return nil }
        var size = winsize()
        let isKnown = ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0
        return Self.columns(
            environment: ProcessInfo.processInfo.environment["COLUMNS"], terminal: isKnown ? Int(size.ws_col) : nil)
    }

    /// What the user set, otherwise what the terminal says; nil where neither is known.
    static func columns(environment: String?, terminal: Int?) -> Int? {
        [environment.flatMap { Int($0) }, terminal].compactMap(\.self).first { $0 > 0 }
    }
}

/// Several answers that are printed as one.
struct AnswerSeries {
    private let console: Console
    private var isEmpty = true

    init(on console: Console) { self.console = console }

    /// - Parameter pieces: of one answer, in the console's medium or as JSON; nothing where there are none.
    mutating func write(pieces: [[UInt8]]) throws(StoreError) {
        guard !pieces.isEmpty else { return }
        let lead = isEmpty ? console.medium.beginning(title: console.title) : console.medium.separator
        try console.write(pieces: [Array(lead.utf8)] + pieces)
        isEmpty = false
    }

    /// Blocks that end the series, apart from the answers.
    mutating func write(_ blocks: [Block]) throws(StoreError) {
        var pieces = console.medium.pieces(of: blocks)
        if case .terminal = console.medium, !isEmpty { pieces.insert(Array("\n".utf8), at: 0) }
        try write(pieces: pieces)
    }

    /// After the last answer.
    func end() throws(StoreError) {
        guard !isEmpty else { return }
        try console.write(pieces: [Array(console.medium.ending.utf8)])
    }
}

extension Medium {
    /// Blocks as bytes, in pieces.
    func pieces(of blocks: [Block]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var buffer = OutputBuffer()
        write(blocks) { buffer.append($0) { pieces.append($0) } }
        buffer.flush { pieces.append($0) }
        return pieces
    }
}
