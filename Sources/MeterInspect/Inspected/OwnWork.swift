internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import JSON
internal import MeterModel

/// Whether a store is exactly what meterfix left: then nothing is missing, whoever took its empty `-wal` away since, such
/// as a SQLite shell that only looked.
enum OwnWork {
    /// Bytes of the largest journal that is read.
    private static let largestJournal = 1 << 26

    /// Goes by the journals in the folder of backups beside the store, which have a digest of the contents after each
    /// change.
    /// - Throws: SQLite's errors.
    static func isLeft(in files: StoreFiles, _ database: Database) throws -> Bool {
        let journals = journals(in: files.resolvedPath + ".meterfix")
        guard !journals.isEmpty else { return false }
        let contents = JSONValue.string(Hexadecimal.text(of: try ContentsDigest(database).sha256))
        return journals.values.contains { journal in
            guard journal["state"] == "committed", journal["contents"]?["after"] == contents else { return false }
            // Files that were put back without a log had come without one.
            return journal["restored"]?.string.map { journals[$0].map(hadLog) ?? false } ?? true
        }
    }

    /// By the names of their folders; none that cannot be read.
    private static func journals(in folder: String) -> [String: JSONValue] {
        var journals: [String: JSONValue] = [:]
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            guard let input = try? FileInput(regular: "\(folder)/\(name)/journal.json"),
                let bytes = try? input.bytes(limit: largestJournal), let json = try? JSONValue(parsing: bytes)
            else { continue }
            journals[name] = json
        }
        return journals
    }

    private static func hadLog(_ journal: JSONValue) -> Bool {
        guard case .array(let files)? = journal["files"] else { return false }
        return files.contains { $0["name"]?.string?.hasSuffix("-wal") == true }
    }
}
