/// The answer of a command: one value, rendered as text or as JSON.
package struct Report: Sendable {
    package enum Outcome: String, Sendable {
        /// A dry run: the real run does exactly this.
        case planned
        case applied
        /// There was nothing to do.
        case unchanged
    }

    package var command: String
    /// The store's path as the user gave it.
    package var store: String
    /// Nil for commands that change nothing.
    package var outcome: Outcome?
    /// Whether the change is first aid: it may be made while devices are in use, and leaves the duplicates.
    package var inUse = false
    /// Whether the app shows what there is of every meter; asked after first aid only.
    package var isLevelled = true
    /// Of the app's model: 1, 2 or nil.
    package var schemaVersion: Int?
    package var alerts: [StoreAlert] = []
    /// Told by `verify` only.
    package var unknownParts = UnknownParts(attributes: [], entities: [])
    package var letterCase: LetterCase
    package var summary: Summary
    package var plan: Plan?
    /// `Z_UUID` of the store that it was planned for; nil where it is yet to be made.
    package var storeUUID: String?
    package var findings: Findings
    /// What records are called that the findings or the plan are about, by row: of as many as an answer shows.
    package var names: [Int64: String] = [:]
    /// What the user's devices are called that the store knows.
    package var devices: [String] = []
    /// What the device is called that the store is of; nil where no record says so.
    package var ownDevice: String?
    /// Whether the store was made by this command.
    package var createdStore = false
    /// What waits for CloudKit after the change, and what becomes of it, and how many objects waited before; nil for a
    /// store that is not mirrored, and where nothing is changed.
    package var forecast: (before: MirrorForecast, after: MirrorForecast)?
    /// Whether the store has a persistent history, which changes of records are written into.
    package var hasHistory = false
    /// What the user must know although the command succeeded.
    package var warnings: [String] = []
    /// If the schema changed: every table whose rows must be the same, by name.
    package var tables: [TableContents] = []
    /// What a change of records was proven to leave alone; nil where no record changes.
    package var untouched: Untouched?
    /// The app's own model, if the store was compared with one.
    package var comparedModel: ComparedModel?
    /// The app's preferences, if the store was compared with them.
    package var comparedPreferences: ComparedPreferences?
    /// The names of the store's files after a change: those that go back to the device together.
    package var filesToReturn: [String] = []
    /// The backup's folder, as a path the user can type.
    package var backup: String?
    /// The rebuild that was planned, so that another choice can be named as a command; nil for other changes.
    package var askedRebuild: AskedRebuild?

    package init(
        command: String, store: String, outcome: Outcome?, schemaVersion: Int?, letterCase: LetterCase,
        summary: Summary, plan: Plan?, findings: Findings, backup: String? = nil
    ) {
        self.command = command
        self.store = store
        self.outcome = outcome
        self.schemaVersion = schemaVersion
        self.letterCase = letterCase
        self.summary = summary
        self.plan = plan
        self.findings = findings
        self.backup = backup
    }

    /// The command that plans the rebuild anew with another value kept; nil where nothing was planned, and for a value
    /// that no option names.
    package func keeping(_ value: FieldValue, as field: RecordLayout.Field, of address: MACAddress) -> StoreCommand? {
        guard outcome == .planned else { return nil }
        return askedRebuild?.keeping(value, as: field, of: address, in: letterCase, store)
    }

    /// Whether a rebuild leaves something that a person must look at: an error, or, as first aid, a meter of which the app
    /// does not show what there is. (That the duplicates stay is what first aid is for.)
    package var leavesRepairs: Bool { inUse ? !isLevelled : findings.worst == .error }
}

/// What a change of records leaves alone. SQLite told of every row that was written, and none of these was among them.
package struct Untouched: Sendable {
    /// Meters of which no record is written.
    package let meters: Int
    /// Records without a usable address that are not written.
    package let withoutAddress: Int
    /// The rows of the app's other entities, by name.
    package let others: [(name: String, rows: Int)]

    package init(meters: Int, withoutAddress: Int, others: [(name: String, rows: Int)]) {
        self.meters = meters
        self.withoutAddress = withoutAddress
        self.others = others
    }
}

/// The app's model that a store was compared with.
package struct ComparedModel: Hashable, Sendable {
    /// As the user gave it.
    package let path: String
    /// The name of the model's version; nil if the file does not say.
    package let version: String?
    /// Whether Core Data opens the store with it as it is.
    package let matches: Bool

    package init(path: String, version: String?, matches: Bool) {
        self.path = path
        self.version = version
        self.matches = matches
    }
}

/// The app's own rebuild marker, in its preferences, beside the store's.
package struct ComparedPreferences: Hashable, Sendable {
    /// As the user gave it.
    package let path: String
    /// The latest rebuild that the app says it has done; nil if it says none.
    package let marker: Int64?
    /// The same of the store's metadata.
    package let storeMarker: Int64?
    /// Whether each of the two says that the canonical rebuild was done.
    package let isDone: Bool
    package let isDoneInStore: Bool
    /// Meters of the store with several records.
    package let groups: Int

    package init(
        path: String, marker: Int64?, storeMarker: Int64?, isDone: Bool, isDoneInStore: Bool, groups: Int
    ) {
        self.path = path
        self.marker = marker
        self.storeMarker = storeMarker
        self.isDone = isDone
        self.isDoneInStore = isDoneInStore
        self.groups = groups
    }

    package var agrees: Bool { isDone == isDoneInStore }
}

/// The proof that a table's rows are the same before and after a change.
package struct TableContents: Hashable, Sendable {
    package let name: String
    package let rows: Int
    /// SHA-256 over the values of all rows, 32 bytes.
    package let before: [UInt8]
    package let after: [UInt8]

    package init(name: String, rows: Int, before: [UInt8], after: [UInt8]) {
        self.name = name
        self.rows = rows
        self.before = before
        self.after = after
    }
}
