package import MeterModel

/// A record that a change deleted because another one of its meter was kept, as a backup still has it.
package struct MergedRecord: Sendable {
    /// The backup's entry.
    package let entry: String
    /// When the change was made.
    package let madeAt: Timestamp
    /// The record's row number then; no other record ever gets it.
    package let row: Int64
    /// The record that was kept.
    package let mergedInto: Int64
    /// Whether the store has a record of this row number: the change was taken back.
    package let isInStore: Bool
    /// As it was stored, every attribute of that store.
    package let record: DeviceSettings
}
