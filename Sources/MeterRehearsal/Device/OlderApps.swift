/// What an older version of the app does with what a newer one has uploaded.
package enum OlderApps: String, Sendable, CaseIterable {
    /// It has every record, but skips the fields that it does not have (documented by Apple as the way of models that only
    /// gain fields). An upload has the fields that were changed, so that CloudKit keeps the others (documented for the
    /// save policy; that the mirror's uploads are such, inferred). Once it is updated, it fetches everything again
    /// (described).
    case skipFields = "skip-fields"
    /// The same, but it uploads whole records, and so empties the fields that it does not have.
    case dropFields = "drop-fields"
    /// It stops fetching at the first record that has a value in such a field, and uploads what does not conflict.
    case stopAtRecord = "stop-at-record"
    /// A version number travels with the data. When it sees a higher one than its own, it fetches and uploads nothing
    /// until it is updated.
    case stopSync = "stop-sync"

    var skipsFields: Bool {
        switch self {
        case .skipFields, .dropFields: true
        case .stopAtRecord, .stopSync: false
        }
    }
}
