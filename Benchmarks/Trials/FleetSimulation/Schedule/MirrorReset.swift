/// Why the mirror of a device starts over, and what becomes of the device's records. Described in re-implementations of
/// Apple's code (OpenCloudData, about iOS 18), not confirmed on a device.
package enum MirrorReset: Sendable, CaseIterable {
    /// The user signs in to another iCloud account and back to this one (Cocoa error 134405): every record on the device
    /// is deleted, and fetched from the account.
    case accountChange
    /// The history up to the mirror's token is gone (Cocoa error 134301): the records that the mirror knows are deleted
    /// on the device, and fetched again. New ones stay and are uploaded.
    case historyLost
    /// CloudKit no longer takes the device's change token (CloudKit error 21): the device keeps its records, fetches
    /// everything, and uploads those again as if they were new that CloudKit turns out not to have.
    case tokenExpired
}

/// What happens to the zone itself, and so to all devices: each of them learns of it at its next request. Described in
/// re-implementations of Apple's code, not confirmed on a device.
package enum ZoneReset: Sendable, CaseIterable {
    /// The user deletes the app's data in the iCloud settings (CloudKit error 28): every device deletes its records of
    /// the zone when it learns of it. New ones, which were never in the zone, stay and are uploaded (inferred).
    case deletedByUser
    /// The zone or its encryption key is gone (CloudKit errors 26 and 112): every device keeps its records and uploads
    /// them again, under the same names (inferred). What another device has uploaded first stands.
    case lost
}
