package import GRDB

/// The mirror's log of setups, imports and exports.
extension CloudKitMirror {
    package struct Event: Hashable, Sendable {
        /// `ZCLOUDKITEVENTTYPE`, from descriptions of Apple's code.
        package enum Kind: Int64, Sendable, CaseIterable {
            case setup = 0
            case `import` = 1
            case export = 2
        }

        package let kind: Int64
        package let succeeded: Bool
        /// Seconds since 2001.
        package let startedAt: Double?
        package let endedAt: Double?
        package let errorCode: Int64?
        package let errorDomain: String?

        package var kindName: String { Self.name(ofKind: kind) }

        fileprivate static func name(ofKind kind: Int64) -> String {
            Kind(rawValue: kind).map { "\($0)" } ?? "event type \(kind)"
        }

        /// Why it failed; nil if it did not. Without an end it is running, or its process died: that is no failure.
        package var error: MirrorError? { reason.flatMap { $0.isNoFailure ? nil : $0 } }

        /// Why it was put off, which is no failure; nil if it was not.
        package var postponement: MirrorError? { reason.flatMap { $0.isNoFailure ? $0 : nil } }

        /// Why it ended without success.
        package var reason: MirrorError? {
            endedAt == nil || succeeded ? nil : MirrorError(domain: errorDomain ?? "", code: errorCode ?? 0)
        }
    }

    /// Whether an export has ever succeeded, as far as the log goes back.
    /// - Throws: SQLite's errors.
    package func hasExported(_ database: Database) throws -> Bool {
        guard let table = table("EVENT"), table.has("ZCLOUDKITEVENTTYPE"), table.has("ZSUCCEEDED") else { return false }
        return try database.hasRow(
            "SELECT 1 FROM \(table.name.quotedIdentifier) WHERE ZCLOUDKITEVENTTYPE = ? AND ZSUCCEEDED <> 0 LIMIT 1",
            [.integer(Event.Kind.export.rawValue)])
    }

    /// Those of each series, by kind.
    /// - Throws: SQLite's errors.
    package func lastEvents(_ database: Database) throws -> [Event] { try eventSeries(database).flatMap(\.lastEvents) }

    /// The events of one kind, from the last one that succeeded on.
    package struct EventSeries: Hashable, Sendable {
        /// Failures for one reason.
        package struct Failures: Hashable, Sendable {
            package let error: MirrorError
            package fileprivate(set) var count: Int
            /// Seconds since 2001.
            package let first: Double?
            package fileprivate(set) var last: Double?
        }

        /// `ZCLOUDKITEVENTTYPE`.
        package let kind: Int64
        /// Nil where the log has none.
        package fileprivate(set) var lastSuccess: Event?
        /// Since then, each error once, in the order in which they first came.
        package fileprivate(set) var failures: [Failures] = []
        /// How often it failed for reasons that are not listed.
        package fileprivate(set) var others = 0
        /// When the log of this kind begins, in seconds since 2001.
        package fileprivate(set) var start: Double?

        package var kindName: String { Event.name(ofKind: kind) }

        package fileprivate(set) var lastEnded: Event?
        /// The last event, if it has not ended.
        package fileprivate(set) var running: Event?

        /// The last event that has ended and, if a later one has not, that one after it: an event that is running says
        /// nothing of why the one before it failed.
        package var lastEvents: [Event] { [lastEnded, running].compactMap(\.self) }

        /// Of the last event that has ended; nil if that one succeeded.
        package var lastError: MirrorError? { lastEnded?.error }

        /// How often it has failed since the last success.
        package var failed: Int { failures.reduce(others) { $0 + $1.count } }

        /// Errors that are told apart: a mirror has a handful.
        private static let most = 64

        fileprivate init(kind: Int64) { self.kind = kind }

        /// When the last one began or ended, in seconds since 2001; nil where the log does not say.
        package var last: Double? { running?.startedAt ?? lastEnded?.endedAt }

        fileprivate mutating func add(_ event: Event) {
            if start == nil { start = event.startedAt ?? event.endedAt }
            guard let end = event.endedAt else {
                running = event
                return
            }
            running = nil
            // What was put off says nothing of whether the others fail.
            guard event.postponement == nil else {
                if lastEnded.map({ $0.postponement != nil }) ?? true { lastEnded = event }
                return
            }
            lastEnded = event
            guard let error = event.error else {
                lastSuccess = event
                failures = []
                others = 0
                return
            }
            if let place = failures.firstIndex(where: { $0.error == error }) {
                failures[place].count += 1
                failures[place].last = end
            } else if failures.count < Self.most {
                failures.append(Failures(error: error, count: 1, first: end, last: end))
            } else {
                others += 1
            }
        }
    }

    /// One for each kind of event that there is, by kind.
    /// - Throws: SQLite's errors.
    package func eventSeries(_ database: Database) throws -> [EventSeries] {
        var series: [Int64: EventSeries] = [:]
        try forEachEvent(database) { series[$0.kind, default: EventSeries(kind: $0.kind)].add($0) }
        return series.values.sorted { $0.kind < $1.kind }
    }

    /// When an import last succeeded, in seconds since 2001; nil where the log has none.
    /// - Throws: SQLite's errors.
    package func lastImport(_ database: Database) throws -> Double? {
        try eventSeries(database).first { $0.kind == Event.Kind.import.rawValue }?.lastSuccess?.endedAt
    }

    /// The last event that failed before a moment.
    /// - Parameter time: seconds since 2001.
    /// - Throws: SQLite's errors.
    package func lastFailure(before time: Double, _ database: Database) throws -> Event? {
        var last: Event?
        try forEachEvent(database) { event in
            if event.error != nil, let end = event.endedAt, end <= time { last = event }
        }
        return last
    }

    /// Hands over all events, the first one first.
    /// - Throws: SQLite's errors; what `body` throws.
    package func forEachEvent(_ database: Database, _ body: (Event) -> Void) throws {
        guard let table = table("EVENT"),
            ["ZCLOUDKITEVENTTYPE", "ZSTARTEDAT"].allSatisfy(table.has)
        else { return }
        let hasOutcome = table.has("ZSUCCEEDED")
        // A device's clock may have been wrong: row numbers go up with time, dates need not.
        let order = table.has("Z_PK") ? "Z_PK" : "ZSTARTEDAT"
        try database.forEachRow(
            """
            SELECT ZCLOUDKITEVENTTYPE, \(table.expression("ZSUCCEEDED")), ZSTARTEDAT, \(table.expression("ZENDEDAT")),
            \(table.expression("ZERRORCODE")), \(table.expression("ZERRORDOMAIN")) FROM \(table.name.quotedIdentifier) ORDER BY \(order)
            """
        ) { row in
            body(
                Event(
                    kind: row.integer(0), succeeded: hasOutcome ? row.integer(1) != 0 : row.integer(4) == 0,
                    startedAt: row.realOrNil(2), endedAt: row.realOrNil(3), errorCode: row.integerOrNil(4),
                    errorDomain: row.text(5)))
        }
    }
}
