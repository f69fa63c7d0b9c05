/// The answer of a command that changes a store: one value, rendered as text or as JSON.
@dynamicMemberLookup
package struct ChangeReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A dry run: the real run does exactly this.
        case planned
        case applied
        /// There was nothing to do.
        case unchanged
    }

    package let command: String
    package var storeSummary: StoreSummary
    package var outcome: Outcome
    package let plan: Plan
    /// `Z_UUID` of the store that it was planned for; nil where it is yet to be made.
    package var storeUUID: String?
    /// Whether the change is first aid: it may be made while devices are in use, and leaves the duplicates.
    package var inUse = false
    /// Whether the app shows what there is of every meter; asked after first aid only.
    package var showsEverything = true
    /// What the device is called that the store is of; nil where no record says so.
    package var ownDevice: String?
    /// Whether the store was made by this command.
    package var createdStore = false
    /// What waits for CloudKit after the change, and what becomes of it, and how many objects waited before; nil for a
    /// store that is not mirrored, and where nothing is changed.
    package var forecast: (before: MirrorForecast, after: MirrorForecast)?
    /// What was said of the store before anything else, before the change.
    package var alertsBefore: [StoreAlert] = []
    /// Whether the store has a persistent history, which changes of records are written into.
    package var hasHistory = false
    /// What the user must know although the command succeeded.
    package var warnings: [String] = []
    /// If the schema changed: every table whose rows must be the same, by name.
    package var tables: [TableContents] = []
    /// What a change of records was proven to leave alone; nil where no record changes.
    package var untouched: Untouched?
    /// The names of the store's files after a change: those that go back to the device together.
    package var filesToReturn: [String] = []
    /// The backup's folder, as a path the user can type.
    package var backup: String?
    /// The command that does what the dry run said; nil where nothing was planned, and where it would be refused.
    package var realRun: StoreCommand?
    /// The rebuild that was planned, so that another choice can be named as a command; nil for other changes.
    package var rebuildRequest: RebuildRequest?

    package init(
        command: String, _ storeSummary: StoreSummary, outcome: Outcome, plan: Plan, backup: String? = nil
    ) {
        self.command = command
        self.storeSummary = storeSummary
        self.outcome = outcome
        self.plan = plan
        self.backup = backup
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<StoreSummary, Value>) -> Value {
        get { storeSummary[keyPath: path] }
        set { storeSummary[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: KeyPath<StoreSummary, Value>) -> Value { storeSummary[keyPath: path] }

    package var summary: Summary { plan.summary }

    /// The command that plans the rebuild anew with another value kept; nil where nothing was planned, and for a value
    /// that no option names.
    package func keeping(_ value: FieldValue, as field: RecordLayout.Field, of address: MACAddress) -> StoreCommand? {
        guard outcome == .planned else { return nil }
        return rebuildRequest?.keeping(value, as: field, of: address, in: self.letterCase, self.store)
    }

    /// Whether a rebuild leaves something that a person must look at: an error, or, as first aid, a meter of which the app
    /// does not show what there is. (That the duplicates stay is what first aid is for.)
    package var leavesRepairs: Bool { inUse ? !showsEverything : self.findings.worst == .error }
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
