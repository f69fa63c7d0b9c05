internal import GRDB

/// A line of `sqlite_master` with a statement.
struct SchemaStatement {
    /// `table`, `index`, `trigger` or `view`.
    let kind: String
    let name: SQLName
    let table: SQLName
    let sql: String
    /// Where the table begins; nil where nobody knows, as of one that is made from the model.
    var root: UInt32?

    /// Whether it is a table that SQLite keeps as an index: Core Data makes none, a virtual table may.
    var isWithoutRowNumbers: Bool {
        guard kind == "table", let end = sql.lastIndex(of: ")") else { return false }
        let words = sql[end...].uppercased().split { !$0.isLetter }
        return words.contains("WITHOUT") && words.contains("ROWID")
    }

    /// Whether it does no more than make a table, or whatever it is said to make. A damaged file may say anything;
    /// SQLite itself writes the first words, and a list of columns after the name of every table.
    var isHarmless: Bool {
        let beginnings: [SQLName]
        switch kind {
        case "table": beginnings = ["CREATE TABLE "]
        case "index": beginnings = ["CREATE INDEX ", "CREATE UNIQUE INDEX "]
        case "trigger": beginnings = ["CREATE TRIGGER "]
        case "view": beginnings = ["CREATE VIEW "]
        default: return false
        }
        guard let beginning = beginnings.first(where: { SQLName(sql).hasPrefix($0) }) else { return false }
        guard kind == "table" else { return true }
        let rest = Self.afterName(sql.utf8.dropFirst(beginning.text.utf8.count))
        return rest.first { $0 > 0x20 } == UInt8(ascii: "(")
    }

    /// The name that a harmless statement gives a table, where nothing is around it.
    var nameInStatement: SQLName? {
        let words = sql.split(maxSplits: 3, whereSeparator: { " (".contains($0) })
        return words.count > 2 ? SQLName(String(words[2])) : nil
    }

    /// What follows a name, which may be quoted.
    private static func afterName(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let text = text.drop { $0 <= 0x20 }
        let closing: [UInt8: UInt8] = [0x22: 0x22, 0x27: 0x27, 0x60: 0x60, 0x5B: 0x5D]
        guard let first = text.first, let end = closing[first] else {
            return text.drop { $0 > 0x20 && $0 != UInt8(ascii: "(") }
        }
        return text.dropFirst().drop { $0 != end }.dropFirst()
    }

    /// Makes an index, a trigger or a view, when all rows are there.
    /// - Returns: what the file lacks if it cannot be made, as a fragment for a person.
    func make(as sql: String, in target: Database) throws -> String? {
        do {
            // One statement: a damaged or hostile schema may have more in a line, which SQLite itself does not run.
            try target.makeStatement(sql: sql).execute()
            return nil
        } catch let error as DatabaseError where error.resultCode == .SQLITE_MISUSE {
            return "the \(kind) \(name), whose statement cannot be read"
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            let reason = error.message ?? ""
            return reason.hasPrefix("no such function")
                ? "the \(kind) \(name), which needs functions that only the app has"
                : "the \(kind) \(name), which this SQLite cannot read (\(reason))"
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            return "the index \(name), because the rows of \(table) break it"
        }
    }
}

/// Indexes, triggers and views of a store, for a new file that may lack some of its tables. What names one of those is
/// left out too: SQLite would make most of it, and then refuse every change of the trigger's table.
struct SchemaAttachments {
    /// In their order.
    private(set) var makeable: [SchemaStatement]
    /// Fragments for a person.
    private(set) var leftOut: [String] = []
    private(set) var namesLeftOut: Set<SQLName> = []

    /// - Parameter tables: the new file's.
    init(of statements: [SchemaStatement], beside tables: Set<SQLName>) {
        makeable = statements.filter { $0.kind != "table" }
        let needs = Dictionary(makeable.map { ($0.name, $0.neededTables) }, uniquingKeysWith: { first, _ in first })
        while true {
            let known = tables.union(makeable.lazy.filter { $0.kind == "view" }.map(\.name))
            func missing(for statement: SchemaStatement) -> SQLName? {
                needs[statement.name]?.first { !known.contains($0) && !StoreSchema.isMadeBySQLite($0) }
            }
            let count = makeable.count
            makeable.removeAll { statement in
                guard let table = missing(for: statement) else { return false }
                leftOut.append(
                    "the \(statement.kind) \(statement.name), which needs \(table): that is not in the new store")
                namesLeftOut.insert(statement.name)
                return true
            }
            if makeable.count == count { return }
        }
    }
}

extension SchemaStatement {
    /// The tables and views without which it can be neither made nor run.
    fileprivate var neededTables: [SQLName] {
        switch kind {
        case "view": NamedTables(in: sql).names
        case "trigger": [table] + NamedTables(in: sql).names
        default: [table]
        }
    }
}
