/// The tables and views that the statement of a trigger or a view names. SQLite asks for them when the statement runs,
/// and not when it is made: without one of them nothing can be written to the table of the trigger.
/// https://www.sqlite.org/lang_createtrigger.html
struct NamedTables {
    /// Each once, in the order in which they are named.
    private(set) var names: [SQLName] = []
    /// What the statement itself calls so (`WITH`).
    private var own: Set<SQLName> = []
    private let words: [SQLWord]

    /// What the words at one depth of parentheses are about.
    private struct Clause {
        /// Whether a comma is followed by another table.
        var isListOfTables = false
        /// Whether a comma is followed by another name for a query.
        var isListOfQueries = false
    }

    init(in sql: String) {
        words = SQLWord.all(in: sql)
        var clauses = [Clause()]
        var position = 0
        while position < words.count {
            let word = words[position]
            position += 1
            if word.isMark("(") {
                clauses.append(Clause())
            } else if word.isMark(")") {
                if clauses.count > 1 { clauses.removeLast() }
            } else if word.isMark(",") {
                if clauses[clauses.count - 1].isListOfTables {
                    takeTables(at: &position, into: &clauses)
                } else if clauses[clauses.count - 1].isListOfQueries {
                    takeQuery(at: &position)
                }
            } else if word.isKeyword("WITH") {
                clauses[clauses.count - 1].isListOfQueries = true
                if position < words.count, words[position].isKeyword("RECURSIVE") { position += 1 }
                takeQuery(at: &position)
            } else if word.isKeyword("FROM") {
                // IS DISTINCT FROM compares.
                guard position < 2 || !words[position - 2].isKeyword("DISTINCT") else { continue }
                clauses[clauses.count - 1] = Clause(isListOfTables: true)
                takeTables(at: &position, into: &clauses)
            } else if word.isKeyword("JOIN") {
                takeTables(at: &position, into: &clauses)
            } else if word.isKeyword("INTO") || word.isKeyword("IN") {
                takeName(at: &position, isFunctionAllowed: word.isKeyword("IN"))
            } else if word.isKeyword("UPDATE") {
                takeUpdated(at: &position)
                clauses[clauses.count - 1] = Clause()
            } else if Self.endings.contains(where: word.isKeyword) || word.isMark(";") {
                clauses[clauses.count - 1] = Clause()
            }
        }
        names.removeAll(where: own.contains)
    }

    /// What comes after the tables of a query, or after its names for others.
    private static let endings: [SQLName] = [
        "SELECT", "INSERT", "REPLACE", "DELETE", "VALUES", "SET", "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER",
        "LIMIT",
        "UNION", "INTERSECT", "EXCEPT", "RETURNING",
    ]

    /// A table, or tables in parentheses.
    private mutating func takeTables(at position: inout Int, into clauses: inout [Clause]) {
        while position < words.count, words[position].isMark("(") {
            clauses.append(Clause(isListOfTables: true))
            position += 1
        }
        guard position < words.count, !Self.beginnings.contains(where: words[position].isKeyword) else { return }
        takeName(at: &position, isFunctionAllowed: true)
    }

    /// Of a query in the place of a table.
    private static let beginnings: [SQLName] = ["SELECT", "VALUES", "WITH"]

    /// The table of an `UPDATE`, which is also a word of the event of a trigger, and of what `ON CONFLICT` does.
    private mutating func takeUpdated(at position: inout Int) {
        guard position < words.count else { return }
        if ["OF", "ON", "SET"].contains(where: words[position].isKeyword) { return }
        if words[position].isKeyword("OR") { position += 2 }
        takeName(at: &position, isFunctionAllowed: false)
    }

    private mutating func takeQuery(at position: inout Int) {
        guard position < words.count, words[position].isName else { return }
        own.insert(SQLName(words[position].text))
        position += 1
    }

    /// - Parameter isFunctionAllowed: whether a name before a parenthesis is that of a function.
    private mutating func takeName(at position: inout Int, isFunctionAllowed: Bool) {
        guard position < words.count, words[position].isName else { return }
        var name = words[position].text
        position += 1
        if position + 1 < words.count, words[position].isMark("."), words[position + 1].isName {
            name = words[position + 1].text
            position += 2
        }
        if isFunctionAllowed, position < words.count, words[position].isMark("(") { return }
        if !names.contains(SQLName(name)) { names.append(SQLName(name)) }
    }
}
