internal import CoreDataStore
internal import JSON
internal import MeterModel

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
