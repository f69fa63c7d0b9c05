internal import GRDB
internal import MeterInspect
internal import MeterModel

/// What tells one command that writes from another: how it plans.
protocol Planner {
    /// The command, as in the report and in the backup's folder.
    var command: WritingCommand { get }

    /// Whether its plans change records: then the store's history and inheritance matter.
    var changesRecords: Bool { get }

    /// Decides everything; changes nothing. Called inside the transaction that carries the plan out.
    /// - Throws: `StoreError` where this store cannot be worked on; `Drift` where it is not what it was to be.
    func plan(for store: InspectedStore, _ database: Database) throws -> Plan

    /// What it still finds to do in the store as `plan` left it.
    func remaining(of plan: Plan, in store: InspectedStore, _ database: Database) throws -> Plan

    /// The options that decided the plan, for the file of a plan.
    var options: [PlanOption] { get }
}

extension Planner {
    func remaining(of plan: Plan, in store: InspectedStore, _ database: Database) throws -> Plan {
        try self.plan(for: store, database)
    }

    var options: [PlanOption] { [] }

    var changesRecords: Bool { true }
}
