import MeterModel

/// The table of `MIGRATIONS.md` that says what becomes of each field in a merge.
enum SurvivorshipTable {
    static var text: String {
        let rows = Survivorship.allCases.map { survivorship in
            let fields = SettingsField.allCases.filter { $0.survivorship == survivorship }.map { "`\($0.rawValue)`" }
            let subject = fields.isEmpty ? "attributes meterfix does not know" : fields.joined(separator: ", ")
            let rule = survivorship.rule.map { "`\($0.rawValue)`: " } ?? ""
            return "| \(subject) | \(rule)\(sentence(survivorship)) |\n"
        }
        return "| fields | rule |\n|---|---|\n" + rows.joined()
    }

    private static func sentence(_ survivorship: Survivorship) -> String {
        switch survivorship {
        case .kept: "never change: they say which record it is"
        case .canonicalText:
            "six pairs with colons, in the case the store's own addresses mostly have, or that of `--mac-case`"
        case .userData:
            "the value of the record with the latest `updatedAt` among those that have one; each different value is a "
                + "conflict, reported with both"
        case .lock: "the connection lock is a unit: all its fields from the record with the latest `connectedAt`"
        case .discovery: "the last discovery is a unit: all its fields from the record with the latest `lastSeenAt`"
        case .earliest: "the earliest date"
        case .stamped: "the moment of the rebuild, and only if another field changed"
        case .unknown:
            "the winner's own value stays; only a NULL is filled, by the record with the latest `updatedAt` among those "
                + "that have a value; each different value is a conflict, reported with both"
        }
    }
}
