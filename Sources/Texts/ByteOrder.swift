extension String {
    /// Whether its UTF-8 bytes come before those of `other`: the order in which Core Data sorts names, the same on every
    /// system. For Swift's `<` two ways to write an accent are one text, and which comes first is left open.
    @inlinable
    package func isBefore(bytesOf other: String) -> Bool {
        // Compared where they lie: sorted names of attributes are asked for all the time.
        var (left, right) = (self, other)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return left[index] < right[index]
                }
                return left.count < right.count
            }
        }
    }
}

extension Sequence {
    /// Sorted by the bytes of a text of each element. Inlinable, so that it is compiled for each kind of element.
    @inlinable
    package func sorted(byBytesOf text: (Element) -> String) -> [Element] {
        sorted { text($0).isBefore(bytesOf: text($1)) }
    }
}
