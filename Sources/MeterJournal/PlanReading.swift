internal import CoreDataStore
internal import JSON
package import MeterModel

/// A plan that is read line by line from a backup.
package struct PlanReading {
    /// As far as it has been read, for a store of which nothing is known.
    package private(set) var plan = Plan(of: StoreSize(records: 0, groups: 0, mirrored: 0))
    /// Where in the plan the meters are.
    private var places: [MACAddress: Int] = [:]
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
        case .object(let change): try add(change, at: number)
        case .schema(let change): plan.schemaChanges.append(change)
        case .metadata(let change): plan.metadataChanges.append(change)
        case .conflict(let conflict): addMeter(conflict.address) { $0.conflicts.append(conflict) }
        case .reject(let reject): plan.rejects.append(reject)
        }
    }

    private mutating func add(_ change: ObjectChange, at number: Int) throws(PlanError) {
        switch change {
        case .update(let update, let address):
            try claim(update.row, at: number)
            addMeter(address) { $0.records.append(.update(update)) }
        case .insert(let insertion, let address):
            try claim(insertion.row, at: number)
            addMeter(address) { $0.records.append(.insert(insertion)) }
        case .delete(let deletion):
            try claim(deletion.row, at: number)
            let deleted = RecordDeletion(
                try record(deletion.row, "row", at: number), by: deletion.merger?.advantage)
            let survivor = try deletion.merger.map { merger throws(PlanError) in
                try record(merger.survivor, "mergedInto", at: number)
            }
            addMeter(deletion.address, survivor: survivor) { $0.records.append(.delete(deleted)) }
        case .cloudDelete(let deletion): plan.cloudDeletions.append(deletion)
        }
    }

    private mutating func addMeter(
        _ address: MACAddress?, survivor: DeviceSettings? = nil, _ edit: (inout MeterPlan) -> Void
    ) {
        let place = address.flatMap { places[$0] } ?? plan.meters.count
        if place == plan.meters.count {
            plan.meters.append(MeterPlan(address, []))
            if let address { places[address] = place }
        }
        edit(&plan.meters[place])
        plan.meters[place].survivor = plan.meters[place].survivor ?? survivor
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
