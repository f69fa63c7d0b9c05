internal import Answer
internal import CoreDataStore

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
