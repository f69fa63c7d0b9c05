internal import MeterModel

/// What a device still has to upload of one record. Together these are what the persistent history has after the last
/// token: they are in the store and survive a crash.
struct PendingChange {
    /// Changed, and not in an upload.
    var fields: FieldSet = []
    /// In an upload that has not been answered.
    var sent: FieldSet = []
    var isDeletion = false
    /// Whether the deletion is in an upload that has not been answered.
    var isDeletionSent = false
    /// Whether it was in an upload whose answer may have been lost: CloudKit may have the record.
    var wasSent = false
    /// The first transaction of the history that changed the record.
    let transaction: Int
    /// Whether a repair made it.
    var isRepair: Bool
    /// The record as CloudKit had it when it was changed; nil if that is not known.
    var base: CommonVersion?

    /// All fields that differ from what CloudKit is known to have.
    var unconfirmed: FieldSet { fields.union(sent) }
}
