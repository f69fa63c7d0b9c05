package import CoreDataStore
package import GRDB
package import MeterModel
package import MeterStore

/// A store as the checks and the planners see it: what it says about itself, and its records' addresses.
package struct InspectedStore: Sendable {
    /// As the user gave it.
    package let path: String
    package let files: StoreFiles
    package let description: StoreDescription
    /// Nil if the store has no `DeviceSettings`.
    package let settings: SettingsTable?
    /// Sorted.
    package private(set) var addresses = AddressIndex()
    /// The letter case of canonical addresses: the requested one, or the store's own.
    package private(set) var letterCase: LetterCase
    package private(set) var now: Timestamp
    /// The versions of the app's model that are known.
    package let migrations: [Migration]
    /// The requested letter case; nil if it is read from the data.
    let requestedCase: LetterCase?
    /// The letter case where none is requested and the store's addresses tell none; nil for upper case.
    private let fallbackCase: LetterCase?
    private(set) var refusals = Refusals.none
    /// Why a part of the store is missing, or probably is; nil where nothing says so.
    package let missingLog: MissingWAL?

    /// Reads the addresses of the records, and nothing else of them.
    /// - Parameters:
    ///   - letterCase: of addresses; nil to read it from the data.
    ///   - fallbackCase: the letter case where the data tells none; nil for upper case.
    ///   - model: to go by instead of the one the store carries.
    /// - Throws: SQLite's errors.
    package init(
        path: String, files: StoreFiles, letterCase: LetterCase?, fallbackCase: LetterCase? = nil,
        model: ModelFile? = nil, now: Timestamp, _ database: Database
    ) throws {
        try self.init(
            describing: path, files: files, letterCase: letterCase, fallbackCase: fallbackCase, model: model, now: now,
            database)
        WorkProgress.begin(.reading, of: try settings?.likelyCount(database))
        take(try settings?.addressIndex(database) ?? AddressIndex())
    }

    /// Reads a store at `path` that nothing is to change, its addresses included, and leaves no trace.
    /// - Parameter name: what the store is called in what is said of it; nil for its path.
    /// - Throws: `StoreError` if it cannot be read, or if the user asked to stop.
    package static func look<Result>(
        at path: String, named name: String? = nil, now: Timestamp,
        _ body: (InspectedStore, Database) throws -> Result
    ) throws(StoreError) -> Result {
        try StoreConnection.look(at: path) { connection, database in
            let store = try InspectedStore(
                path: name ?? path, files: connection.files, letterCase: nil, now: now,
                database)
            let result = try body(store, database)
            try Interruption.check(path)
            return result
        }
    }

    /// Reads what the store says about itself, and no record. The parameters are those of the other initializer.
    /// - Throws: SQLite's errors.
    package init(
        describing path: String, files: StoreFiles, letterCase: LetterCase?, fallbackCase: LetterCase? = nil,
        model: ModelFile? = nil, now: Timestamp, _ database: Database
    ) throws {
        self.path = path
        migrations = Migration.all
        self.files = files
        self.now = now
        var description = try StoreDescription(database)
        description.givenModel = model?.model
        self.description = description
        settings = SettingsTable(description)
        let trace = files.traceOfMissingLog()
        missingLog = try trace?.log == .alone && OwnWork.isLeft(in: files, database) ? nil : trace
        requestedCase = letterCase
        self.fallbackCase = fallbackCase
        self.letterCase = letterCase ?? fallbackCase ?? .upper
        refusals = findRefusals()
    }

    /// Assumes this letter case until all addresses are known, unless another one was requested.
    mutating func assume(_ letterCase: LetterCase) { self.letterCase = requestedCase ?? letterCase }

    mutating func take(_ addresses: consuming AddressIndex) {
        letterCase = letterCase(by: addresses)
        addresses.sort()
        self.addresses = addresses
    }

    /// Forgets which record has which address: in a large store that is much memory, and after the plan nobody asks.
    package mutating func forgetRowsOfAddresses() { addresses.forgetRows() }

    /// The letter case, by all addresses.
    func letterCase(by addresses: AddressIndex) -> LetterCase {
        requestedCase ?? addresses.ownLetterCase ?? fallbackCase ?? .upper
    }

    /// The store as a command sees it that is run at this moment.
    package func at(_ moment: Timestamp) -> InspectedStore {
        var store = self
        store.now = moment
        return store
    }

    /// Meters with several records, or with one whose address is not canonical. Computed at each call.
    package func metersNeedingRebuild() -> [AddressIndex.Meter] { addresses.metersNeedingRebuild(of: letterCase) }

    /// `cloudStoreRebuildVersion` in the store's metadata dictionary.
    package var rebuildMarker: Int64? { RebuildMarker.version(in: description.metadata) }

    /// The name of the entity with this number, or what to call it.
    package func entityName(_ number: Int64) -> String {
        description.keys[number: number]?.name ?? "entity \(number)"
    }

    /// A command line that works on this store, to be shown as a cure.
    package func command(_ words: String) -> StoreCommand {
        var words = words
        // Without this option the cure would find nothing to do.
        if let requestedCase, ["rebuild", "rebuild --in-use", "verify"].contains(words) {
            words += " --mac-case \(requestedCase.rawValue)"
        }
        return StoreCommand(words, stores: [path])
    }
}
