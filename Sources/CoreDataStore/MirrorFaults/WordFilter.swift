/// Tells which of some words are in a text, at the speed at which bytes can be looked at twice: most of a log has none
/// of them.
package struct WordFilter: Sendable {
    /// A word, and the two bytes in it that are rarest elsewhere.
    package struct Word: Sendable {
        let bytes: [UInt8]
        let pair: Int

        /// - Parameter pair: where the two bytes are.
        package init(_ text: String, pair: Int) {
            (bytes, self.pair) = (Array(text.utf8), pair)
        }

        /// - Parameter bytes: two or more. Which pair of them is rarest is told by the frequency of letters in English.
        init(_ bytes: [UInt8]) {
            func rank(_ byte: UInt8) -> Int { Self.common.firstIndex(of: byte) ?? 20 }
            let pair = (0..<bytes.count - 1).max {
                rank(bytes[$0]) + rank(bytes[$0 + 1]) < rank(bytes[$1]) + rank(bytes[$1 + 1])
            }
            (self.bytes, self.pair) = (bytes, pair ?? 0)
        }

        private static let common = Array(" etaoinsrhldcumfpgwybvkxjqz".utf8)
    }

    private let ignoresCase: Bool
    /// By the numbers of their bits.
    private let words: [[Word]]
    /// For each first byte of a pair, and for each second one, the bits of the words.
    private let firsts: [UInt64]
    private let seconds: [UInt64]

    /// - Parameters:
    ///   - groups: the first 64 of them have a bit of their own.
    ///   - ignoresCase: whether capital letters of ASCII are as good as the small ones of the words.
    package init(_ groups: [[Word]], ignoresCase: Bool = false) {
        var (firsts, seconds) = ([UInt64](repeating: 0, count: 256), [UInt64](repeating: 0, count: 256))
        var byBit = [[Word]](repeating: [], count: 64)
        for (number, words) in groups.enumerated() { byBit[number & 63] += words }
        for (number, word) in byBit.enumerated().flatMap({ number, words in words.map { (number, $0) } }) {
            let bit: UInt64 = 1 << UInt64(number)
            for byte in UInt8.min...UInt8.max {
                let folded = ignoresCase ? FaultWords.folded(byte) : byte
                if folded == word.bytes[word.pair] { firsts[Int(byte)] |= bit }
                if folded == word.bytes[word.pair + 1] { seconds[Int(byte)] |= bit }
            }
        }
        (self.firsts, self.seconds, self.words, self.ignoresCase) = (firsts, seconds, byBit, ignoresCase)
    }

    /// The bits of the groups of which a word is in the text.
    package func words(in text: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var (found, place): (UInt64, Int) = (0, 0)
        while let next = next(in: text, from: place, notBefore: 0, except: found) {
            found |= next.bit
            // Another one can be at the same place.
            place = next.pair
        }
        return found
    }

    /// Where a word is, from `start` on, whose pair comes first, and the bit of its group; nil if there is none.
    package func firstWord(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> (place: Int, bit: UInt64)? {
        next(in: text, from: start, notBefore: start, except: 0).map { ($0.place, $0.bit) }
    }

    /// - Parameters:
    ///   - start: where pairs are looked for.
    ///   - floor: where words may begin.
    ///   - known: the bits of groups that are not looked for.
    private func next(
        in text: UnsafeBufferPointer<UInt8>, from start: Int, notBefore floor: Int, except known: UInt64
    ) -> (place: Int, pair: Int, bit: UInt64)? {
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
                        let candidates = first[Int(bytes[pair])] & second[Int(bytes[pair + 1])] & ~known
                        if candidates != 0, let word = word(candidates, at: pair, in: text, notBefore: floor) {
                            return word
                        }
                    }
                    place = end
                }
                return nil
            }
        }
    }

    /// The word of a candidate's group whose pair is at a place.
    private func word(
        _ candidates: UInt64, at pair: Int, in text: UnsafeBufferPointer<UInt8>, notBefore floor: Int
    ) -> (place: Int, pair: Int, bit: UInt64)? {
        var rest = candidates
        while rest != 0 {
            let number = rest.trailingZeroBitCount
            rest &= rest - 1
            for index in words[number].indices {
                let begin = pair - words[number][index].pair
                if begin >= floor, isWord(words[number][index].bytes, in: text, at: begin) {
                    return (begin, pair, 1 << UInt64(number))
                }
            }
        }
        return nil
    }

    private func isWord(_ word: [UInt8], in text: UnsafeBufferPointer<UInt8>, at begin: Int) -> Bool {
        guard begin + word.count <= text.count else { return false }
        return word.withUnsafeBufferPointer { word in
            var length = 0
            while length < word.count, folded(text[begin + length]) == word[length] { length += 1 }
            return length == word.count
        }
    }

    private func folded(_ byte: UInt8) -> UInt8 { ignoresCase ? FaultWords.folded(byte) : byte }
}
