/// Which backups are a store's own.
struct StoreIdentity: Hashable, Sendable {
    /// `Z_UUID`; nil for a store without one.
    let uuid: String?
    /// Whether the folder is this store's alone.
    private let isAlone: Bool

    /// - Parameter isAlone: whether the folder with the backups is this store's alone.
    init(_ uuid: String?, isAlone: Bool) {
        self.uuid = Self.identity(uuid)
        self.isAlone = isAlone
    }

    /// A text without a character identifies nothing.
    private static func identity(_ uuid: String?) -> String? { uuid.flatMap { $0.isEmpty ? nil : $0 } }

    enum Owner {
        case this
        case other
        /// Neither the backup nor the store has an identity, and others may have put their backups here too.
        case unknown
    }

    /// Whose backup it is. To have no identity is not to have the same one: then only the place tells.
    func owner(of journal: BackupManifest) -> Owner {
        let saved = Self.identity(journal.storeUUID)
        if uuid == nil && saved == nil { return isAlone ? .this : .unknown }
        return uuid == saved ? .this : .other
    }
}
