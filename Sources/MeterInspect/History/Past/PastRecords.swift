package import CoreDataStore
package import JSON
package import MeterModel
package import MeterStore

/// A record as it was once, and what says so.
package struct PastRecord: Sendable {
    package enum Source: String, Sendable {
        /// A state of the past in the `-wal`.
        case log
        /// What is left of a row in free space, on free pages or on old pages of the `-wal`.
        case residue
        /// The files that a change by meterfix saved.
        case backup
    }

    /// As it was; its row number is 0 where that is lost.
    package let record: DeviceSettings
    package let source: Source
    package let certainty: PastCertainty
    /// Since when it was so; nil where nothing says it.
    package let from: Timestamp?
    /// Until when; nil where nothing says it.
    package let to: Timestamp?
    /// The transaction that changed or deleted it; nil where it is not known.
    package let transaction: Int64?

    package init(
        _ record: DeviceSettings, source: Source, certainty: PastCertainty, from: Timestamp? = nil,
        to: Timestamp? = nil, transaction: Int64? = nil
    ) {
        self.record = record
        self.source = source
        self.certainty = certainty
        self.from = from ?? record.updatedAt
        self.to = to
        self.transaction = transaction
    }
}

/// What the files of a store still have of its records as they were.
package struct PastRecords: Sendable {
    package let records: [PastRecord]
    /// How far back its `-wal` goes.
    package let reach: Reach

    package struct Reach: Sendable {
        /// In the `-wal`.
        package let commits: Int
        /// The numbers of the first and the last transaction whose values before and after are known.
        package let transactions: ClosedRange<Int64>?
        /// Why nothing of the `-wal` is believed; nil where it is.
        package let problem: String?
        /// Whether every remain of a deleted record was read: there may be more of them than meterfix keeps.
        package let isComplete: Bool

        /// What there is to say where it is not: a sentence for a person.
        package var warning: String? {
            isComplete
                ? nil
                : "the files have remains of more than \(DeletedRowScan.most) different records: those behind them were not "
                    + "read, and there may be more values"
        }
    }

    /// - Throws: also `StoreError` if a file cannot be read.
    package init(of session: MeterSession) throws {
        let settings = session.settings
        guard let past = try session.base.pastSteps() else {
            records = []
            reach = Reach(commits: 0, transactions: nil, problem: nil, isComplete: true)
            return
        }
        let table = RecordImages(settings)
        var records: [PastRecord] = []
        for step in past.steps {
            for change in step.changes[settings.table.name] ?? [] {
                guard let before = change.before, let record = table.record(of: before) else { continue }
                // Where no history explains the step, nothing says that the log belongs to the main file.
                let isChecked = step.transaction != .unknown
                records.append(
                    PastRecord(
                        record, source: .log, certainty: isChecked ? .certain : .likely,
                        to: step.transaction.time.map(Timestamp.init(secondsSince2001:)),
                        transaction: step.transaction.number))
            }
        }
        // Where the files do not belong together, a row that is left over may be of another store.
        let residue = try session.store.residue(of: settings)
        for row in residue.rows {
            guard let record = table.record(of: row.image) else { continue }
            let certainty: PastCertainty = row.certainty == .likely && past.problem == nil ? .likely : .possible
            records.append(PastRecord(record, source: .residue, certainty: certainty))
        }
        self.records = records
        let numbers = past.steps.compactMap(\.transaction.number)
        reach = Reach(
            commits: past.commitCount, transactions: numbers.min().map { $0...(numbers.max() ?? $0) },
            problem: past.problem, isComplete: residue.isComplete)
    }
}

package struct RecordImages {
    private let settings: SettingsTable
    /// For each field of the layout, the column of its value.
    private let columns: [Int]
    private let entityColumn: Int?

    package init(_ settings: SettingsTable) {
        self.settings = settings
        columns = settings.columns.map { settings.table.position(of: $0) ?? -1 }
        entityColumn = settings.table.position(of: "Z_ENT")
    }

    /// Nil for a row that is no record.
    package func record(of image: RowImage) -> DeviceSettings? {
        guard let entityColumn, let number = image.integer(entityColumn), settings.numbers.contains(number) else {
            return nil
        }
        let values = image.values
        return DeviceSettings(
            row: image.number, layout: settings.layout,
            // A row that is older than a column has nothing there.
            readingBlobsOf: columns.map { values.indices.contains($0) ? values[$0] : .null }, cloudRecord: nil)
    }
}

extension PastState {
    /// Which state it is, as a sentence without a full stop.
    var remark: Sentence {
        let place =
            commit == 0 ? "before the first commit in its -wal" : "after commit \(commit) of \(commitCount) in its -wal"
        guard let transaction else { return "this is the store as it was \(place)" }
        let when: Sentence = time.map { " of \(Timestamp(secondsSince2001: $0))" } ?? ""
        return "this is the store as it was \(place), the last transaction being \(transaction)\(when)"
    }

    package var json: JSONValue {
        [
            "commit": commit, "commits": commitCount, "transaction": transaction,
            "time": time.map(Timestamp.init(secondsSince2001:)),
        ]
    }
}
