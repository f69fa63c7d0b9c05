internal import Foundation

/// Tells which of some words are in a text, and where: most of a log has none of them. Wherever a word is, four of its
/// bytes begin at a place that is looked at, and a table tells which words have these four.
package struct WordFilter: Sendable {
    private struct Word {
        let group: Int
        let bytes: [UInt8]
    }

    /// Four bytes of a word.
    private struct Four {
        /// Of the word in ``words``.
        let word: Int
        /// Where in the word they begin.
        let offset: Int
    }

    private let ignoresCase: Bool
    private let groups: Int
    private let words: [Word]
    /// From one place that is looked at to the next: the shortest word is not passed over.
    private let step: Int
    /// By their hashes, and of one hash those first whose word begins first.
    private let fours: [Four]
    /// For each hash where in ``fours`` the first with it or a larger one is.
    private let starts: [UInt16]
    private static let bitsOfHash = 13

    /// - Parameters:
    ///   - groups: of words with four bytes or more; at a place where several words are, the first of them counts.
    ///   - ignoresCase: whether the text's capital letters of ASCII are as good as the small ones of the words.
    package init(_ groups: [[String]], ignoresCase: Bool = false) {
        (self.groups, self.ignoresCase) = (groups.count, ignoresCase)
        let words = groups.enumerated().flatMap { group, texts in
            texts.map { Word(group: group, bytes: Array($0.utf8)) }
        }
        let shortest = words.map(\.bytes.count).min() ?? 4
        precondition(shortest >= 4, "words have four bytes or more")
        let step = shortest - 3
        let fours = words.indices.flatMap { word in
            (0..<step).map { offset in
                let four = words[word].bytes.withUnsafeBytes { Self.four(in: $0, at: offset) }
                return (hash: Self.hash(four, ignoresCase), four: Four(word: word, offset: offset))
            }
        }.sorted { ($0.hash, -$0.four.offset, $0.four.word) < ($1.hash, -$1.four.offset, $1.four.word) }
        var starts = [UInt16](repeating: 0, count: 1 << Self.bitsOfHash + 1)
        for (hash, _) in fours { starts[hash + 1] += 1 }
        for hash in 1..<starts.count { starts[hash] += starts[hash - 1] }
        (self.words, self.step, self.fours, self.starts) = (words, step, fours.map(\.four), starts)
    }

    @inline(__always)
    private static func four(in text: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
        UInt32(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    }

    /// The same for a capital letter and a small one, where case is ignored; then other bytes share theirs as well.
    @inline(__always)
    private static func hash(_ four: UInt32, _ ignoresCase: Bool) -> Int {
        Int(((ignoresCase ? four | 0x2020_2020 : four) &* 0x9E37_79B1) >> UInt32(32 - bitsOfHash))
    }

    /// For each group where the first of its words begins, nil for one that has none there; empty where no group has any.
    package func places(in text: UnsafeBufferPointer<UInt8>) -> [Int?] {
        var places: [Int?] = []
        search(text, from: 0) { place, word in
            guard places.isEmpty || places[word.group] == nil, has(text, word, at: place) else { return true }
            if places.isEmpty { places = Array(repeating: nil, count: groups) }
            places[word.group] = place
            return true
        }
        return places
    }

    /// Where the first word is, from `start` on, and the number of its group; nil if there is none.
    package func firstWord(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> (place: Int, group: Int)? {
        var first: (place: Int, group: Int)?
        search(text, from: start) { place, word in
            if has(text, word, at: place) { first = (place, word.group) }
            return first == nil
        }
        return first
    }

    /// - Parameter isHere: is handed each word that may be in the text from `start` on, in the order of their beginnings,
    ///   and tells whether to look on.
    @inline(__always)
    private func search(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int, _ isHere: (_ place: Int, _ word: Word) -> Bool
    ) {
        let raw = UnsafeRawBufferPointer(text)
        let (step, ignoresCase, end) = (step, ignoresCase, raw.count - 4)
        starts.withUnsafeBufferPointer { starts in
            var place = start
            while place <= end {
                let hash = Self.hash(Self.four(in: raw, at: place), ignoresCase)
                if starts[hash] != starts[hash &+ 1] {
                    for four in fours[Int(starts[hash])..<Int(starts[hash &+ 1])] where place - four.offset >= start {
                        guard isHere(place - four.offset, words[four.word]) else { return }
                    }
                }
                place &+= step
            }
        }
    }

    private func has(_ text: UnsafeBufferPointer<UInt8>, _ word: Word, at place: Int) -> Bool {
        guard place + word.bytes.count <= text.count, let start = text.baseAddress else { return false }
        guard ignoresCase else { return memcmp(start + place, word.bytes, word.bytes.count) == 0 }
        return word.bytes.indices.allSatisfy { FaultWords.folded(text[place + $0]) == word.bytes[$0] }
    }
}
