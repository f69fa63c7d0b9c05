package import MeterModel

/// What a device does with a record from CloudKit that it has changed itself and not uploaded yet. The first four are
/// Apple's, as the documentation of `NSMergePolicyType` describes them with the server's version as the store's and the
/// device's as the one in memory. (Apple's fifth, `NSErrorMergePolicy`, resolves nothing: the save fails.) A record
/// without such a change always takes the server's version, and a record that was deleted on the server is deleted,
/// whatever the policy (inferred, not confirmed on a device).
package enum MergePolicy: String, Sendable, CaseIterable {
    /// `NSMergeByPropertyStoreTrumpMergePolicy`, the app's own. Property by property: what only one side changed stays;
    /// of what both changed, the server's value.
    case storeTrump = "store-trump"
    /// `NSMergeByPropertyObjectTrumpMergePolicy`. Property by property: what only one side changed stays; of what both
    /// changed, the device's value.
    case objectTrump = "object-trump"
    /// `NSOverwriteMergePolicy`: the device's version as a whole, which is uploaded over the server's.
    case overwrite
    /// `NSRollbackMergePolicy`: the server's version as a whole; the device's change is given up.
    case rollback
    /// Not Apple's: the version with the later `updatedAt` as a whole; the server's if they are equal.
    case lastWriteWins = "last-write-wins"

    /// The app's own.
    package static let ofTheApp = MergePolicy.storeTrump
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
