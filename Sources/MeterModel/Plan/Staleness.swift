/// How a stale store differs from what it was when a plan was made for it.
package struct Staleness: Error, Hashable, Sendable {
    /// A table whose rows are different.
    package struct Table: Hashable, Sendable {
        package let name: String
        /// How many rows it had; nil if it did not exist.
        package let then: Int?
        /// How many rows it has; nil if it is gone.
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
            /// There is a record in the row where the plan inserts one.
            case new
            /// Before and after: when the plan was made, and now.
            case field(FieldDelta)
        }

        package let row: Int64
        package let change: Change

        package init(_ row: Int64, _ change: Change) {
            self.row = row
            self.change = change
        }
    }

    /// The identities of both, if it is another store.
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
    /// Statements of the schema that are gone, and new ones.
    package var statementsGone: [String] = []
    package var statementsNew: [String] = []
    /// By row number, one field each.
    package var rows: [Row] = []
    /// Whether everything the plan does is already done.
    package var isApplied = false

    package init() {}

    package var isEmpty: Bool {
        identity == nil && tables.isEmpty && statementsGone.isEmpty && statementsNew.isEmpty && rows.isEmpty
    }
}
