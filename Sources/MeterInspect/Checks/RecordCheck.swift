internal import GRDB
internal import MeterModel
internal import MeterStore

/// A check of records at work in a store, and about which of them it has something to say. (An object, because a million
/// records go through it.)
final class RecordCheck {
    let check: Check
    /// Before its records are read.
    let store: InspectedStore
    let layout: RecordLayout
    /// The positions of the dates in the layout.
    let dates: [Int]
    let interest: RecordInterest
    private let look: Check.RecordVisit
    /// In the order in which they were visited.
    private(set) var rows: [Int64] = []
    /// Of findings: there can be several about a record.
    private var count = 0

    /// Nil for another kind of check.
    init?(_ check: Check, _ store: InspectedStore) {
        guard case .records(let interest, let look, _) = check.work, let settings = store.settings else { return nil }
        self.check = check
        self.store = store
        let layout = settings.layout
        self.layout = layout
        dates = layout.fields.indices.filter { layout.fields[$0].kind == .date }
        self.interest = interest
        self.look = look
    }

    func visit(_ row: RecordRow, _ found: Check.Found) { look(self, row, found) }

    func count(_ row: RecordRow) {
        let before = count
        look(self, row) { _ in count += 1 }
        if count > before { rows.append(row.row) }
    }

    func finding(_ message: Sentence, about record: DeviceSettings, cure: Cure) -> Finding {
        check.finding(message, about: record, in: store, cure: cure)
    }

    /// Rows read at a time.
    private static let most = 256

    /// Each record is read again, and visited by the same check.
    /// - Parameter session: of the store with the records that were visited.
    func findings(in session: MeterSession) -> Findings.CheckFindings? {
        // A pass that was begun before a change visits the records that were written last.
        let rows = rows.sorted()
        nonisolated(unsafe) let (check, session) = (self, session)
        return Findings.CheckFindings(self.check.id, self.check.severity, count: count) { body in
            _ = stride(from: 0, to: rows.count, by: Self.most).allSatisfy { start in
                session.reading.read {
                    var isWanted = true
                    let some = Array(rows[start...].prefix(Self.most))
                    try session.settings.forEachRow(of: some, session.database) { row in
                        check.visit(row) { finding in if isWanted { isWanted = body(finding()) } }
                    }
                    return isWanted
                }
            }
        }
    }
}
