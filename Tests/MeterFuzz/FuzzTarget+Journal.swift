internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterTestSupport

extension FuzzTarget {
    /// The journal of a backup beside a store that came without its log, and may be exactly what meterfix left.
    static let journalWithoutLog = FuzzTarget(
        name: "journal-without-log", longestInput: 1 << 16, shortRun: 50,
        seeds: {
            let store = try StoreWithoutLog()
            return try withExtendedLifetime(store) { [try FileBytes.read(store.rebuilt.journal)] }
        },
        entry: {
            let store = try StoreWithoutLog()
            return { bytes in
                try FileBytes.write(bytes, to: store.rebuilt.journal)
                let isWhole = try store.isTakenForWhole()
                guard isWhole || bytes != store.written else { throw BrokenLaw("what meterfix left is not known") }
                guard isWhole else { return }
                let text = try JSONValue(parsing: bytes).text(pretty: false)
                guard text.contains(store.digest) else {
                    throw BrokenLaw("a store is taken for whole that no journal tells of")
                }
            }
        })
}

/// A store that was rebuilt, and whose log somebody took away.
private struct StoreWithoutLog {
    let rebuilt: RebuiltStore
    /// The journal's bytes.
    let written: [UInt8]
    /// The digest of the store's contents, as the journal has it.
    let digest: String

    init() throws {
        rebuilt = try RebuiltStore()
        try FileManager.default.removeItem(atPath: rebuilt.trial.path + "-wal")
        written = try FileBytes.read(rebuilt.journal)
        guard let digest = try JSONValue(parsing: written)["contents"]?["after"]?.string else {
            throw BrokenLaw("a journal has no digest of the contents")
        }
        self.digest = digest
    }

    /// Whether nothing is said to be missing.
    func isTakenForWhole() throws -> Bool {
        var isWhole = false
        try rebuilt.trial.look {
            isWhole = try StatusReport.of(rebuilt.trial.path, now: StoreTrial.now).alerts.missingLog == nil
        }
        return isWhole
    }
}
