package import MeterModel

/// What a check says about itself, whether or not it finds anything.
package struct CheckDescription: Hashable, Sendable {
    /// A stable word; scripts rely on it.
    package let id: String
    package let severity: Severity
    /// What it finds, in one line.
    package let title: String
    /// For `--explain`: what it means, where it comes from, what to do. One string for each paragraph.
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
