import MeterModel

/// The table of `MIGRATIONS.md` that says what becomes of each field in a merge.
enum SurvivorshipTable {
    static var text: String {
        let rows = Survivorship.allCases.map { survivorship in
            let fields = SettingsField.allCases.filter { $0.survivorship == survivorship }.map { "`\($0.rawValue)`" }
            let subject = fields.isEmpty ? others(survivorship) : fields.joined(separator: ", ")
            let rule = survivorship.rule.map { "`\($0.rawValue)`: " } ?? ""
            return "| \(subject) | \(rule)\(sentence(survivorship)) |\n"
        }
        return "| fields | rule |\n|---|---|\n" + rows.joined()
    }

    private static func others(_ survivorship: Survivorship) -> String {
        survivorship == .mark
            ? "marks by which the app regards a record as gone, such as `isHidden` or `deletedAt`"
            : "attributes meterfix does not know"
    }

    private static func sentence(_ survivorship: Survivorship) -> String {
        switch survivorship {
        case .kept: "never change: they identify the record"
        case .canonicalText: "six pairs with colons, in the case that most addresses use, or `--mac-case`"
        case .userData:
            "the latest `updatedAt` among the records that have a value that can be used; a value that does not read the "
                + "same is a conflict"
        case .lock: "all fields from the record with the latest `connectedAt`"
        case .discovery: "all fields from the record with the latest `lastSeenAt`"
        case .earliest: "the earliest date"
        case .stamped: "the moment of the rebuild, only if another field changed"
        case .mark: "the winner keeps its own; one of another record is never copied, and is no conflict"
        case .unknown:
            "the winner's value is kept; only NULL is filled, from the latest `updatedAt`; a different value is a conflict"
        }
    }
}
