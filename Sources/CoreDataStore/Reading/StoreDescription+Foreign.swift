/// What another tool added to the schema.
extension StoreDescription {
    /// The tables in which Core Data and its mirror write.
    package var tablesOfCoreData: Set<SQLName> {
        let fixed: Set<SQLName> = [
            "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
        ]
        let ofMirror = schema.tables.keys.filter { $0.hasPrefix("ANSCK") || $0.hasPrefix("ZNSCK") }
        return fixed.union(entityTables.map(\.table.name)).union(ofMirror)
    }

    /// Triggers that may go: those on these tables that Core Data did not make, and all that need a missing table. While
    /// one of the latter is there, nothing can be written to its table.
    package var foreignTriggers: [StoreSchema.Attachment] {
        let triggers = schema.triggers.filter { !$0.isTriggerOfCoreData || schema.missingTable(for: $0) != nil }
        guard !triggers.isEmpty else { return [] }
        let tables = tablesOfCoreData
        return triggers.filter { tables.contains($0.table) || schema.missingTable(for: $0) != nil }
    }
}

extension StoreSchema.Attachment {
    /// Whether a trigger is one of Core Data's, for a derived attribute: it has such a name, or calls one of the functions
    /// that only Core Data has.
    package var isTriggerOfCoreData: Bool {
        name.hasPrefix("Z_") || sql.map { SQLName($0).contains("NSCoreData") } ?? true
    }
}
