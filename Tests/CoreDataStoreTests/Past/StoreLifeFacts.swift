import GRDB
import MeterStore
import MeterTestSupport
import Testing

@testable import CoreDataStore

/// A copy of a store in use, and what its files say of the past.
struct StoreLifeFacts {
    let pages: StorePages
    let past: StorePast
    let settings: SettingsTable
    let residue: DeletedRowScan
    /// The records in each state whose records are known.
    let rows: [Int: [Int64: StoreLife.Meter]]

    /// A value that a meter has.
    struct Value: Hashable {
        let address: String
        let field: String
        let text: String
    }

    /// - Parameter copy: of the main file, with its log beside it.
    static func look<Result>(
        at copy: String, _ body: (StoreLifeFacts, Database) throws -> Result
    ) throws -> Result {
        try StoreConnection.look(at: copy) { connection, database in
            let store = try StoreDescription(database)
            let settings = try #require(SettingsTable(store))
            let pages = try #require(try StorePages(of: connection.files))
            // The first page of the table does not move.
            let root = try #require(
                try UInt32.fetchOne(database, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'ZDEVICESETTINGS'"))
            var history = TableHistory(in: pages)
            var rows: [Int: [Int64: StoreLife.Meter]] = [:]
            for state in 0...pages.commitCount {
                _ = try history.visit(state, root: root, written: state == 0 ? [] : pages.pages(ofCommit: state))
                guard history.isKnown else { continue }
                rows[state] = Dictionary(
                    try history.rows().map { ($0.number, meter($0, settings)) }
                ) { first, _ in first }
            }
            return try body(
                StoreLifeFacts(
                    pages: pages, past: try StorePast(of: store, in: pages, database), settings: settings,
                    residue: try settings.residue(of: store.schema, in: pages), rows: rows),
                database)
        }
    }

    func meter(_ row: RowImage) -> StoreLife.Meter { Self.meter(row, settings) }

    private static func meter(_ row: RowImage, _ settings: SettingsTable) -> StoreLife.Meter {
        func text(_ name: SQLName) -> String? {
            settings.table.position(of: name).flatMap(row.text)
        }
        return StoreLife.Meter(
            address: text("ZMACADDRESS"), name: text("ZMETERNAME"), unit: text("ZTC66TEMPERATUREUNIT"),
            type: text("ZMODELTYPE"))
    }

    static func values(_ meter: StoreLife.Meter) -> [Value] {
        guard let address = meter.address else { return [] }
        return [("name", meter.name), ("unit", meter.unit), ("type", meter.type)].compactMap { field, text in
            text.map { Value(address: address, field: field, text: $0) }
        }
    }

    /// Every value that a meter ever had, with the last transaction after which it had it.
    static func values(of life: StoreLife) -> [Value: Int] {
        var last: [Value: Int] = [:]
        for (transaction, state) in life.states.enumerated() {
            for meter in state.values { for value in values(meter) { last[value] = transaction } }
        }
        return last
    }

    /// The changes of records that the past gives with the transaction, and that are not the true ones.
    func wrongChanges(_ life: StoreLife) -> [String] {
        past.steps.flatMap { step -> [String] in
            guard let number = step.transaction.number.flatMap({ Int(exactly: $0) }),
                let changes = step.changes["ZDEVICESETTINGS"]
            else { return [] }
            guard (1...life.lastTransaction).contains(number) else { return ["transaction \(number)"] }
            let (before, after) = (life.states[number - 1], life.states[number])
            let differing = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
            return changes.filter { change in
                change.before.map(meter) != before[change.row] || change.after.map(meter) != after[change.row]
            }.map { "row \($0.row) in transaction \(number)" }
                + differing.subtracting(changes.map(\.row)).map { "row \($0) not in transaction \(number)" }
        }
    }

    /// The records after a commit as SQLite reads them from the main file and the log up to there; nil where it cannot.
    func naiveRows(at commit: Int, in folder: TemporaryFolder) throws -> [Int64: StoreLife.Meter]? {
        var bytes = try pages.mainPages(1...max(1, pages.mainPageCount))
        let last = pages.frames(ofCommit: commit).upperBound - 1
        let size = Int(pages.frames[last - 1].pagesAfterCommit) * pages.pageSize
        bytes = Array(bytes.prefix(size)) + Array(repeating: 0, count: max(0, size - bytes.count))
        for frame in 1...last {
            let page = pages.frames[frame - 1].page
            let start = (Int(page) - 1) * pages.pageSize
            guard start < size else { continue }
            bytes.replaceSubrange(start..<start + pages.pageSize, with: try pages.bytes(of: page, .frame(frame)))
        }
        let path = folder.path + "/naive-\(commit).sqlite"
        try FileBytes.write(bytes, to: path)
        let queue = try DatabaseQueue(path: "file://\(path)?immutable=1")
        return try? queue.inDatabase { try StoreLife.meters($0) }
    }
}
