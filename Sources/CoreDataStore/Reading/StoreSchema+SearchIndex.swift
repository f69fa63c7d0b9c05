extension StoreSchema {
    /// A search index over the rows of a table (FTS4 or FTS5 "external content"). It keeps no copy of the rows, and
    /// whoever changes them has to update it. https://www.sqlite.org/fts5.html#external_content_tables
    package func searchIndex(over table: SQLName) -> SQLName? {
        virtualTables.first { $0.sql.map(Self.contentTables)?.contains(table) ?? false }?.name
    }

    /// The names after `content=` in the statement of a virtual table.
    private static func contentTables(in sql: String) -> [SQLName] {
        let words = words(of: sql)
        return words.indices.dropLast(2).compactMap { index in
            SQLName(words[index]) == "content" && words[index + 1] == "=" ? SQLName(words[index + 2]) : nil
        }
    }

    /// The words of a statement, without their quotation marks, and all other characters except white space.
    private static func words(of sql: String) -> [String] {
        let closing: [Character: Character] = ["'": "'", "\"": "\"", "`": "`", "[": "]"]
        var words: [String] = []
        var rest = Substring(sql)
        while let first = rest.first {
            if let end = closing[first] {
                let word = rest.dropFirst().prefix { $0 != end }
                words.append(String(word))
                rest = rest.dropFirst(word.count + 2)
            } else if first.isLetter || first.isNumber || first == "_" {
                let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                words.append(String(word))
                rest = rest.dropFirst(word.count)
            } else {
                if !first.isWhitespace { words.append(String(first)) }
                rest = rest.dropFirst()
            }
        }
        return words
    }
}
