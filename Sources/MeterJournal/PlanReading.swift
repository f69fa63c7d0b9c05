internal import CoreDataStore
internal import JSON
package import MeterModel

/// A plan that is read line by line from a backup.
package struct PlanReading {
    package private(set) var changes: [Change] = []
    package private(set) var conflicts: [Conflict] = []
    package private(set) var rejects: [Reject] = []
    /// As they are before the plan; by row number.
    private let records: [Int64: DeviceSettings]
    /// The rows that a change is about.
    private var changed: Set<Int64> = []

    /// - Parameter records: from the saved files: no line has them.
    package init(records: [Int64: DeviceSettings]) { self.records = records }

    /// Lines that have been read.
    /// - Throws: `PlanError`, as `add`.
    package init(_ lines: [(line: PlanLine, number: Int)], records: [Int64: DeviceSettings]) throws(PlanError) {
        self.init(records: records)
        for (line, number) in lines { try add(line, at: number) }
    }

    /// - Throws: `PlanError` for a deletion without its records, and for a second change of one.
    package mutating func add(_ line: PlanLine, at number: Int) throws(PlanError) {
        switch line {
        case .change(let change):
            switch change {
            case .update(let update): try claim(update.row, at: number)
            case .insert(let insertion): try claim(insertion.row, at: number)
            case .delete, .cloudDelete, .schema, .metadata: break
            }
            changes.append(change)
        case .deletion(let deletion):
            try claim(deletion.row, at: number)
            changes.append(
                .delete(
                    RecordDeletion(
                        record: try record(deletion.row, "row", at: number), address: deletion.address,
                        mergedInto: try merger(of: deletion, at: number))))
        case .conflict(let conflict): conflicts.append(conflict)
        case .reject(let reject): rejects.append(reject)
        }
    }

    private func merger(
        of deletion: PlanLine.DeletionLine, at number: Int
    ) throws(PlanError) -> RecordDeletion.Merger? {
        guard let merger = deletion.merger else { return nil }
        return RecordDeletion.Merger(try record(merger.survivor, "mergedInto", at: number), by: merger.advantage)
    }

    private mutating func claim(_ row: Int64, at number: Int) throws(PlanError) {
        guard changed.insert(row).inserted else {
            throw PlanError(at: .member(.line(number), "row"), "row \(row) is changed twice")
        }
    }

    private func record(_ row: Int64, _ key: String, at number: Int) throws(PlanError) -> DeviceSettings {
        guard let record = records[row] else {
            throw PlanError(at: .member(.line(number), key), "the saved files have no record in row \(row)")
        }
        return record
    }

    /// The plan of the lines, for a store of which nothing is known.
    package var plan: Plan {
        Plan(
            changes: changes, conflicts: conflicts, rejects: rejects,
            of: StoreSize(records: 0, groups: 0, mirrored: 0))
    }
}

/// A file of JSON values, one a line, as it is read: no more than a line of it is held.
struct PlanInput {
    private var lines: FileLines
    private var reader: JSONReader?

    /// - Parameters:
    ///   - input: at its beginning.
    ///   - path: what errors call the file.
    init(_ input: FileInput, at path: String) {
        lines = FileLines(input, at: path, longest: JSONLimits().inputBytes)
    }

    /// The value of the next line; nil at the end of the file, after which there may be blank lines.
    /// - Throws: `StoreError` where the file cannot be read, `PlanError` for a line that is not JSON.
    mutating func next() throws -> PlanNode? {
        guard let line = try lines.next() else { return nil }
        let place = PlanPlace.line(lines.number)
        if Self.isBlank(line) {
            while let line = try lines.next() {
                guard Self.isBlank(line) else { throw PlanError(at: place, "an empty line") }
            }
            return nil
        }
        do {
            let reader = try self.reader ?? JSONReader()
            self.reader = reader
            return PlanNode(try reader.value(of: line, limits: JSONLimits()), at: place)
        } catch {
            throw PlanError(at: place, "no JSON, \(error)")
        }
    }

    /// Of the line that was read last, counted from 1.
    var number: Int { lines.number }

    /// Where in the file the next line begins.
    var offset: Int { lines.offset }

    /// Passes over the lines that begin before `offset`.
    /// - Throws: `StoreError` where the file cannot be read.
    mutating func skip(to offset: Int) throws(StoreError) {
        while lines.offset < offset, try lines.next() != nil {}
    }

    private static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
