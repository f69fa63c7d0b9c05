internal import CoreDataStore
internal import Foundation
package import GRDB
internal import MeterStore

/// What the files of a store say of its past: read when it is first asked for, and once, since several answers of a
/// report need it.
final class PastCache: @unchecked Sendable {
    private let lock = NSLock()
    private var pages: StorePages??
    private var steps: StorePast?
    private var residue: [DeletedRow]?
    private var contradiction: String??

    fileprivate func steps(of store: InspectedStore, _ database: Database) throws -> StorePast? {
        lock.lock()
        defer { lock.unlock() }
        guard let pages = try pages(of: store) else { return nil }
        if let steps { return steps }
        let found = try StorePast(
            of: store.description, in: pages, contradiction: contradiction(of: store, pages, database), database)
        steps = found
        return found
    }

    fileprivate func contradiction(of store: InspectedStore, _ database: Database) throws -> String? {
        lock.lock()
        defer { lock.unlock() }
        return try pages(of: store).flatMap { try contradiction(of: store, $0, database) }
    }

    private func contradiction(
        of store: InspectedStore, _ pages: StorePages, _ database: Database
    ) throws -> String? {
        if let contradiction { return contradiction }
        let found = try store.description.contradiction(in: store.files, pages, database)
        contradiction = .some(found)
        return found
    }

    fileprivate func residue(of settings: SettingsTable, in store: InspectedStore) throws(StoreError) -> [DeletedRow] {
        lock.lock()
        defer { lock.unlock() }
        guard let pages = try pages(of: store) else { return [] }
        if let residue { return residue }
        var found: [DeletedRow] = []
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

    /// Why the main file and its log are of different moments; nil where nothing says so, and where they may change
    /// meanwhile.
    /// - Throws: `StoreError` if a file cannot be read; SQLite's errors.
    package func contradictionOfFiles(_ database: Database) throws -> String? {
        try pastInFiles.contradiction(of: self, database)
    }

    /// Records that the files still have besides those that are there; none where the files may change meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    func residue(of settings: SettingsTable) throws(StoreError) -> [DeletedRow] {
        try pastInFiles.residue(of: settings, in: self)
    }
}
