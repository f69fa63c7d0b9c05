/// The records of a meter on one side of a comparison.
package struct ComparedRecord: Hashable, Sendable {
    /// The record a rebuild would keep, as it is.
    package let record: DeviceSettings
    /// All its records of the meter: row numbers, or positions in an export.
    package let rows: [Int64]

    /// - Parameter records: the side's records of the meter; nil if there are none.
    package init?(of records: [DeviceSettings]) {
        let keys = records.map { WinnerKey($0, policy: .mostComplete) }
        guard let first = records.indices.min(by: { keys[$0] < keys[$1] }) else { return nil }
        record = records[first]
        rows = records.map(\.row).sorted()
    }
}
