package import MeterModel
internal import MeterStore

/// One invariant of a store: what a check says about itself, whether or not it finds anything, and what it does. (One object
/// that everybody shares: a thousand stores are each checked by all of them.)
package final class Check: Sendable {
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
        /// The records of meters, and which are of one meter.
        case meters(StoreSearch)
        /// One record after the other, each for itself, and what the store says of records besides, which comes first.
        case records(RecordSearch, besides: StoreSearch?)
        /// The store, beside what the user gives to compare it with.
        case comparison
    }

    /// Throws SQLite's errors: the caller reports what could not be read.
    typealias StoreSearch = @Sendable (Check, Session) throws -> [Finding]
    typealias RecordSearch = @Sendable (Check, DeviceSettings, InspectedStore) -> [Finding]

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

    static func store(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        _ search: @escaping StoreSearch
    ) -> Check {
        Check(id, severity, title, text(), .store(search))
    }

    static func meters(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        _ search: @escaping StoreSearch
    ) -> Check {
        Check(id, severity, title, text(), .meters(search))
    }

    static func records(
        _ id: String, _ severity: Severity, _ title: String, _ text: @escaping @Sendable @autoclosure () -> String,
        besides store: StoreSearch? = nil, _ search: @escaping RecordSearch
    ) -> Check {
        Check(id, severity, title, text(), .records(search, besides: store))
    }

    /// What it finds in a store whose records were read, but for what it finds in one record after the other.
    /// - Throws: SQLite's errors.
    func findings(in session: Session) throws -> [Finding] {
        switch work {
        case .store(let search), .meters(let search): try search(self, session)
        case .records(_, let others): try others?(self, session) ?? []
        case .comparison: []
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
        _ message: Sentence, severity: Severity? = nil, entity: String? = nil, rows: [Int64] = [], cure: Cure
    ) -> Finding {
        Finding(
            id: id, severity: severity ?? self.severity, entity: entity, rows: rows, message: message, cure: cure)
    }

    /// A finding about one record, with its meter's address where it has a usable one.
    /// - Parameter message: made each time that it is read, of which most answers do little: it should hold no store.
    func finding(
        _ message: @escaping @Sendable @autoclosure () -> Sentence, severity: Severity? = nil,
        about record: DeviceSettings, in store: InspectedStore, cure: Cure
    ) -> Finding {
        Finding(
            id: id, severity: severity ?? self.severity, entity: SettingsTable.entityName, rows: [record.row],
            about: record.usableAddress, in: store.letterCase, text: message, cure: cure)
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

extension Session {
    /// What is found about some records, in the order of their numbers.
    func findings(about rows: some Sequence<Int64>, _ finding: (DeviceSettings) -> Finding?) throws -> [Finding] {
        try store.records(in: rows).compactMap(finding)
    }

    /// Records that have one value in a field, which is not empty, in the order of the first of them.
    func recordsSharing(_ field: SettingsField) throws -> [[DeviceSettings]] {
        try recordsSharing { $0.isEmpty(field) ? nil : $0[field] }
    }

    /// Records that share a key, in the order of the first of them. One without a key shares none.
    func recordsSharing(_ key: (DeviceSettings) -> FieldValue?) throws -> [[DeviceSettings]] {
        let records = try store.records
        var first: [FieldValue: Int] = [:]
        first.reserveCapacity(records.count)
        // No list is made for a key of one record: most share nothing.
        var shared: [Int: [Int]] = [:]
        for (place, record) in records.enumerated() {
            // One look at the table where nothing is shared.
            guard let key = key(record), let earlier = first.updateValue(place, forKey: key) else { continue }
            first[key] = earlier
            shared[earlier, default: [earlier]].append(place)
        }
        return shared.values.sorted { $0[0] < $1[0] }.map { places in places.map { records[$0] } }
    }
}
