extension Array {
    /// The longest runs of elements of which each belongs with the one before it, in their order.
    @inlinable package func runs(while belongs: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var (runs, start) = ([ArraySlice<Element>](), startIndex)
        for end in indices.dropFirst() where !belongs(self[end - 1], self[end]) {
            runs.append(self[start..<end])
            start = end
        }
        return isEmpty ? [] : runs + [self[start...]]
    }
}
