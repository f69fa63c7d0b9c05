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
    /// A command that cures it, or a sentence on what to do and why there is none.
    package var cure: String

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
