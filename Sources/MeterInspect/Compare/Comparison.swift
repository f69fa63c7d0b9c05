package import CoreDataStore
internal import Foundation
internal import GRDB
package import MeterModel

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
        return try StoreConnection.look(at: path) { connection, database in
            let store = try InspectedStore(
                path: path, files: connection.files, letterCase: nil, now: now, database)
            return try body(ComparedFile(store, database), [])
        }
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
