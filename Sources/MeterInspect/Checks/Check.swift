internal import GRDB
package import MeterModel
internal import MeterStore

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

    /// What it means, in a sentence: the beginning of the explanation.
    package var meaning: String {
        let paragraph = explanation.first ?? title
        let bytes = paragraph.utf8
        var end = bytes.startIndex
        while end < bytes.endIndex {
            let isStop = ".!?".utf8.contains(bytes[end])
            end = bytes.index(after: end)
            guard isStop else { continue }
            // The stop may stand inside quotation marks or a parenthesis.
            if end < bytes.endIndex, "\"')".utf8.contains(bytes[end]) { end = bytes.index(after: end) }
            if end == bytes.endIndex || bytes[end] == UInt8(ascii: " ") { return String(paragraph[..<end]) }
        }
        return paragraph
    }

    /// A finding of this check.
    /// - Parameter severity: where it is another one than usual.
    func finding(
        _ message: Sentence, severity: Severity? = nil, entity: String? = nil, rows: [Int64] = [], mac: String? = nil,
        cure: Cure
    ) -> Finding {
        Finding(
            id: id, severity: severity ?? self.severity, entity: entity, rows: rows, mac: mac, message: message,
            cure: cure)
    }
}

/// One invariant of a store.
package protocol Check {
    static var description: CheckDescription { get }
}

extension Check {
    package static var id: String { description.id }
}

/// A check that looks at the store as a whole, and perhaps at the addresses of its records.
protocol StoreCheck: Check {
    /// In a fixed order.
    /// - Throws: SQLite's errors: the caller reports what could not be read.
    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding]
}

/// Takes what a check finds. A finding is made only where somebody is going to see it.
typealias Found = (_ finding: @autoclosure () -> Finding) -> Void

/// A check that looks at one record after the other, each for itself. (An object, because a million records go through
/// the same one.)
protocol RecordCheck: Check, AnyObject {
    /// Which records it visits.
    static var interest: RecordInterest { get }
    /// - Parameter store: the store, before its records are read.
    init(_ store: InspectedStore)
    /// Finds the same each time it visits a record: once to be counted, and again to be shown.
    func visit(_ row: RecordRow, _ found: Found)
}

/// What a check is that remembers nothing of the records.
package class StatelessCheck {
    final let store: InspectedStore

    required init(_ store: InspectedStore) { self.store = store }
}

/// A check that compares records with one another: it visits every record once, in the order of row numbers, and knows
/// what it found at the end.
protocol GroupCheck: Check, AnyObject {
    /// - Parameter store: the store, before its records are read.
    init(_ store: InspectedStore)
    func visit(_ row: RecordRow)
    /// Sorts what it has seen. Called after the last record, perhaps on a thread of its own, beside other such checks.
    func sort()
    /// Reads those records again that one pass could not decide on. Called once, after `sort`.
    /// - Parameter store: with all addresses.
    func finish(_ store: InspectedStore, _ database: Database) throws
    /// The rows of each finding, which are at least two; in the order of the first ones.
    var groups: [[Int64]] { get }
    /// The finding about one of the groups.
    func finding(_ group: Int) -> Finding
}

/// Which records a check visits. Most stores have few unusual ones: the checks for those need not be called a million
/// times.
enum RecordInterest {
    case every
    /// The address is missing, invalid, a placeholder, or not canonical.
    case unusualAddress
    /// There is something in the fields of the lock, flat or blob.
    case lock
    /// There is something in one of the JSON attributes.
    case metadataBlob
}

extension RecordCheck {
    static var interest: RecordInterest { .every }
}

extension Check {
    /// A finding about one record, with its meter's address where it has a usable one.
    static func finding(
        _ message: Sentence, about record: DeviceSettings, in store: InspectedStore, cure: Cure
    ) -> Finding {
        description.finding(
            message, entity: SettingsTable.entityName, rows: [record.row],
            mac: record.usableAddress?.text(in: store.letterCase), cure: cure)
    }

    /// What is found about some records, in the order of their numbers.
    /// - Parameters:
    ///   - rows: of the records to look at, in any order.
    ///   - finding: nil where there is nothing to say of a record.
    /// - Throws: SQLite's errors.
    static func findings(
        about rows: some Sequence<Int64>, in store: InspectedStore, _ database: Database,
        _ finding: (RecordRow) -> Finding?
    ) throws -> [Finding] {
        var findings: [Finding] = []
        try store.settings?.forEachRow(of: rows.sorted(), database) { row in
            if let finding = finding(row) { findings.append(finding) }
        }
        return findings
    }
}
