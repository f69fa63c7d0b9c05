/// Finds the lines of a log that can be about the mirror, at the speed at which bytes can be looked at twice: most of a
/// sysdiagnose is about something else.
struct LogFilter {
    /// Words of which a line about the mirror has one, and the two bytes in each that are rarest elsewhere.
    private static let words: [(text: StaticString, pair: Int)] = [
        ("CoreData", 3), ("CloudKit", 4), ("CLOUDKIT", 4), ("CKError", 1), ("NSCocoaErrorDomain", 6),
        ("coredata.cloudkit", 13),
        ("icloud-container", 5), ("required entitlement", 13), ("not entitled to access", 8),
    ]

    /// For each first byte of a pair, and for each second one, a bit for each word.
    private let firsts: [UInt16]
    private let seconds: [UInt16]

    init() {
        var (firsts, seconds) = ([UInt16](repeating: 0, count: 256), [UInt16](repeating: 0, count: 256))
        for (number, word) in Self.words.enumerated() {
            firsts[Int(word.text.utf8Start[word.pair])] |= 1 << UInt16(number)
            seconds[Int(word.text.utf8Start[word.pair + 1])] |= 1 << UInt16(number)
        }
        (self.firsts, self.seconds) = (firsts, seconds)
    }

    /// Where the first word from `start` on begins; nil if there is none.
    func firstWord(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
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
                    let candidates = first[Int(bytes[place])] & second[Int(bytes[place + 1])]
                    if candidates != 0, let word = Self.word(candidates, at: place, in: text, from: start) {
                        return word
                    }
                    place += 1
                }
                return nil
            }
        }
    }

    private static func word(
        _ candidates: UInt16, at place: Int, in text: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int? {
        for (number, word) in words.enumerated() where candidates & 1 << UInt16(number) != 0 {
            let begin = place - word.pair
            guard begin >= start, begin + word.text.utf8CodeUnitCount <= text.count else { continue }
            if (0..<word.text.utf8CodeUnitCount).allSatisfy({ text[begin + $0] == word.text.utf8Start[$0] }) {
                return begin
            }
        }
        return nil
    }
}
