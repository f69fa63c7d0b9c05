/// Tells which of some words are in a text, and where, at the speed at which bytes can be looked at twice: most of a log
/// has none of them.
package struct WordFilter: Sendable {
    private let ignoresCase: Bool
    /// By the numbers of their groups: their bytes, and where in them the two are that are rarest elsewhere.
    private let words: [[(bytes: [UInt8], pair: Int)]]
    /// For each first byte of a pair, and for each second one, the bits of the groups.
    private var firsts = [UInt64](repeating: 0, count: 256)
    private var seconds = [UInt64](repeating: 0, count: 256)

    /// - Parameters:
    ///   - groups: at most 64, of words with two bytes or more; `^` stands before the rarest two of them, where that is
    ///     not told by the frequency of letters in English.
    ///   - ignoresCase: whether the text's capital letters of ASCII are as good as the small ones of the words.
    package init(_ groups: [[String]], ignoresCase: Bool = false) {
        precondition(groups.count <= 64)
        words = groups.map { words in
            words.map { word in
                let bytes = word.utf8.filter { $0 != UInt8(ascii: "^") }
                return (bytes, Array(word.utf8).firstIndex(of: UInt8(ascii: "^")) ?? Self.rarestPair(in: bytes))
            }
        }
        self.ignoresCase = ignoresCase
        for (number, word) in words.enumerated().flatMap({ number, words in words.map { (number, $0) } }) {
            for byte in UInt8.min...UInt8.max {
                if folded(byte) == word.bytes[word.pair] { firsts[Int(byte)] |= 1 << UInt64(number) }
                if folded(byte) == word.bytes[word.pair + 1] { seconds[Int(byte)] |= 1 << UInt64(number) }
            }
        }
    }

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
        var (places, found, start): ([Int?], UInt64, Int) = ([], 0, 0)
        while let next = next(in: text, from: start, notBefore: 0, except: found) {
            if places.isEmpty { places = Array(repeating: nil, count: words.count) }
            places[next.group] = next.place
            found |= 1 << UInt64(next.group)
            // Another one can be at the same place.
            start = next.pair
        }
        return places
    }

    /// Where a word is, from `start` on, whose pair comes first, and the number of its group; nil if there is none.
    package func firstWord(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> (place: Int, group: Int)? {
        next(in: text, from: start, notBefore: start, except: 0).map { ($0.place, $0.group) }
    }

    /// - Parameters:
    ///   - start: where pairs are looked for.
    ///   - floor: where words may begin.
    ///   - known: the bits of groups that are not looked for.
    private func next(
        in text: UnsafeBufferPointer<UInt8>, from start: Int, notBefore floor: Int, except known: UInt64
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
                        if found & ~known == 0 {
                            place += 8
                            continue
                        }
                    }
                    let end = min(place + 8, last)
                    for pair in place..<end {
                        var candidates = first[Int(bytes[pair])] & second[Int(bytes[pair + 1])] & ~known
                        while candidates != 0 {
                            let group = candidates.trailingZeroBitCount
                            candidates &= candidates - 1
                            if let place = self.place(ofGroup: group, with: pair, in: text, notBefore: floor) {
                                return (place, pair, group)
                            }
                        }
                    }
                    place = end
                }
                return nil
            }
        }
    }

    /// Where the word of a group begins that has its pair at a place.
    private func place(
        ofGroup group: Int, with pair: Int, in text: UnsafeBufferPointer<UInt8>, notBefore floor: Int
    ) -> Int? {
        for index in words[group].indices {
            let begin = pair - words[group][index].pair
            guard begin >= floor, begin + words[group][index].bytes.count <= text.count else { continue }
            let isThere = words[group][index].bytes.withUnsafeBufferPointer { word in
                var length = 0
                while length < word.count, folded(text[begin + length]) == word[length] { length += 1 }
                return length == word.count
            }
            if isThere { return begin }
        }
        return nil
    }

    private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? FaultWords.folded(byte) : byte }
}
