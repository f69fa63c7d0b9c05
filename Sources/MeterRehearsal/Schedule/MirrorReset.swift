/// Why the mirror of a device starts over, and what becomes of the device's records. Described in re-implementations of
/// Apple's code (OpenCloudData, about iOS 18), not confirmed on a device.
package enum MirrorReset: String, Sendable, CaseIterable {
    /// The user signs out of iCloud and in again (Cocoa error 134405): every record on the device is deleted, and
    /// fetched from the account.
    case accountChange = "account-change"
    /// The history up to the mirror's token is gone (Cocoa error 134301): the records that the mirror knows are deleted
    /// on the device, and fetched again. New ones stay and are uploaded.
    case historyLost = "history-lost"
    /// CloudKit no longer takes the device's change token (CloudKit error 21): the device keeps its records, fetches
    /// everything, and uploads those again as if they were new that CloudKit turns out not to have.
    case tokenExpired = "token-expired"
}
