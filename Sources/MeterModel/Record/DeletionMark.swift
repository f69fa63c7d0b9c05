extension FieldKind {
    /// The attributes, in lower case, by which an app marks a record as gone without deleting it: hidden, or a duplicate that
    /// it removes later. A closed list: whoever takes another attribute for a mark hides a meter.
    private static let marks: Set<String> = [
        "deletedat", "deleteddate", "datedeleted", "isdeleted", "deleted", "softdeleted", "deduplicateddate",
        "deduplicatedat", "isduplicate", "ishidden", "hidden", "hiddenat", "isarchived", "archivedat", "istrashed",
        "trashedat", "removedat",
    ]

    /// Whether an attribute of this kind is such a mark. A number or a text is none, whatever its name.
    func isMark(_ name: String) -> Bool {
        switch self {
        case .boolean, .date: Self.marks.contains(name.lowercased())
        case .text, .uuid, .integer, .real, .binary: false
        }
    }
}

extension FieldValue {
    /// Whether a mark of this kind is set: a Boolean that is true, or a plausible date.
    package func isMark(_ kind: FieldKind) -> Bool {
        switch kind {
        case .boolean: if case .integer(let number) = self { number != 0 } else { false }
        case .date: timestamp?.isPlausible ?? false
        case .text, .uuid, .integer, .real, .binary: false
        }
    }
}
