internal import CoreDataStore
internal import MeterStore

/// What the files of a store say of its past: read when it is first asked for, and once, since several answers of a
/// report need it.
struct PastCache {
    private var pages: StorePages??
    private var steps: StorePast?
    private var residue: DeletedRowScan?
    private var contradiction: String??

    fileprivate mutating func steps(in session: Session) throws -> StorePast? {
        guard let pages = try pages(of: session.store) else { return nil }
        let contradiction = try contradiction(in: session)
        return try steps.once {
            try StorePast(of: session.description, in: pages, contradiction: contradiction, session.database)
        }
    }

    fileprivate mutating func contradiction(in session: Session) throws -> String? {
        guard let pages = try pages(of: session.store) else { return nil }
        return try contradiction.once {
            try session.description.contradiction(in: session.store.files, pages, session.database)
        }
    }

    fileprivate mutating func residue(of settings: SettingsTable, in store: InspectedStore) throws -> DeletedRowScan {
        guard let pages = try pages(of: store) else { return .none }
        return try residue.once {
            do throws(StoreError) {
                return try settings.residue(of: store.description.schema, in: pages)
            } catch  where error.kind == .damaged {
                // The files end too early: that is found by others, and is no reason to say nothing at all.
                return .none
            }
        }
    }

    private mutating func pages(of store: InspectedStore) throws -> StorePages? {
        try pages.once { try StorePages(of: store.files) }
    }
}

extension Optional {
    /// What it has, or else what `find` finds, which it has from then on.
    mutating func once(_ find: () throws -> Wrapped) rethrows -> Wrapped {
        if let self { return self }
        let found = try find()
        self = found
        return found
    }
}

extension Session {
    /// What became of the store with each commit in its log; nil where the files may change meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    func pastSteps() throws -> StorePast? { try store.pastInFiles.withLock { try $0.steps(in: self) } }

    /// Why the main file and its log are of different moments; nil where nothing says so, and where they may change
    /// meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    package func contradictionOfFiles() throws -> String? {
        try store.pastInFiles.withLock { try $0.contradiction(in: self) }
    }
}

extension InspectedStore {
    /// Records that the files still have besides those that are there; none where the files may change meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    func residue(of settings: SettingsTable) throws -> DeletedRowScan {
        try pastInFiles.withLock { try $0.residue(of: settings, in: self) }
    }
}
