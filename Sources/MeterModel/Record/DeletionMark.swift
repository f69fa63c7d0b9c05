/// Attributes by which an app marks a record as gone without deleting it: hidden, or a duplicate that it removes later.
package enum DeletionMark {
    /// In lower case. A closed list: whoever takes another attribute for a mark hides a meter.
    private static let names: Set<String> = [
        "deletedat", "deleteddate", "datedeleted", "isdeleted", "deleted", "softdeleted", "deduplicateddate",
        "deduplicatedat", "isduplicate", "ishidden", "hidden", "hiddenat", "isarchived", "archivedat", "istrashed",
        "trashedat", "removedat",
    ]

    /// Whether an attribute is such a mark. A number or a text is none, whatever its name.
    static func `is`(_ name: String, _ kind: FieldKind) -> Bool {
        switch kind {
        case .boolean, .date: names.contains(name.lowercased())
        case .text, .uuid, .integer, .real, .binary: false
        }
    }
}

extension RecordValues {
    /// Whether the mark at a position is set: a Boolean that is true, or a plausible date.
    package func isMark(_ position: Int, _ kind: FieldKind) -> Bool {
        switch kind {
        case .boolean: if case .integer(let number) = self[position] { number != 0 } else { false }
        case .date: timestamp(position) != nil
        case .text, .uuid, .integer, .real, .binary: false
        }
    }
}
