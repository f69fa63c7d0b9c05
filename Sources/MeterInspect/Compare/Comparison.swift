package import CoreDataStore
internal import Foundation
internal import GRDB
package import MeterModel
internal import MeterStore

/// `compare`: compares two devices' stores, or a store and what CloudKit has.
package enum Comparison {
    /// How many meters have their records in memory at a time.
    private static let batch = 20_000

    /// The name of standard input, for an export.
    package static let standardInput = "-"

    /// Compares two files, each a store or an export of CloudKit records in JSON, meter by meter, and leaves no trace.
    /// - Parameter policy: how CloudKit's version of a record and one that is not uploaded are merged.
    /// - Throws: `StoreError` if one of them cannot be read.
    package static func report(
        _ a: String, _ b: String, policy: MergePolicy = .ofTheApp, now: Timestamp
    ) throws(StoreError) -> ComparisonReport {
        try withFile(a, now) { fileA, warningsA throws(StoreError) in
            try withFile(b, now) { fileB, warningsB throws(StoreError) in
                do {
                    var report = ComparisonReport(fileA, fileB, policy, warnings: warningsA + warningsB)
                    try compare(fileA, fileB, policy) { report.add($0) }
                    return report
                } catch {
                    throw StoreError(error, at: a)
                }
            }
        }
    }

    /// Compares a store as it was with what it is now, and leaves no trace.
    /// - Throws: `StoreError` if it cannot be read; `unsuitable` if the state of that moment is not certain any more.
    package static func report(_ path: String, since moment: PastMoment, now: Timestamp) throws(StoreError)
        -> ComparisonReport
    {
        try InspectedStore.look(at: path, in: moment, now: now) { then, pastDatabase in
            try InspectedStore.look(at: path, now: now) { store, database in
                let (fileA, fileB) = (try ComparedFile(then, pastDatabase), try ComparedFile(store, database))
                var report = ComparisonReport(fileA, fileB, .ofTheApp, warnings: [])
                try compare(fileA, fileB, .ofTheApp) { report.add($0) }
                return report
            }
        }
    }

    private static func withFile(
        _ path: String, _ now: Timestamp,
        _ body: (ComparedFile, _ warnings: [String]) throws(StoreError) -> ComparisonReport
    ) throws(StoreError) -> ComparisonReport {
        if path == standardInput {
            let name = "standard input"
            let export = try CloudExport(FileInput(standardInput: name), at: name)
            return try body(ComparedFile(export, path: path), export.warnings)
        }
        if ComparedFile.isJSON(path) {
            let export = try CloudExport(readingFrom: path)
            return try body(ComparedFile(export, path: path), export.warnings)
        }
        return try InspectedStore.look(at: path, now: now) { try body(ComparedFile($0, $1), []) }
    }

    /// Goes through both sides' meters in the order of addresses.
    private static func compare(
        _ a: ComparedFile, _ b: ComparedFile, _ policy: MergePolicy, _ body: (MeterComparison) -> Void
    ) throws {
        var (restA, restB) = (a.addresses.meters.makeIterator(), b.addresses.meters.makeIterator())
        var (nextA, nextB) = (restA.next(), restB.next())
        var pending: [(address: MACAddress, a: [Int64], b: [Int64])] = []
        func finish() throws {
            let (recordsA, recordsB) = (
                try a.records(ofGroups: pending.map(\.a)), try b.records(ofGroups: pending.map(\.b))
            )
            for (index, meter) in pending.enumerated() {
                body(
                    MeterComparison(
                        meter.address,
                        a: ComparedRecord(of: recordsA[index], unsent: a.unsent, deletedElsewhere: b.deleted),
                        b: ComparedRecord(of: recordsB[index], unsent: b.unsent, deletedElsewhere: a.deleted),
                        policy: policy))
            }
            pending.removeAll(keepingCapacity: true)
            try Interruption.check(a.summary.path)
        }
        while let address = [nextA?.address, nextB?.address].compactMap(\.self).min() {
            var rows: (a: [Int64], b: [Int64]) = ([], [])
            if let meter = nextA, meter.address == address {
                rows.a = meter.rows
                nextA = restA.next()
            }
            if let meter = nextB, meter.address == address {
                rows.b = meter.rows
                nextB = restB.next()
            }
            pending.append((address, rows.a, rows.b))
            if pending.count == batch { try finish() }
        }
        try finish()
    }
}

/// One side of a comparison, opened: a store, which is read in parts, or an export, which is in memory.
struct ComparedFile {
    private enum Records {
        case store(SettingsTable, CloudRecords, Database)
        case export([DeviceSettings])
    }

    let summary: ComparisonReport.Side
    let letterCase: LetterCase
    /// Sorted.
    let addresses: AddressIndex
    let layout: RecordLayout?
    /// By row, the fields of its records that wait to be uploaded; empty if they are not known.
    let unsent: [Int64: Set<String>]
    /// CloudKit's names of records whose delete waits to be uploaded.
    let deleted: Set<String>
    private let records: Records

    init(_ store: InspectedStore, _ database: Database) throws {
        guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
        let cloudRecords = try settings.cloudRecords(
            of: store.addresses.meters.lazy.flatMap(\.rows), store.description.mirror, database)
        records = .store(settings, cloudRecords, database)
        addresses = store.addresses
        letterCase = store.letterCase
        layout = settings.layout
        summary = ComparisonReport.Side(
            store.path, .store, addresses, past: store.past, alerts: try store.alerts(database))
        let waiting = try store.waitingRecords(of: settings, database)
        unsent = waiting.filter { $0.value.waiting.kind != .delete }.mapValues { Set($0.fields ?? []) }
        deleted = Set(waiting.values.map(\.waiting).filter { $0.kind == .delete }.compactMap(\.recordName))
    }

    init(_ export: CloudExport, path: String) {
        var addresses = AddressIndex(expecting: export.records.count)
        for record in export.records { addresses.add(row: record.row, record.address) }
        addresses.sort()
        records = .export(export.records)
        self.addresses = addresses
        letterCase = addresses.letterCase
        layout = export.records.first?.layout
        unsent = [:]
        deleted = []
        summary = ComparisonReport.Side(path, .cloudExport, addresses)
    }

    /// The records of groups of rows, group by group.
    func records(ofGroups groups: [[Int64]]) throws -> [[DeviceSettings]] {
        switch records {
        case .store(let settings, let cloudRecords, let database):
            var found = [[DeviceSettings]](repeating: [], count: groups.count)
            try settings.forEachRow(ofGroups: groups, cloudRecords: cloudRecords, database) { group, row in
                found[group].append(row.record)
            }
            return found
        case .export(let records):
            return groups.map { $0.map { records[Int($0) - 1] } }
        }
    }

    /// Fields that only this side's records can have.
    func fields(missingIn other: ComparedFile) -> [String] {
        guard let layout, let others = other.layout else { return [] }
        return layout.fields.filter { others.position(of: $0) == nil }.map(\.name)
    }

    /// Whether a file begins like JSON, or is a pipe, which a store never is. Everything else is opened as a store,
    /// whose errors say what is wrong.
    static func isJSON(_ path: String) -> Bool {
        guard let status = try? FileStatus(path: path), !status.isDirectory else { return false }
        // What is read from a pipe cannot be read again.
        guard status.isRegular else { return true }
        guard let start = try? FileInput(path).nextChunk(upTo: 64) else { return false }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = start.starts(with: mark) ? start.dropFirst(mark.count) : start[...]
        return [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) })
    }
}
