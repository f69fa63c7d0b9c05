internal import GRDB

/// A Core Data store of any app as it is at one moment, read without Core Data.
///
/// Opening and reading it leaves no trace: no `-shm`, no lock, no checkpoint, also in a read-only folder. If a part of
/// the store is in a `-wal`, a private copy is read, which is removed with this object; the copy of a process that was
/// killed is removed by the next one. Otherwise the file itself is read, and if another process writes to it meanwhile,
/// what is asked of the snapshot throws `StoreError.Kind.inUse`: open another one.
///
/// Not for a process that has the same store open with Core Data or SQLite: when any descriptor of a file is closed, the
/// whole process loses its locks on it (https://www.sqlite.org/howtocorrupt.html).
public final class StoreSnapshot: @unchecked Sendable {
    // The connection reads one thing after another, whatever thread asks, and nothing here changes.
    private let connection: StoreConnection
    let description: StoreDescription
    /// Nil for a store whose model is not known.
    let columns: ColumnNames?

    /// Opens the store at `path` for reading.
    /// - Parameters:
    ///   - path: the main file, the one without the suffix `-wal`. A missing file is an error and is never created.
    ///   - model: the model that says what the columns mean, from `ModelFile.read`; nil for the one that the store carries.
    /// - Throws: `StoreError`: `notFound`; `damaged` for what is no database; `unsuitable` for a database that is not a
    ///   Core Data store; `inUse` if the store does not stop changing; `permissionDenied`, `inputOutput`.
    public init(of path: String, model: ManagedObjectModel? = nil) throws(StoreError) {
        connection = try StoreConnection.untouched(path)
        do throws(StoreError) {
            let description = try connection.read { try StoreDescription($0, givenModel: model) }
            guard description.isCoreData else { throw StoreError.notCoreData(path, hint: nil) }
            self.description = description
            columns = description.model.map { ModelLayout($0).columns }
            try confirm()
        } catch {
            try? connection.close()
            throw error
        }
    }

    deinit { try? connection.close() }

    var path: String { connection.path }
    var files: StoreFiles { connection.files }

    /// Reads something that is consistent with everything else that is read from here.
    func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        let value = try connection.read(body)
        try confirm()
        return value
    }

    private func confirm() throws(StoreError) {
        if !connection.isOnCopy { try connection.confirmUnchanged() }
    }
}

/// What the store says about itself.
extension StoreSnapshot {
    /// `Z_UUID`, the store's identity; nil for a store that lost its metadata.
    public var uuid: String? { description.metadata.uuid }

    /// The names of the app's own entities, in the order of their numbers in this store.
    public var entityNames: [String] { description.keys.appEntries.map(\.name) }

    /// The model that was given or, without one, the model that the store carries in `Z_MODELCACHE`; nil for a very old
    /// store.
    public var model: ManagedObjectModel? { description.model }

    /// The version hashes that Core Data compares when it opens the store (`NSStoreModelVersionHashes`): 32 bytes for
    /// each entity, by name.
    public var versionHashes: [String: [UInt8]] { description.metadata.versionHashes ?? [:] }

    /// Whether Core Data would open the store with `model`: where nothing is `differing` or `unknown`, it does.
    public func fit(of model: ManagedObjectModel) -> HashComparison { HashComparison(of: model, with: versionHashes) }
}
