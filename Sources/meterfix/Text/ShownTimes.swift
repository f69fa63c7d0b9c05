internal import Answer
internal import CoreDataStore
internal import Foundation
internal import MeterModel

/// How the times of an answer are shown: as people read them, or exactly, as ISO 8601.
///
/// All are UTC. That is said once, at the end, and only where a time was shown that does not say it itself.
final class ShownTimes: Sendable {
    private let now: Timestamp
    private let isExact: Bool
    /// Whether nothing is left out of an answer: `--verbose` asks for that and for exact times together.
    var showsAll: Bool { isExact }
    /// Whether a time was shown that does not say that it is UTC.
    private let isRemarkDue = Locked(false)

    init(now: Timestamp, isExact: Bool) {
        self.now = now
        self.isExact = isExact
    }

    /// `22 Nov 2026, 00:03, 3 hours ago`.
    func text(_ time: Timestamp) -> String {
        guard !isExact, let distance = time.distance(from: now) else { return time.description }
        isRemarkDue.withLock { $0 = true }
        return "\(time.calendarText()), \(distance)"
    }

    /// `22 Nov 2026, 00:03`, for a table; a dash where there is none.
    func cell(_ time: Timestamp?) -> Block.Cell { cell(time.map { short([$0])[0] } ?? "–") }

    /// The same for a time as `short` shows it. Where there is too little room, it does without the current year.
    func cell(_ shown: String) -> Block.Cell {
        var cell = Block.Cell.moment(shown)
        let words = shown.split(separator: " ")
        if words.count == 4, words[2].dropLast() == now.description.prefix(while: { $0 != "-" }) {
            cell.shorter = "\(words[0]) \(words[1]), \(words[3])"
        }
        return cell
    }

    /// For times that are read beside one another: each as short as a table wants it, but with as many digits as it takes
    /// that different ones look different.
    func short(_ times: [Timestamp]) -> [String] {
        guard !isExact else { return times.map(\.description) }
        let different = Set(times).count
        for precision in [Timestamp.Precision.minute, .second] {
            let texts = times.map { $0.calendarText(to: precision) }
            guard Set(texts).count == different else { continue }
            if texts != times.map(\.description) { isRemarkDue.withLock { $0 = true } }
            return texts
        }
        return times.map(\.description)
    }

    /// One time, with its seconds where others are of the same minute.
    func short(_ time: Timestamp, isCrowded: Bool) -> String { isCrowded ? toSecond(time) : short([time])[0] }

    /// To the second, which is how far apart the lines of a log are.
    func toSecond(_ time: Timestamp) -> String {
        guard !isExact else { return time.description }
        let text = time.calendarText(to: .second)
        if text != time.description { isRemarkDue.withLock { $0 = true } }
        return text
    }

    /// A sentence with its times as `text` shows them, or with as many digits as it takes that different ones look
    /// different, and its commands between backticks.
    func sentence(_ sentence: Sentence) -> String {
        guard !isExact else { return sentence.description }
        let pieces = sentence.pieces
        let times = Set(pieces.compactMap { if case .time(let time) = $0 { time } else { nil } })
        let texts = Dictionary(uniqueKeysWithValues: zip(times, short(Array(times))))
        return pieces.indices.map { index in
            guard case .time(let time) = pieces[index] else { return pieces[index].description }
            // The distance is put in between commas.
            let isInside = pieces[(index + 1)...].first?.description.hasPrefix(" ") ?? false
            let distance = time.distance(from: now).map { ", \($0)" } ?? ""
            return (texts[time] ?? time.description) + distance + (isInside ? "," : "")
        }.joined()
    }

    /// What is said at the end of the answer; nothing where it has no such times.
    var remark: [Block] { isRemarkDue.withLock { $0 } ? [.paragraph(Inline("times are UTC", .faint))] : [] }
}

extension Inline {
    /// A sentence whose commands are set apart.
    init(_ pieces: [Sentence.Piece]) {
        self = pieces.reduce("") { inline, piece in
            if case .command(let words) = piece { inline + .code(words) } else { inline + Inline(piece.description) }
        }
    }
}
