extension String {
    /// Negative where its UTF-8 bytes come before those of `other`, positive where they come after them, 0 where they are
    /// the same. They are compared where they lie: names are looked up some ten thousand times a command.
    /// - Parameter folded: what counts of a byte.
    @inlinable
    package func order(byBytesOf other: String, _ folded: (UInt8) -> UInt8 = { $0 }) -> Int {
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    let difference = Int(folded(left[index])) - Int(folded(right[index]))
                    if difference != 0 { return difference }
                }
                return left.count - right.count
            }
        }
    }

    /// Whether its UTF-8 bytes come before those of `other`: the order in which Core Data sorts names, the same on every
    /// system. For Swift's `<` two ways to write an accent are one text, and which comes first is left open.
    @inlinable
    package func isBefore(bytesOf other: String) -> Bool { order(byBytesOf: other) < 0 }
}

extension Sequence {
    /// Sorted by the bytes of a text of each element. Inlinable, so that it is compiled for each kind of element.
    @inlinable
    package func sorted(byBytesOf text: (Element) -> String) -> [Element] {
        sorted { text($0).isBefore(bytesOf: text($1)) }
    }
}
