/// What an answer says of a store, whether it was looked at or changed.
package struct StoreSummary: Sendable {
    /// The store's path as the user gave it.
    package var store: String
    /// Of the app's model: 1, 2 or nil.
    package let schemaVersion: Int?
    package let letterCase: LetterCase
    /// What `verify` finds, after a change.
    package var findings: [Finding]
    package var alerts: [StoreAlert] = []
    /// Whether CloudKit's mirror has its tables in it: else no other device learns of a change.
    package var isMirrored = true
    /// What the mirror is going to do first; nil where nothing says so.
    package var ahead: MirrorWork?
    /// What records are called that the answer is about, by row.
    package var names: [Int64: String] = [:]
    /// What the user's devices are called that the store knows.
    package var devices: [String] = []

    /// Work of the mirror that decides in which order the devices may be used.
    package enum MirrorWork: Hashable, Sendable {
        /// To upload what meterfix has written.
        case upload(of: WritingCommand.Condition)
        /// To upload every record, as each other device does with its own.
        case uploadOfEverything
    }

    package init(store: String, schemaVersion: Int?, letterCase: LetterCase, findings: [Finding]) {
        self.store = store
        self.schemaVersion = schemaVersion
        self.letterCase = letterCase
        self.findings = findings
    }
}
