internal import CoreDataStore
internal import GRDB
internal import MeterModel
internal import MeterStore

extension InspectedStore {
    /// Which tables are missing that the store's own list names; nil where all are there.
    var missingTables: String? {
        // `no-device-settings` says what is missing of the meters, `history-broken` where half of the history is.
        let halves = Check.historyTables(of: self).there.isEmpty ? [] : ["CHANGE", "TRANSACTION"]
        let said = halves + [SettingsTable.entityName]
        let missing = description.entitiesWithoutTable.filter { !said.contains($0.name) }
        guard !missing.isEmpty else {
            if let zones = description.mirror?.missingZones {
                return "no table \(zones), to which the mirror's record metadata refers"
            }
            if lacksMirror, CloudKitMirror.hasParts(in: description.schema) {
                return "no table of record metadata, although there are others of CloudKit's mirror"
            }
            return lacksMirror ? "no table of CloudKit's mirror, although the history has what the mirror saved" : nil
        }
        let names = missing.prefix(3).map(\.name) + (missing.count > 3 ? ["\(missing.count - 3) more"] : [])
        return "no table for \(Phrase.list(names)), which Z_PRIMARYKEY lists"
    }
}

extension Check {
    static let primaryKeyBehind = store(
        "primary-key-behind", .error, "Z_MAX is smaller than the largest row number",
        """
        The app's next new record gets a row number that is already in use. For each entity, Z_PRIMARYKEY has the last \
        row number in use, and Core Data gives a new object the next number. Here some rows have larger numbers: the \
        next save fails, or the app crashes when a meter is added; in a table of CloudKit's mirror, the sync stops.

        This comes from rows that a SQLite editor or a script inserted without telling Core Data.

        `meterfix fix primary-key-behind` sets that number to the largest row number. No row is touched.
        """
    ) { check, session in
        try (session.description.entityTables + session.description.mirrorTables).compactMap { entity in
            let largest = try entity.largestRow(session.database)
            guard largest > entity.root.lastRow else { return nil }
            return check.finding(
                "Z_MAX of \(entity.root.name) is \(entity.root.lastRow), the largest row number is \(largest)",
                entity: entity.root.name, rows: [largest],
                cure: session.store.repair("fix primary-key-behind", changingRecords: false))
        }
    }

    static let rowNumberInvalid = store(
        "row-number-invalid", .error, "a row whose number is below 1",
        """
        Core Data's row numbers begin at 1, so a script or a SQLite editor wrote this row. Whether the app sees it is not \
        known. No command changes such a record, nor merges its meter.

        Use an earlier copy.
        """
    ) { check, session in
        try (session.description.entityTables + session.description.mirrorTables).compactMap { entity in
            let rows = try entity.rowsBelowOne(session.database)
            guard let first = rows.first else { return nil }
            return check.finding(
                "\(Phrase.count(rows.count, "row")) of \(entity.root.name) with a number below 1, such as \(first)",
                entity: entity.root.name, rows: rows,
                cure: "use a copy from before another tool wrote this: no command changes it")
        }
    }

    package static let tableMissing = store(
        "table-missing", .error, "a table is missing that the store had",
        """
        What was in the table is lost, and the app may not open the store, save in it, or sync it. Z_PRIMARYKEY lists \
        the entities of the app, of the history and of CloudKit's mirror, and every store that was seen has a table for \
        each. Where the list lacks the mirror's entities too, the history may have what the mirror saved.

        Without its tables the mirror starts over, and uploads every record again: the user's other devices may show \
        each meter twice. Without a table of the history, what is changed outside the app reaches no other device. \
        (Both are inferred.)

        Somebody dropped the table, or exported the store and made it again without: a SQLite editor, or a script.

        Use an earlier copy, or show the store to the app's developers.
        """
    ) { check, session in
        guard let message = session.store.missingTables else { return [] }
        return [
            check.finding(
                "\(message)", cure: "use an earlier copy, or show the store to the app's developers")
        ]
    }

    static let entityNumberMismatch = store(
        "entity-number-mismatch", .error, "rows whose entity number is not their table's",
        """
        The app may not see these rows, or crash when it fetches them. Z_ENT says which entity a row belongs to; a \
        table holds one entity and those derived from it. If a table holds several entities, a fetch skips a row with \
        another number (inferred). If it holds only one, Core Data does not read the number.

        This comes from rows copied from another store: entity numbers follow the order of the entities' names and \
        differ from one version of the model to the next.

        `meterfix fix entity-number-mismatch` gives the rows the number of their table's entity. If entities share a \
        table, nothing says to which of them a row belongs: show such a store to the developers.
        """
    ) { check, session in
        try session.description.entityTables.compactMap { entity in
            let strangers = try entity.strangers(session.database)
            guard !strangers.isEmpty else { return nil }
            let numbers = Set(strangers.compactMap(\.number)).sorted().map { "\($0)" }
            let cure: Cure =
                switch try Bookkeeping.number(
                    of: strangers, in: entity, of: session.description,
                    without: session.description.foreignTriggers, session.database)
                {
                case .known: session.store.repair("fix entity-number-mismatch", changingRecords: false)
                case .unknown(let reason): "\(reason): show the store to the developers"
                }
            let nulls = strangers.contains { $0.number == nil } ? ["NULL"] : []
            return check.finding(
                "\(Phrase.count(strangers.count, "row")) of \(entity.table.name) with the entity number "
                    + "\(Phrase.start(of: numbers + nulls)) instead of "
                    + entity.numbers.map { "\($0)" }.joined(separator: " or "),
                entity: entity.root.name, rows: strangers.map(\.row),
                cure: cure)
        }
    }

    static let entityNameDuplicate = store(
        "entity-name-duplicate", .error, "an entity has two numbers in Z_PRIMARYKEY",
        """
        In this store it is unpredictable which record belongs to which CloudKit record, and which rows the app sees. \
        Z_PRIMARYKEY gives each entity one number, which every row, the history and the mirror's record metadata \
        carry. Here one name has several numbers: rows under one and record metadata under the other belong to the \
        same object but do not show it, and which number Core Data uses is unpredictable.

        This comes from a manual migration, or from one that was interrupted.

        Use an earlier copy, or show the store to the app's developers: which number is right depends on the rows that \
        carry it.
        """
    ) { check, session in
        Dictionary(grouping: session.description.keys.entries, by: \.name).filter { $0.value.count > 1 }
            .sorted { $0.value[0].number < $1.value[0].number }
            .map { name, entries in
                check.finding(
                    "\(name) has the numbers \(Phrase.list(entries.map { "\($0.number)" })) in Z_PRIMARYKEY",
                    entity: name, cure: "use an earlier copy, or show the store to the app's developers")
            }
    }
}
