package import MeterModel

/// What a device does with a record from CloudKit that it has changed itself and not uploaded yet. The app's
/// documentation names the first three in different places. A record without such a change always takes the server's
/// version, and a record that was deleted on the server is deleted, whatever the policy (inferred, not confirmed on a
/// device).
package enum MergePolicy: String, Sendable, CaseIterable {
    /// The server's version wins; the device's change is given up.
    case storeTrump = "store-trump"
    /// The device's version wins as a whole, and is uploaded over the server's.
    case objectTrump = "object-trump"
    /// The version with the later `updatedAt` wins as a whole; the server's if they are equal.
    case lastWriteWins = "last-write-wins"
    /// The device's fields that were changed and not uploaded yet stay; all others take the server's values.
    case fieldwise
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
