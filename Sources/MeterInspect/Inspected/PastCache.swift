internal import CoreDataStore
internal import Foundation
internal import GRDB
internal import MeterStore

/// What the files of a store say of its past: read when it is first asked for, and once, since several answers of a
/// report need it.
final class PastCache: @unchecked Sendable {
    private let lock = NSLock()
    private var pages: StorePages??
    private var steps: StorePast?
    private var residue: [DeletedRow]?
    private var contradiction: String??

    fileprivate func steps(in session: Session) throws -> StorePast? {
        lock.lock()
        defer { lock.unlock() }
        guard let pages = try pages(of: session.store) else { return nil }
        if let steps { return steps }
        let found = try StorePast(
            of: session.description, in: pages, contradiction: contradiction(in: session, pages), session.database)
        steps = found
        return found
    }

    fileprivate func contradiction(in session: Session) throws -> String? {
        lock.lock()
        defer { lock.unlock() }
        return try pages(of: session.store).flatMap { try contradiction(in: session, $0) }
    }

    private func contradiction(in session: Session, _ pages: StorePages) throws -> String? {
        if let contradiction { return contradiction }
        let found = try session.description.contradiction(in: session.store.files, pages, session.database)
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

extension Session {
    /// What became of the store with each commit in its log; nil where the files may change meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    func pastSteps() throws -> StorePast? { try store.pastInFiles.steps(in: self) }

    /// Why the main file and its log are of different moments; nil where nothing says so, and where they may change
    /// meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    package func contradictionOfFiles() throws -> String? { try store.pastInFiles.contradiction(in: self) }
}

extension InspectedStore {
    /// Records that the files still have besides those that are there; none where the files may change meanwhile.
    /// - Throws: `StoreError` if a file cannot be read.
    func residue(of settings: SettingsTable) throws(StoreError) -> [DeletedRow] {
        try pastInFiles.residue(of: settings, in: self)
    }
}
