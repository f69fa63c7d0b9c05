/// How a store differs from what it was when a plan was made for it.
package struct Drift: Error, Hashable, Sendable {
    /// A table whose rows are others.
    package struct Table: Hashable, Sendable {
        package let name: String
        /// How many rows it had; nil where it was not there.
        package let then: Int?
        /// How many rows it has; nil where it is not there.
        package let now: Int?

        package init(name: String, then: Int?, now: Int?) {
            self.name = name
            self.then = then
            self.now = now
        }
    }

    /// A record that the plan is about.
    package struct Row: Hashable, Sendable {
        package enum Change: Hashable, Sendable {
            case gone
            /// There is a record where the plan puts a new one.
            case new
            case field(RecordLayout.Field, then: FieldValue, now: FieldValue)
        }

        package let row: Int64
        package let change: Change

        package init(_ row: Int64, _ change: Change) {
            self.row = row
            self.change = change
        }
    }

    /// The identities of the two, where it is another store.
    package struct Identity: Hashable, Sendable {
        package let then: String?
        package let now: String?

        package init(then: String?, now: String?) {
            self.then = then
            self.now = now
        }
    }

    package var identity: Identity?
    /// By name.
    package var tables: [Table] = []
    /// Statements of the schema that are not there any more, and ones that were not there.
    package var statementsGone: [String] = []
    package var statementsNew: [String] = []
    /// By row number, a field at a time.
    package var rows: [Row] = []
    /// Whether all that the plan does is done.
    package var isApplied = false

    package init() {}

    package var isEmpty: Bool {
        identity == nil && tables.isEmpty && statementsGone.isEmpty && statementsNew.isEmpty && rows.isEmpty
    }
}
