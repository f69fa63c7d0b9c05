/// A line of `sqlite_master` with a statement.
struct SchemaStatement {
    /// `table`, `index`, `trigger` or `view`.
    let kind: String
    let name: SQLName
    let table: SQLName
    let sql: String

    init(kind: String, name: SQLName, table: SQLName, sql: String) {
        self.kind = kind
        self.name = name
        self.table = table
        self.sql = sql
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

    /// What follows a name, which may be quoted.
    private static func afterName(_ text: Substring.UTF8View) -> Substring.UTF8View {
        let text = text.drop { $0 <= 0x20 }
        let closing: [UInt8: UInt8] = [0x22: 0x22, 0x27: 0x27, 0x60: 0x60, 0x5B: 0x5D]
        guard let first = text.first, let end = closing[first] else {
            return text.drop { $0 > 0x20 && $0 != UInt8(ascii: "(") }
        }
        return text.dropFirst().drop { $0 != end }.dropFirst()
    }
}
