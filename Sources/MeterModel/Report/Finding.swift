/// How much a finding matters.
package enum Severity: String, Sendable, CaseIterable, Comparable {
    /// Repair needed.
    case error
    /// A person should look.
    case warning
    /// Good to know.
    case note

    private var weight: Int {
        switch self {
        case .error: 2
        case .warning: 1
        case .note: 0
        }
    }

    package static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }
}

/// Something `verify` has to say about a store.
package struct Finding: Hashable, Sendable {
    /// The check's id, a stable word.
    package var id: String
    package var severity: Severity
    package var entity: String?
    /// `Z_PK` of the records it is about.
    package var rows: [Int64]
    /// The address of the meter it is about, in canonical text.
    package var mac: String?
    package var message: String
    /// Of a meter with several records, whether the one that the app finds first lacks no name or unit that another has;
    /// nil for every other finding, and where the records cannot be read.
    package var levelled: Bool?
    /// A command that cures it, or a sentence on what to do and why there is none.
    package var cure: String
    /// The command that helps at once while devices are in use, and leaves the cure for later; nil where none does.
    package var firstAid: String?

    package init(
        id: String, severity: Severity, entity: String? = nil, rows: [Int64] = [], mac: String? = nil,
        message: String, cure: String
    ) {
        self.id = id
        self.severity = severity
        self.entity = entity
        self.rows = rows
        self.mac = mac
        self.message = message
        self.cure = cure
    }
}
