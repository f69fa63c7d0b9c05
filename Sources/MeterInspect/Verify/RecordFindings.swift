internal import GRDB
internal import MeterModel
internal import MeterStore

/// A check of records, and about which of them it has something to say.
final class RecordTally {
    let check: any RecordCheck
    private(set) var rows = RowList()
    /// Of findings: there can be several about a record.
    private(set) var count = 0

    init(_ check: any RecordCheck) { self.check = check }

    func visit(_ row: RecordRow) {
        let before = count
        check.visit(row) { _ in count += 1 }
        if count > before { rows.append(row.row) }
    }

    /// - Parameter store: with the records that were visited.
    func findings(in store: InspectedStore, _ reading: RepeatedReading) -> Findings.OfCheck? {
        guard let settings = store.settings else { return nil }
        let description = type(of: check).description
        return Findings.OfCheck(
            description.id, description.severity, count: count,
            from: RecordFindings(check: check, rows: rows, settings: settings, reading: reading))
    }
}

/// The findings about single records: each record is read again, and visited by the same check.
private struct RecordFindings: FindingSource, @unchecked Sendable {
    let check: any RecordCheck
    let rows: RowList
    let settings: SettingsTable
    let reading: RepeatedReading

    /// Rows read at a time.
    private static let most = 256

    func forEach(while body: (Finding) -> Bool) {
        rows.forEachPart(of: Self.most) { rows in
            reading.read { database in
                var isWanted = true
                try settings.forEachRow(of: rows, database) { row in
                    check.visit(row) { finding in if isWanted { isWanted = body(finding()) } }
                }
                return isWanted
            }
        }
    }
}

/// The findings about several records each.
struct GroupFindings: FindingSource, @unchecked Sendable {
    private let check: any GroupCheck
    private let count: Int

    init(_ check: any GroupCheck) {
        self.check = check
        count = check.groups.count
    }

    func forEach(while body: (Finding) -> Bool) { _ = (0..<count).allSatisfy { body(check.finding($0)) } }

    var findings: Findings.OfCheck? {
        let description = type(of: check).description
        return Findings.OfCheck(description.id, description.severity, count: count, from: self)
    }
}
