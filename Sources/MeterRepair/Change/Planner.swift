internal import GRDB
internal import MeterModel

/// What tells one command that writes from another: how it plans.
protocol Planner {
    /// The command's name, as in the report and in the backup's folder.
    var command: String { get }

    /// Whether its plans change records: then the store's history and inheritance matter.
    var changesRecords: Bool { get }

    /// Decides everything; changes nothing. Called inside the transaction that carries the plan out, and once more
    /// after it, when it must have nothing left to do.
    /// - Throws: `StoreError` where this store cannot be worked on.
    func plan(for store: InspectedStore, _ database: Database) throws -> Plan
}

extension Planner {
    var changesRecords: Bool { true }
}
