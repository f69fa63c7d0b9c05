package import CoreDataStore
internal import Foundation
internal import JSON

/// A plan's document on the disk.
package enum PlanFile {
    /// A store of a hundred thousand duplicates is planned in less.
    static let limits: JSONLimits = {
        var limits = JSONLimits()
        limits.inputBytes = 1 << 28
        limits.values = 1 << 23
        limits.containers = 1 << 20
        return limits
    }()

    /// Reads a plan.
    /// - Throws: `StoreError`, `damaged` for a file that is not a plan or contradicts itself, saying where.
    package static func read(_ path: String) throws(StoreError) -> PlanDocument {
        let bytes = try bytes(of: path)
        do {
            return try document(bytes)
        } catch let flaw as PlanError {
            throw StoreError(
                .damaged, at: path, "not a plan that can be carried out: \(flaw)",
                hint: "make one with --dry-run --plan; what a reviewer changes must fit together")
        } catch {
            throw StoreError(
                .damaged, at: path, "not a plan: no JSON, \(error)", hint: "a command makes one with --dry-run --plan")
        }
    }

    private static func document(_ bytes: [UInt8]) throws -> PlanDocument {
        try PlanDocument(try JSONTree(parsing: bytes, limits: limits).top.value)
    }

    private static func bytes(of path: String) throws(StoreError) -> [UInt8] {
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
        guard let bytes = try FileInput(path).bytes(limit: limits.inputBytes, expected: status.size) else {
            throw StoreError(.damaged, at: path, "more than \(limits.inputBytes >> 20) MiB, too much for a plan")
        }
        return bytes
    }

    /// Writes a plan to a new file (mode 0600), whole or not at all.
    /// - Throws: `StoreError`, `cannotCreate` where the file exists or could not be read back as this plan.
    static func write(_ document: PlanDocument, to path: String) throws(StoreError) {
        var size = 0
        try FileOutput.create(path) { file throws(StoreError) in
            try document.writeLine(pretty: true) { bytes throws(StoreError) in
                size += bytes.count
                guard size <= limits.inputBytes else { throw unkept(path, "more than \(limits.inputBytes) bytes") }
                try file.write(bytes)
            }
        }
        do {
            guard try self.document(bytes(of: path)) == document else {
                throw PlanError(at: .document, "it would not be read back as it is")
            }
        } catch {
            unlink(path)
            throw unkept(path, "\(error)")
        }
    }

    private static func unkept(_ path: String, _ reason: String) -> StoreError {
        StoreError(
            .cannotCreate, at: path, "this plan cannot be kept in a file: \(reason)",
            hint: "carry it out without --plan")
    }
}
