extension RandomAccessCollection {
    /// The index of the first element that is of the second part, where all those of the first part come before it; the
    /// end if there is none. O(log n).
    @inlinable package func partitioningIndex(where isSecond: (Element) -> Bool) -> Index {
        var (low, count) = (startIndex, self.count)
        while count > 0 {
            let middle = index(low, offsetBy: count / 2)
            if isSecond(self[middle]) {
                count /= 2
            } else {
                low = index(after: middle)
                count -= count / 2 + 1
            }
        }
        return low
    }
}
