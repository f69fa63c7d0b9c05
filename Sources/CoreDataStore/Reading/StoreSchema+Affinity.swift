extension StoreSchema.Table.Column {
    /// How a column converts the values that are stored in it.
    package enum Affinity: Sendable {
        /// Numbers become text.
        case text
        /// Text that reads as a number becomes one.
        case numeric
        /// Every value stays as it is.
        case none
    }

    /// By the declared type: https://www.sqlite.org/datatype3.html#determination_of_column_affinity
    package var affinity: Affinity {
        if declaredType.contains("INT") { return .numeric }
        if ["CHAR", "CLOB", "TEXT"].contains(where: declaredType.contains) { return .text }
        return declaredType.isEmpty || declaredType.contains("BLOB") ? .none : .numeric
    }
}

extension StoreSchema.Table {
    /// Whether numbers stored in these columns stay numbers.
    package func keepsNumbers(in names: [SQLName]) -> Bool {
        !columns.contains { names.contains($0.name) && $0.affinity == .text }
    }
}
