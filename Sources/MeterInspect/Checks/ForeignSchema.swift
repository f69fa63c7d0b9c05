package import CoreDataStore
internal import MeterModel
internal import MeterStore

/// What another tool changed in a store's schema.
extension Check {
    package static let foreignIndex = store(
        "foreign-index", .error, "a unique index that Core Data did not make",
        """
        Neither the app nor CloudKit can save what it forbids, such as a second record of a meter. Such records are \
        normal in a synced store. The mirror looks at the model and not at indexes, so the store still syncs.

        Another tool made the index, often against duplicates, or recreated the table with UNIQUE.

        `meterfix fix foreign-index` drops it, unless it is part of the table's statement.
        """
    ) { check, session in
        session.foreignIndexes.map { index in
            let table = session.description.schema.tables[index.table]
            let isHarmless = table?.rowNumberColumn.map(index.columns.contains) ?? false
            let effect =
                isHarmless
                ? "it forbids nothing, because each row has another number"
                : index.isAboutAddress
                    ? "a second record of a meter cannot be saved, be it from the app or from CloudKit"
                    : "what the app or CloudKit saves may be refused"
            return check.finding(
                "\(index.table) has the unique index \(index.name) \(index.shownColumns): \(effect)",
                severity: isHarmless ? .warning : nil, entity: session.description.entity(of: index.table),
                cure: index.sql == nil
                    ? earlierCopy : session.store.repair("fix foreign-index", changingRecords: false))
        }
    }

    package static let foreignTrigger = store(
        "foreign-trigger", .warning, "a trigger that Core Data did not make, or that needs a missing table",
        """
        It runs with what the app saves, and may alter, refuse or swallow it. If it needs a table that is not there, \
        nothing can be saved in its own table: SQLite refuses it. A view that needs a missing table stops only a \
        migration that renames a table.

        Core Data makes triggers for derived attributes and for its search indexes. Another tool made any other one, to \
        log or to copy changes, or removed the table that a trigger or view needs.

        `meterfix fix foreign-trigger` drops the trigger. Until then, no other command changes its table.
        """
    ) { check, session in
        let description = session.description
        let written = WriteObstacle.writtenTables(of: session.settings)
        let triggers = description.foreignTriggers.map { trigger in
            let missing = description.schema.missingTable(for: trigger)
            let stops =
                missing == nil ? written.contains(trigger.table) : description.tablesOfCoreData.contains(trigger.table)
            return check.finding(
                "\(trigger.table) has the trigger \(trigger.name): "
                    + (missing.map { "it needs the table \($0), which is missing, so nothing can be saved" }
                        ?? "it runs with what the app saves"),
                severity: stops ? .error : nil, entity: description.entity(of: trigger.table),
                cure: session.store.repair("fix foreign-trigger", changingRecords: false))
        }
        let views = description.schema.views.compactMap { view in
            description.schema.missingTable(for: view).map { missing in
                check.finding(
                    "the view \(view.name) needs the table \(missing), which is missing: a migration that renames a "
                        + "table fails",
                    cure: "no command drops a view: whoever made it can, with `DROP VIEW \(view.name.quotedIdentifier)`"
                )
            }
        }
        return triggers + views
    }

    package static let foreignColumn = store(
        "foreign-column", .error, "columns declared in a way that Core Data does not use",
        """
        A new row may be refused, or get a value that nobody wrote. Core Data declares no column NOT NULL, with a \
        DEFAULT, with a CHECK or as computed, and no table AUTOINCREMENT. With the last two the app works (inferred), \
        but no command adds a row to a table with AUTOINCREMENT.

        Another tool recreated the table, or added a column.

        Use a copy from before.
        """
    ) { check, session in
        let description = session.description
        let strange = description.schema.tables.values.filter(\.isRemade)
        guard !strange.isEmpty else { return [] }
        let tables = description.tablesOfCoreData
        return strange.filter { tables.contains($0.name) }.sorted { $0.name < $1.name }.flatMap { table in
            let entity = description.entity(of: table.name)
            func finding(_ message: Sentence, _ severity: Severity) -> Finding {
                check.finding(message, severity: severity, entity: entity, cure: earlierCopy)
            }
            var findings: [Finding] = []
            let filled = table.filledColumns
            if !filled.isEmpty {
                findings.append(
                    finding(
                        "\(Phrase.list(filled)) of \(table.name) \(filled.count == 1 ? "is" : "are") declared NOT NULL or "
                            + "with a DEFAULT: a new row is refused, or gets a value that nobody wrote", .error))
            }
            if table.has("Z_PK"), table.rowNumberColumn != "Z_PK" {
                findings.append(
                    finding(
                        "Z_PK of \(table.name) is no INTEGER PRIMARY KEY: the app may give a row number twice, and no "
                            + "command changes this store", .error))
            }
            if table.hasCheck {
                findings.append(
                    finding("\(table.name) is declared with a CHECK: what the app saves may be refused", .error))
            }
            if table.isAutoincrement {
                findings.append(
                    finding(
                        "\(table.name) is declared AUTOINCREMENT: no command adds a row to it",
                        entity == nil ? .error : .warning))
            }
            if !table.computedColumns.isEmpty {
                findings.append(
                    finding(
                        "\(Phrase.list(table.computedColumns.map(\.text))) of \(table.name) is computed: the app cannot "
                            + "write to it", .warning))
            }
            return findings
        }
    }

    private static let earlierCopy: Cure =
        "use a copy from before another tool recreated the table: no command changes its statement"
}

extension StoreSchema.Table {
    /// Those that must not be empty in a new row, or get a default there.
    fileprivate var filledColumns: [String] {
        columns.filter { $0.fillsNewRows && $0.name != rowNumberColumn }.map(\.name.text)
    }

    /// Whether its columns are not declared as Core Data declares them.
    fileprivate var isRemade: Bool {
        has("Z_PK") && rowNumberColumn != "Z_PK" || hasCheck || isAutoincrement || !computedColumns.isEmpty
            || columns.contains(where: \.fillsNewRows)
    }
}

extension StoreSchema.Attachment {
    fileprivate var isAboutAddress: Bool { uses(SettingsTable.column(SettingsField.macAddress.rawValue)) }

    /// In parentheses, as its statement has them.
    fileprivate var shownColumns: String {
        if let sql, let start = sql.firstIndex(of: "(") { return String(sql[start...]) }
        return "(\(columns.compactMap { $0?.text }.joined(separator: ", ")))"
    }
}

extension StoreDescription {
    /// The app's entity whose table it is; nil for a table of Core Data's own.
    fileprivate func entity(of table: SQLName) -> String? { entityTables.first { $0.table.name == table }?.root.name }
}

extension Session {
    /// Unique indexes that no constraint of the model made, on tables in which Core Data writes.
    package var foreignIndexes: [StoreSchema.Attachment] {
        let found = description.schema.indexes.filter { index in
            guard index.isUnique else { return false }
            // Left of schema v1, where the model has no constraint any more.
            if settings?.constraintIndexes.contains(index) == true { return settings?.isAddressUnique == false }
            return !index.isNamedForConstraint && !index.isOfPrimaryKey
        }
        guard !found.isEmpty else { return [] }
        let tables = description.tablesOfCoreData
        return found.filter { tables.contains($0.table) }
    }
}
