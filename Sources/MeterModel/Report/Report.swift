/// The answer of a command: one value, rendered as text or as JSON.
package struct Report: Sendable {
    package enum Outcome: String, Sendable {
        /// A dry run: the real run does exactly this.
        case planned
        case applied
        /// There was nothing to do.
        case unchanged
        /// The store has changed since the plan was made, or is another one; nothing was done.
        case stale
    }

    package var command: String
    /// The store's path as the user gave it.
    package var store: String
    /// Nil for commands that change nothing.
    package var outcome: Outcome?
    /// Of the app's model: 1, 2 or nil.
    package var schemaVersion: Int?
    package var letterCase: LetterCase
    package var summary: Summary
    package var plan: Plan?
    package var findings: [Finding]
    /// Whether the store was made by this command.
    package var createdStore = false
    /// What the user must know although the command succeeded.
    package var warnings: [String] = []
    /// If the schema changed: every table whose rows must be the same, by name.
    package var tables: [TableContents] = []
    /// The app's own model, if the store was compared with one.
    package var comparedModel: ComparedModel?
    /// What has changed, if the outcome is `stale`.
    package var drift: Drift?
    /// The backup's folder, as a path the user can type.
    package var backup: String?

    package init(
        command: String, store: String, outcome: Outcome?, schemaVersion: Int?, letterCase: LetterCase,
        summary: Summary, plan: Plan?, findings: [Finding], backup: String? = nil
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

    /// The worst severity among the findings; nil where there are none.
    package var worst: Severity? { findings.map(\.severity).max() }
}
