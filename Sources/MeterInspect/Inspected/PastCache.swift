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
        try lock.withLock {
            guard let pages = try pages(of: session.store) else { return nil }
            return try once(&steps) {
                try StorePast(
                    of: session.description, in: pages, contradiction: contradiction(in: session, pages),
                    session.database)
            }
        }
    }

    fileprivate func contradiction(in session: Session) throws -> String? {
        try lock.withLock { try pages(of: session.store).flatMap { try contradiction(in: session, $0) } }
    }

    private func contradiction(in session: Session, _ pages: StorePages) throws -> String? {
        try once(&contradiction) {
            try session.description.contradiction(in: session.store.files, pages, session.database)
        }
    }

    fileprivate func residue(of settings: SettingsTable, in store: InspectedStore) throws -> [DeletedRow] {
        try lock.withLock {
            guard let pages = try pages(of: store) else { return [] }
            return try once(&residue) {
                // The files end too early: that is found by others, and is no reason to say nothing at all.
                do throws(StoreError) {
                    return try settings.residue(in: pages).rows
                } catch  where error.kind == .damaged {
                    return []
                }
            }
        }
    }

    private func pages(of store: InspectedStore) throws -> StorePages? {
        try once(&pages) { try StorePages(of: store.files) }
    }

    private func once<Value>(_ known: inout Value?, _ find: () throws -> Value) rethrows -> Value {
        if let known { return known }
        let found = try find()
        known = found
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
    func residue(of settings: SettingsTable) throws -> [DeletedRow] {
        try pastInFiles.residue(of: settings, in: self)
    }
}
