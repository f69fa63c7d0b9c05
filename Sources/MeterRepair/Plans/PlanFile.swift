package import CoreDataStore
internal import Foundation
internal import JSON

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
