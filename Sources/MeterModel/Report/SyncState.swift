/// What CloudKit does not have of a mirrored store.
package struct SyncState: Hashable, Sendable {
    /// Records to be saved, and to be deleted, each once.
    package let uploads: Int
    package let deletes: Int
    /// Whether the mirror deletes the mirrored records from the device before it gets to them.
    package let isTokenLost: Bool

    package init(uploads: Int, deletes: Int, isTokenLost: Bool) {
        self.uploads = uploads
        self.deletes = deletes
        self.isTokenLost = isTokenLost
    }
}
