package import CoreDataStore
internal import Foundation
package import JSON
internal import MeterInspect
package import MeterModel

/// A plan's document on the disk, one JSON object a line (https://jsonlines.org). It is written and read line by line, so
/// that it may be as large as the change.
package enum PlanFile {
    /// Reads a plan.
    /// - Throws: `StoreError`, `damaged` for a file that is not a plan, saying where.
    package static func read(_ path: String) throws(StoreError) -> PlanDocument {
        try expectFile(path)
        do {
            var input = try PlanFileInput(path)
            var lines: [PlanLine] = []
            while let line = try input.next() { lines.append(line) }
            return PlanDocument(manifest: input.manifest, lines: lines)
        } catch let error as StoreError {
            throw error
        } catch let error as PlanError {
            throw StoreError(error, at: path)
        } catch {
            throw StoreError(error, at: path)
        }
    }

    /// - Throws: `StoreError` where there is nothing that could be a plan.
    private static func expectFile(_ path: String) throws(StoreError) {
        let status: FileStatus?
        do {
            status = try FileStatus(path: path)
        } catch {
            throw error.storeError(at: path)
        }
        guard let status else {
            throw StoreError(.notFound, at: path, "no such file", hint: "name the file that --plan wrote")
        }
        guard !status.isDirectory else { throw StoreError(.damaged, at: path, "a directory, not a plan") }
    }

    /// Writes a plan to a new file (mode 0600), whole or not at all, and reads it back.
    /// - Throws: `StoreError`, `cannotCreate` where the file exists or could not be read back as this plan.
    static func write(_ plan: NewPlan, to path: String) throws(StoreError) {
        try FileOutput.create(path) { file throws(StoreError) in
            try plan.writeLine(pretty: false) { bytes throws(StoreError) in try file.write(bytes) }
        }
        do {
            try compare(plan, with: path)
        } catch {
            unlink(path)
            if let error = error as? StoreError, error.kind != .damaged { throw error }
            throw StoreError(
                .cannotCreate, at: path, "this plan cannot be kept in a file: \(error)",
                hint: "carry it out without --plan")
        }
    }

    /// - Throws: `PlanError` where the file is not read as this plan is, line by line.
    private static func compare(_ plan: NewPlan, with path: String) throws {
        func expectSame(_ isSame: Bool, _ place: PlanPlace) throws(PlanError) {
            guard isSame else { throw PlanError(at: place, "it would not be read back as it is") }
        }
        var input = try PlanFileInput(path)
        try expectSame(input.manifest == plan.manifest, .line(1))
        var number = 1
        try plan.draft.forEachLine { line in
            number += 1
            try expectSame(input.next() == line, .line(number))
        }
        try expectSame(input.next() == nil, .file)
    }
}

/// A plan's file as it was read: what was asked for, what the store was then, and what its lines say. It is a request:
/// nothing in it is carried out before the same plan was made anew.
package struct PlanDocument: Sendable {
    let manifest: PlanManifest
    /// Between the manifest, which is line 1, and the end.
    let lines: [PlanLine]

    /// The command that planned.
    package var command: WritingCommand { manifest.command }
    /// The command that planned, with the option that makes another command of it, as a user types them.
    package var commandWords: String {
        ([command.rawValue] + (manifest.options.contains(.inUse) ? ["--in-use"] : [])
            + ChosenValues(manifest.options).words(in: manifest.context.letterCase)).joined(separator: " ")
    }
    /// The store's file name.
    package var storeName: String { manifest.storeName }
    package var made: Timestamp { manifest.made }
    package var person: Person? { manifest.person }
    package var note: String? { manifest.note }
    /// `Z_UUID` of the store.
    package var storeUUID: String? { manifest.fingerprint.storeUUID }
    /// How many records of meters the store had.
    package var records: Int? { manifest.fingerprint.tables["ZDEVICESETTINGS"]?.rows }

    /// The rebuild that the plan was asked for, so that another choice can be named; nil for another command.
    package var askedRebuild: AskedRebuild? {
        guard command == .rebuild, !manifest.options.contains(.inUse) else { return nil }
        let winner = manifest.options.first { $0.key == "winner" }?.value
        let words =
            (winner == WinnerPolicy.newest.rawValue ? ["--winner newest"] : [])
            + (manifest.requestedCase.map { ["--mac-case \($0.rawValue)"] } ?? [])
        return AskedRebuild(words, ChosenValues(manifest.options))
    }

    /// The place of a line.
    static func place(ofLine index: Int) -> PlanPlace { .line(index + 2) }
}

extension PlanDocument: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        manifest.write(to: &writer) { body in lines.forEach(body) }
    }
}

extension PlanManifest {
    /// Writes the file: one JSON object a line.
    /// - Parameter forEachLine: hands over the lines between this one and the end.
    func write(to writer: inout JSONWriter, _ forEachLine: ((PlanLine) -> Void) -> Void) {
        write(to: &writer)
        writer.endLine()
        var lines = 2
        forEachLine { line in
            line.write(context, to: &writer)
            writer.endLine()
            lines += 1
        }
        writer.object { writer in
            writer.member("kind", "end")
            writer.member("lines", lines)
        }
    }
}

/// What is wrong with a plan's file, and where.
package struct PlanError: Error, Hashable, Sendable, CustomStringConvertible {
    /// `line 3, fields[0].after`; empty for the file itself.
    package let place: String
    /// Lower case, no full stop.
    package let message: String
    /// What to do about it; nil for what helps against most mistakes.
    let hint: String?

    init(at place: PlanPlace, _ message: String, hint: String? = nil) {
        self.place = place.description
        self.message = message
        self.hint = hint
    }

    package var description: String { place.isEmpty ? message : "\(place): \(message)" }
}

/// Where in a plan's file a value is; made into text only for an error.
indirect enum PlanPlace: CustomStringConvertible, Sendable {
    case file
    /// Counted from 1.
    case line(Int)
    case member(PlanPlace, String)
    case element(PlanPlace, Int)

    var description: String {
        switch self {
        case .file: ""
        case .line(let number): "line \(number)"
        case .member(.file, let key): key
        case .member(.line(let number), let key): "line \(number), \(key)"
        case .member(let parent, let key): "\(parent).\(key)"
        case .element(let parent, let index): "\(parent)[\(index)]"
        }
    }
}

extension StoreError {
    /// - Parameter path: of the plan's file.
    init(_ error: PlanError, at path: String) {
        self.init(
            .damaged, at: path, "not a plan that can be carried out: \(error)",
            hint: error.hint
                ?? "make a new plan with --dry-run --plan; edit only its names, units and addresses, or take out all lines "
                + "of a meter")
    }
}
