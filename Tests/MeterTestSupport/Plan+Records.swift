package import MeterModel

extension Plan {
    package var recordChanges: [RecordChange] { meters.flatMap(\.records) }

    /// What it discards.
    package var discarded: [DiscardedValue] {
        var values: [DiscardedValue] = []
        forEachDiscarded { values.append($0) }
        return values
    }
}
