package import MeterModel

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

/// What happened in one event of a simulation, for those who watch it.
struct Journal {
    /// Meters of which a record changed somewhere.
    var touched: [Int] = []
    /// What happened to them, in words; kept only if somebody reads it.
    var happenings: [(meter: Int, text: String)] = []
    /// Whether a mirror that started over has deleted or replaced records on a device.
    var isMirrorReset = false
    var isNarrated: Bool
    /// Where two versions of a record differed in what a user types or chooses.
    var userConflicts: [SyncConflict] = []

    init(isNarrated: Bool) { self.isNarrated = isNarrated }

    mutating func note(_ meter: Int?, _ text: @autoclosure () -> String) {
        guard let meter else { return }
        touched.append(meter)
        if isNarrated { happenings.append((meter, text())) }
    }

    mutating func beginEvent() {
        touched.removeAll(keepingCapacity: true)
        happenings.removeAll(keepingCapacity: true)
        isMirrorReset = false
    }
}

/// Two conflicting versions of a record: a device had changed it, and the server had another version. Logged if they
/// differ in what a user types or chooses; the others are only counted.
package struct SyncConflict: Sendable {
    /// Seconds since the beginning.
    package let time: Double
    package let device: Int
    package let meter: Int
    package let field: SettingsField
    package let kept: FieldValue
    package let givenUp: FieldValue
}

/// What an older version of the app does with what a newer one has uploaded.
package enum OlderApps: Sendable, CaseIterable {
    /// It has every record, but skips the fields that it does not have (documented by Apple as the way of models that only
    /// gain fields). An upload has the fields that were changed, so that CloudKit keeps the others (documented for the
    /// save policy; that the mirror's uploads are such, inferred). Once it is updated, it fetches everything again
    /// (described).
    case skipFields
    /// The same, but it uploads whole records, and so empties the fields that it does not have.
    case dropFields
    /// It stops fetching at the first record that has a value in such a field, and uploads what does not conflict.
    case stopAtRecord
    /// A version number travels with the data. When it sees a higher one than its own, it fetches and uploads nothing
    /// until it is updated.
    case stopSync

    var skipsFields: Bool {
        switch self {
        case .skipFields, .dropFields: true
        case .stopAtRecord, .stopSync: false
        }
    }
}

extension CommonVersion {
    /// Of a record that this device has created: all of its fields are a change.
    static func nothing(_ count: Int) -> CommonVersion {
        CommonVersion(values: Array(repeating: .null, count: count))
    }
}
