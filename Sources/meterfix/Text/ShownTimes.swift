internal import Answer
internal import CoreDataStore
internal import Foundation
internal import MeterModel

/// How the times of an answer are shown: as people read them, or exactly, as ISO 8601.
///
/// All are UTC. That is said once, at the end, and only where a time was shown that does not say it itself.
final class ShownTimes: Sendable {
    private let now: Timestamp
    let isExact: Bool
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
        let year = " \(now.description.prefix { $0 != "-" }),"
        if let place = shown.range(of: year) { cell.shorter = shown.replacingCharacters(in: place, with: ",") }
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

    /// A message whose times are exact, as the JSON has it, with its times as `text` shows them, or with as many digits as
    /// it takes that different ones look different. What is in quotes is somebody's text and stays.
    func sentence(_ message: String) -> String {
        guard !isExact else { return message }
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        let times = Set(
            stride(from: 0, to: parts.count, by: 2).flatMap { part in
                parts[part].split(separator: " ").compactMap { Self.time(of: $0)?.time }
            })
        let shown = Dictionary(uniqueKeysWithValues: zip(times, short(Array(times))))
        return parts.enumerated().map { index, part in
            index % 2 == 0 ? rewritten(part, shown) : String(part)
        }.joined(separator: "\"")
    }

    /// The time that a word begins with, and what follows it.
    private static func time(of word: Substring) -> (time: Timestamp, rest: Substring)? {
        guard let end = word.firstIndex(of: "Z"), let time = Timestamp(iso8601: String(word[...end])),
            time.description == word[...end]
        else { return nil }
        return (time, word[end...].dropFirst())
    }

    private func rewritten(_ part: Substring, _ shown: [Timestamp: String]) -> String {
        let words = part.split(separator: " ", omittingEmptySubsequences: false)
        return words.indices.map { index in
            guard let (time, rest) = Self.time(of: words[index]) else { return String(words[index]) }
            // The distance is put in between commas.
            let isInside = rest.isEmpty && index < words.count - 1
            let distance = time.distance(from: now).map { ", \($0)" } ?? ""
            return (shown[time] ?? time.description) + distance + (isInside ? "," : rest)
        }.joined(separator: " ")
    }

    /// What is said at the end of the answer; nothing where it has no such times.
    var remark: [Block] { isRemarkDue.withLock { $0 } ? [.paragraph(Inline("times are UTC", .faint))] : [] }
}
