package import MeterModel

/// What is said about a check whether or not it finds anything.
package struct CheckDescription: Hashable, Sendable {
    /// A stable word; scripts rely on it.
    package let id: String
    package let severity: Severity
    /// What it finds, in one line.
    package let title: String
    /// For `--explain`: what it means, how it comes about, what to do. Paragraphs, one string each.
    package let explanation: [String]

    package init(_ id: String, _ severity: Severity, _ title: String, explanation: [String]) {
        self.id = id
        self.severity = severity
        self.title = title
        self.explanation = explanation
    }

    /// A finding of this check.
    func finding(
        _ message: String, entity: String? = nil, rows: [Int64] = [], mac: String? = nil, cure: String? = nil
    ) -> Finding {
        Finding(id: id, severity: severity, entity: entity, rows: rows, mac: mac, message: message, cure: cure)
    }
}

/// One invariant of a store.
package protocol Check {
    static var description: CheckDescription { get }
}
