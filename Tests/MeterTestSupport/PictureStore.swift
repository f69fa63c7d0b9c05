/// The store in the pictures of the documentation: small enough for a dry run to fit into one.
package enum PictureStore {
    /// One meter twice, under two names and in two spellings, and two meters with nothing wrong: of `duplicates`, which has
    /// damage of every kind.
    package static let fixture = SampleDuplicates.fixture.with {
        $0.records.removeAll { ![4, 5, 10, 20].contains($0.row) }
    }
}
