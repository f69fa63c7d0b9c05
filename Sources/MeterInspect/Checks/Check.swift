internal import GRDB
package import MeterModel
internal import MeterStore

/// One invariant of a store: what a check says about itself, whether or not it finds anything, and what it does.
package struct Check: Sendable {
    /// A stable word; scripts rely on it.
    package let id: String
    package let severity: Severity
    /// What it finds, in one line.
    package let title: String
    /// For `--explain`: what it means, where it comes from, what to do. Empty lines are between the paragraphs. It is made
    /// when somebody asks for it: that of `mirror-failing` goes through the whole table of errors.
    private let text: @Sendable () -> String
    let work: Work

    /// What a check looks at, and how. What it finds is in a fixed order.
    enum Work: Sendable {
        case store(StoreSearch)
        /// The store, with the addresses of all its records.
        case addresses(StoreSearch)
        /// The same, and the records of meters that have several.
        case duplicates
        /// One record after the other, each for itself, and what the store says of records besides.
        case records(RecordInterest, RecordVisit, besides: StoreSearch?)
        /// The records, compared with one another.
        case groups(@Sendable (Check, InspectedStore) -> any GroupCheck)
        /// The store, beside what the user gives to compare it with.
        case comparison
    }

    /// Throws SQLite's errors: the caller reports what could not be read.
    typealias StoreSearch = @Sendable (Check, Session) throws -> [Finding]
    /// Finds the same each time it visits a record: once to be counted, and again to be shown.
    typealias RecordVisit = @Sendable (RecordCheck, RecordRow, Found) -> Void
    /// Takes what a check finds. A finding is made only where somebody is going to see it.
    typealias Found = (_ finding: @autoclosure () -> Finding) -> Void

    init(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        _ work: Work
    ) {
        self.id = id
        self.severity = severity
        self.title = title
        self.text = text
        self.work = work
    }

    static func ofStore(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        _ search: @escaping StoreSearch
    ) -> Check {
        Check(id, severity, title, text(), .store(search))
    }

    static func ofAddresses(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        _ search: @escaping StoreSearch
    ) -> Check {
        Check(id, severity, title, text(), .addresses(search))
    }

    static func ofRecords(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        visiting interest: RecordInterest = .every, besides search: StoreSearch? = nil, _ visit: @escaping RecordVisit
    ) -> Check {
        Check(id, severity, title, text(), .records(interest, visit, besides: search))
    }

    static func ofGroups(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        _ make: @escaping @Sendable (Check, InspectedStore) -> any GroupCheck
    ) -> Check {
        Check(id, severity, title, text(), .groups(make))
    }

    /// What it finds in the store as a whole.
    func findings(in session: Session) throws -> [Finding] {
        switch work {
        case .store(let search), .addresses(let search), .records(_, _, besides: let search?):
            try search(self, session)
        case .records, .duplicates, .groups, .comparison: []
        }
    }

    /// For `--explain`, paragraph by paragraph.
    package var explanation: [String] { text().split(separator: "\n\n").map(String.init) }

    /// What it means, in a sentence: the beginning of the explanation.
    package var meaning: String {
        let text = text()
        let bytes = text.utf8
        var end = bytes.startIndex
        while end < bytes.endIndex, bytes[end] != UInt8(ascii: "\n") {
            let isStop = ".!?".utf8.contains(bytes[end])
            end = bytes.index(after: end)
            guard isStop else { continue }
            // The stop may stand inside quotation marks or a parenthesis.
            if end < bytes.endIndex, "\"')".utf8.contains(bytes[end]) { end = bytes.index(after: end) }
            if end == bytes.endIndex || bytes[end] == UInt8(ascii: " ") { break }
        }
        return String(text[..<end])
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

    /// A finding about one record, with its meter's address where it has a usable one.
    func finding(_ message: Sentence, about record: DeviceSettings, in store: InspectedStore, cure: Cure) -> Finding {
        finding(
            message, entity: SettingsTable.entityName, rows: [record.row],
            mac: record.usableAddress?.text(in: store.letterCase), cure: cure)
    }
}

extension Finding {
    /// Whether its rows are records of meters, of which there are names: rows of other entities have the same numbers.
    package var isAboutMeters: Bool { entity == nil || entity == SettingsTable.entityName }
}

extension Check: Hashable {
    package static func == (left: Check, right: Check) -> Bool { left.id == right.id }

    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
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

/// A check that compares records with one another: it visits every record once, in the order of row numbers, and knows
/// what it found at the end.
protocol GroupCheck: AnyObject {
    func visit(_ row: RecordRow)
    /// Sorts what it has seen. Called after the last record.
    func sort()
    /// Reads those records again that one pass could not decide on. Called once, after `sort`.
    /// - Parameter session: of the store, with all addresses.
    func finish(_ session: Session) throws
    /// The rows of each finding, which are at least two; in the order of the first ones.
    var groups: [[Int64]] { get }
    /// The finding about one of the groups.
    func finding(_ group: Int) -> Finding
}

extension Session {
    /// What is found about some records, in the order of their numbers.
    func findings(about rows: some Sequence<Int64>, _ finding: (RecordRow) -> Finding?) throws -> [Finding] {
        var findings: [Finding] = []
        try settings?.forEachRow(of: rows.sorted(), database) { row in
            if let finding = finding(row) { findings.append(finding) }
        }
        return findings
    }
}
