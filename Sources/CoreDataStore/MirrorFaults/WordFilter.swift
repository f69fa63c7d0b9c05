/// Tells which of some words are in a text, and where, at the speed at which bytes can be looked at twice: most of a log
/// has none of them.
package struct WordFilter: Sendable {
    /// One of the words, and its group.
    private struct Word {
        let group: Int
        /// Where its bytes are in ``bytes``.
        let bytes: Range<Int>
        /// Where in it the two bytes are that are rarest elsewhere.
        let pair: Int
    }

    private let ignoresCase: Bool
    private let groups: Int
    private var words: [Word] = []
    /// Those of all words.
    private var bytes: [UInt8] = []
    /// For each first byte of a pair, and for each second one, the bits of the words. Of more than 64, some share one.
    private var firsts = [UInt64](repeating: 0, count: 256)
    private var seconds = [UInt64](repeating: 0, count: 256)
    private let wordsOfBit: Int
    /// For each value of ``hash(_:)``, whether four bytes of a word can have it; nil where words are too short for it.
    private var fours: [Bool]?
    private static let shortestWithFours = 7
    private let longest: Int

    /// - Parameters:
    ///   - groups: at most 64, of words with two bytes or more; `^` stands before the rarest two of them, where that is
    ///     not told by the frequency of letters in English.
    ///   - ignoresCase: whether the text's capital letters of ASCII are as good as the small ones of the words.
    package init(_ groups: [[String]], ignoresCase: Bool = false) {
        precondition(groups.count <= 64)
        (self.groups, self.ignoresCase) = (groups.count, ignoresCase)
        for (group, word) in groups.enumerated().flatMap({ group, words in words.map { (group, $0) } }) {
            let own = word.utf8.filter { $0 != UInt8(ascii: "^") }
            let pair = Array(word.utf8).firstIndex(of: UInt8(ascii: "^")) ?? Self.rarestPair(in: own)
            words.append(Word(group: group, bytes: bytes.count..<bytes.count + own.count, pair: pair))
            bytes += own
        }
        wordsOfBit = max(1, (words.count + 63) / 64)
        longest = words.map(\.bytes.count).max() ?? 0
        for (number, word) in words.enumerated() {
            let (bit, pair) = (UInt64(1) << UInt64(number / wordsOfBit), word.bytes.lowerBound + word.pair)
            for byte in UInt8.min...UInt8.max {
                if folded(byte) == bytes[pair] { firsts[Int(byte)] |= bit }
                if folded(byte) == bytes[pair + 1] { seconds[Int(byte)] |= bit }
            }
        }
        if !ignoresCase, words.allSatisfy({ $0.bytes.count >= Self.shortestWithFours }) {
            var fours = [Bool](repeating: false, count: 1 << 12)
            for word in words {
                for start in word.bytes.dropLast(3) {
                    let four = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
                    fours[Self.hash(four)] = true
                }
            }
            self.fours = fours
        }
    }

    /// Twelve bits of four bytes.
    @inline(__always)
    private static func hash(_ four: UInt32) -> Int { Int((four &* 0x9E37_79B1) >> 20) }

    /// By the frequency of letters in English; a capital in the middle of a word is rarer than one at its beginning.
    private static func rarestPair(in word: [UInt8]) -> Int {
        let common = Array(" etaoinsrhldcumfpgwybvkxjqz".utf8)
        func rank(_ byte: UInt8) -> Int { common.firstIndex(of: byte) ?? 20 }
        return (0..<word.count - 1).max { left, right in
            rank(word[left]) + 2 * rank(word[left + 1]) <= rank(word[right]) + 2 * rank(word[right + 1])
        } ?? 0
    }

    /// For each group where the first of its words begins, nil for one that has none there; empty where no group has any.
    package func places(in text: UnsafeBufferPointer<UInt8>) -> [Int?] {
        var (places, known, start): ([Int?], UInt64, Int) = ([], 0, 0)
        while let next = next(in: text, from: start, notBefore: 0, except: known) {
            if places.isEmpty { places = Array(repeating: nil, count: groups) }
            places[next.group] = next.place
            known |= 1 << UInt64(next.group)
            // Another one can be at the same place.
            start = next.pair
        }
        return places
    }

    /// Where a word is, from `start` on, whose pair comes first, and the number of its group; nil if there is none.
    package func firstWord(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> (place: Int, group: Int)? {
        guard let fours else { return next(in: text, from: start, notBefore: start).map { ($0.place, $0.group) } }
        var place = start
        while let near = Self.firstFour(in: text, from: place, fours) {
            // No word begins before these four bytes but for up to three more. One whose pair is far behind them may not
            // be the first: another one may be cut off by the end of this part.
            let (floor, end) = (max(start, near - 3), min(near + 2 * longest, text.count))
            let part = UnsafeBufferPointer(rebasing: text[..<end])
            if let next = next(in: part, from: floor, notBefore: floor), next.pair <= near + longest {
                return (next.place, next.group)
            }
            place = near + 4
        }
        return nil
    }

    /// Where, looking at every fourth place, four bytes are that a word can have: no word is without such a place.
    private static func firstFour(in text: UnsafeBufferPointer<UInt8>, from start: Int, _ fours: [Bool]) -> Int? {
        let raw = UnsafeRawBufferPointer(text)
        return fours.withUnsafeBufferPointer { fours in
            var place = start
            while place + 4 <= raw.count {
                let four = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: place, as: UInt32.self))
                if fours[hash(four)] { return place }
                place += 4
            }
            return nil
        }
    }

    /// - Parameters:
    ///   - start: where pairs are looked for.
    ///   - floor: where words may begin.
    ///   - known: the bits of groups that are not looked for.
    private func next(
        in text: UnsafeBufferPointer<UInt8>, from start: Int, notBefore floor: Int, except known: UInt64 = 0
    ) -> (place: Int, pair: Int, group: Int)? {
        guard text.count > start + 1, let bytes = text.baseAddress else { return nil }
        return firsts.withUnsafeBufferPointer { firsts in
            seconds.withUnsafeBufferPointer { seconds in
                let (first, second) = (firsts.baseAddress!, seconds.baseAddress!)
                var place = start
                let last = text.count - 1
                while place < last {
                    if place + 8 <= last {
                        let next = bytes + place
                        let found =
                            first[Int(next[0])] & second[Int(next[1])] | first[Int(next[1])] & second[Int(next[2])]
                            | first[Int(next[2])] & second[Int(next[3])] | first[Int(next[3])] & second[Int(next[4])]
                            | first[Int(next[4])] & second[Int(next[5])] | first[Int(next[5])] & second[Int(next[6])]
                            | first[Int(next[6])] & second[Int(next[7])] | first[Int(next[7])] & second[Int(next[8])]
                        if found == 0 {
                            place += 8
                            continue
                        }
                    }
                    let end = min(place + 8, last)
                    for pair in place..<end {
                        var candidates = first[Int(bytes[pair])] & second[Int(bytes[pair + 1])]
                        while candidates != 0 {
                            let bit = candidates.trailingZeroBitCount
                            candidates &= candidates - 1
                            if let found = word(ofBit: bit, with: pair, in: text, notBefore: floor, except: known) {
                                return (found.place, pair, found.group)
                            }
                        }
                    }
                    place = end
                }
                return nil
            }
        }
    }

    /// Where the word with a bit begins that has its pair at a place.
    private func word(
        ofBit bit: Int, with pair: Int, in text: UnsafeBufferPointer<UInt8>, notBefore floor: Int, except known: UInt64
    ) -> (place: Int, group: Int)? {
        for number in bit * wordsOfBit..<min((bit + 1) * wordsOfBit, words.count) {
            let word = words[number]
            let begin = pair - word.pair
            guard known & 1 << UInt64(word.group) == 0, begin >= floor, begin + word.bytes.count <= text.count else {
                continue
            }
            var length = 0
            while length < word.bytes.count, folded(text[begin + length]) == bytes[word.bytes.lowerBound + length] {
                length += 1
            }
            if length == word.bytes.count { return (begin, word.group) }
        }
        return nil
    }

    private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? FaultWords.folded(byte) : byte }
}
