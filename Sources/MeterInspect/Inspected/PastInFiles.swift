internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterStore

/// What the files of a store say of its past: read when it is first asked for, and once, since several answers of a
/// report need it.
final class PastInFiles: @unchecked Sendable {
    private let lock = NSLock()
    private var pages: StorePages??
    private var steps: StorePast?
    private var residue: [ResidueRow]?

    fileprivate func steps(of store: InspectedStore, _ database: Database) throws -> StorePast? {
        lock.lock()
        defer { lock.unlock() }
        guard let pages = try pages(of: store) else { return nil }
        if let steps { return steps }
        let found = try StorePast(of: store.description, in: pages, database)
        steps = found
        return found
    }

    fileprivate func residue(of settings: SettingsTable, in store: InspectedStore) throws(StoreError) -> [ResidueRow] {
        lock.lock()
        defer { lock.unlock() }
        guard let pages = try pages(of: store) else { return [] }
        if let residue { return residue }
        var found: [ResidueRow] = []
        do throws(StoreError) {
            found = try settings.residue(in: pages).rows
        } catch {
            // The files end too early: that is found by others, and is no reason to say nothing at all.
            guard error.kind == .damaged else { throw error }
        }
        residue = found
        return found
    }

    private func pages(of store: InspectedStore) throws(StoreError) -> StorePages? {
        if let pages { return pages }
        let found = try StorePages(of: store.files)
        pages = .some(found)
        return found
    }
}

extension InspectedStore {
    /// What became of the store with each commit in its log; nil where the files may change meanwhile.
    /// - Throws: `StoreError` if a file cannot be read; SQLite's errors.
    func pastSteps(_ database: Database) throws -> StorePast? { try pastInFiles.steps(of: self, database) }

    /// Records that the files still have besides those that are there; none where the files may change meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    func residue(of settings: SettingsTable) throws(StoreError) -> [ResidueRow] {
        try pastInFiles.residue(of: settings, in: self)
    }
}
