internal import CoreDataStore
internal import JSON
internal import MeterModel

/// A plan that is read line by line.
struct PlanReading {
    private(set) var changes: [Change] = []
    private(set) var conflicts: [Conflict] = []
    private(set) var rejects: [Reject] = []
    /// As they are before the plan; by row number.
    private(set) var records: [Int64: DeviceSettings]
    /// The rows that a change is about.
    private var changed: Set<Int64> = []

    /// - Parameter records: that are known and have no line.
    init(records: [Int64: DeviceSettings] = [:]) { self.records = records }

    /// Lines that have been read.
    /// - Throws: `PlanError`, as `add`.
    init(_ lines: [(line: PlanLine, number: Int)], records: [Int64: DeviceSettings]) throws(PlanError) {
        self.init(records: records)
        for (line, number) in lines { try add(line, at: number) }
    }

    /// - Throws: `PlanError` for a deletion without its records, for a record that is there already, and for a second
    ///   change of one.
    mutating func add(_ line: PlanLine, at number: Int) throws(PlanError) {
        switch line {
        case .record(let record):
            guard records.updateValue(record, forKey: record.row) == nil else {
                throw PlanError(at: .member(.line(number), "row"), "row \(record.row) has a line already")
            }
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
        case .entry: break
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
            throw PlanError(at: .member(.line(number), key), "no line before this one has the record of row \(row)")
        }
        return record
    }

    /// The plan of the lines, for a store of which nothing is known.
    var plan: Plan {
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

/// The file of a plan as it is read: its manifest, and then line by line.
struct PlanFileInput {
    let manifest: PlanManifest
    private var input: PlanInput
    /// Of the line that was read last.
    private var number = 1

    /// - Throws: `StoreError` where the file cannot be read, `PlanError` for one that does not begin like a plan.
    init(_ path: String) throws {
        input = PlanInput(try FileInput(path), at: path)
        guard let first = try input.next() else { throw PlanError(at: .file, "the file is empty") }
        manifest = try PlanManifest(first)
    }

    /// The next line; nil behind the last one.
    /// - Throws: `StoreError` where the file cannot be read, `PlanError` for what is no line of a plan, and for a file
    ///   that was cut short.
    mutating func next() throws -> PlanLine? {
        guard let node = try input.next() else {
            throw PlanError(
                at: .file, "the file ends after line \(number), and its last line is not the one that ends a plan")
        }
        number += 1
        guard try node.kind != "end" else {
            let lines = try node.members(["kind", "lines"])["lines"]!
            guard try lines.count == number else {
                throw PlanError(
                    at: lines.place, "\(try lines.count) instead of \(number)",
                    hint: "if you took lines out, say here how many are left; otherwise a part of the file is missing")
            }
            if let more = try input.next() { throw more.flaw("something follows the line that ends the plan") }
            return nil
        }
        return try PlanLine(node, manifest.context)
    }
}
