package import CoreDataStore
internal import Foundation
internal import JSON

/// A plan's document on the disk, one JSON object a line (https://jsonlines.org). It is written and read line by line, so
/// that it may be as large as the change.
package enum PlanFile {
    /// Reads a plan.
    /// - Throws: `StoreError`, `damaged` for a file that is not a plan or contradicts itself, saying where.
    package static func read(_ path: String) throws(StoreError) -> PlanDocument {
        try expectFile(path)
        do {
            var input = try PlanFileInput(path)
            var reading = PlanReading()
            while let (line, number) = try input.next() { try reading.add(line, at: number) }
            let document = PlanDocument(
                input.manifest, reading.plan(input.manifest.totals, notes: input.manifest.notes),
                records: reading.records, places: reading.places)
            try document.check()
            return document
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                .damaged, at: path, "not a plan that can be carried out: \(error)",
                hint: "make one with --dry-run --plan; what a reviewer changes must fit together, an object a line")
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
    static func write(_ document: PlanDocument, to path: String) throws(StoreError) {
        try FileOutput.create(path) { file throws(StoreError) in
            try document.writeLine(pretty: false) { bytes throws(StoreError) in try file.write(bytes) }
        }
        do {
            try document.check()
            try compare(document, with: path)
        } catch {
            unlink(path)
            if let error = error as? StoreError, error.kind != .damaged { throw error }
            throw StoreError(
                .cannotCreate, at: path, "this plan cannot be kept in a file: \(error)",
                hint: "carry it out without --plan")
        }
    }

    /// - Throws: `PlanError` where the file is not read as this document is, line by line.
    private static func compare(_ document: PlanDocument, with path: String) throws {
        func expectSame(_ isSame: Bool, _ place: PlanPlace) throws(PlanError) {
            guard isSame else { throw PlanError(at: place, "it would not be read back as it is") }
        }
        var input = try PlanFileInput(path)
        try expectSame(input.manifest == document.manifest, .line(1))
        var number = 1
        try document.plan.forEachLine(with: document.records) { line in
            number += 1
            try expectSame(input.next()?.line == line, .line(number))
        }
        try expectSame(input.next() == nil, .file)
    }
}
