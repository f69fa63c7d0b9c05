extension StoreSchema {
    /// The first table or view that a trigger or a view needs and this schema lacks.
    package func missingTable(for attachment: Attachment) -> SQLName? {
        NamedTables(in: attachment.sql ?? "").names.first { !has($0) }
    }

    private func has(_ name: SQLName) -> Bool {
        tables[name] != nil || Self.isMadeBySQLite(name) || (virtualTables + views).contains { $0.name == name }
    }

    /// Tables that are there in every database, and not in its schema.
    static func isMadeBySQLite(_ name: SQLName) -> Bool {
        name.hasPrefix("sqlite_") || name.hasPrefix("pragma_") || name == "dbstat"
    }
}
