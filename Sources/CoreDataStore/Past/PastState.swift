internal import Foundation
internal import GRDB

/// Which state of the past is asked for.
package enum PastMoment: Hashable, Sendable {
    /// After a transaction of the history.
    case transaction(Int64)
    /// At a time, in seconds since 2001.
    case time(Double)
    /// After a commit of the log, counted from one; 0 is before the first.
    case commit(Int)
}

/// A state of a store that its files still have.
package struct PastState: Hashable, Sendable {
    /// The last commit of the log that is in it; 0 for none.
    package let commit: Int
    package let commitCount: Int
    /// The last transaction of the history that is in it; nil if that is not known.
    package let transaction: Int64?
    /// When that was, in seconds since 2001; nil if it is not known.
    package let time: Double?
}

extension StorePast {
    /// The state that is asked for.
    /// - Throws: `StoreError`, `unsuitable` where that state is not certain; SQLite's errors.
    func state(at moment: PastMoment, of store: StoreDescription, path: String, _ database: Database) throws
        -> PastState
    {
        func refusal(_ message: String, _ hint: String? = nil) -> StoreError {
            StoreError(.unsuitable, at: path, message, hint: hint ?? reach)
        }
        guard store.isCoreData else { throw StoreError.notCoreData(path) }
        if let problem { throw refusal("its past cannot be told: \(problem)", "leave out --at to see it as it is now") }
        guard commitCount > 0 else {
            throw refusal(
                "its -wal has no commits, so only its present state is known",
                "leave out --at; `meterfix undo --list` lists the backups")
        }
        let numbered = steps.filter { $0.transaction.number != nil }
        let earlier = try numbered.first?.transaction.number.flatMap {
            try store.history?.transaction(before: $0, database)
        }
        func state(_ commit: Int) -> PastState {
            let last = numbered.last { $0.commit <= commit }?.transaction
            return PastState(
                commit: commit, commitCount: commitCount, transaction: last?.number ?? earlier?.number,
                time: last == nil ? earlier?.time : last?.time)
        }
        switch moment {
        case .commit(let commit):
            guard (0...commitCount).contains(commit) else {
                throw refusal("there is no commit \(commit): its -wal has \(commitCount)")
            }
            return state(commit)
        case .transaction(let number):
            if let step = numbered.first(where: { $0.transaction.number == number }) { return state(step.commit) }
            if let first = numbered.first, earlier?.number == number { return state(first.commit - 1) }
            guard let last = try store.history?.lastTransaction(database), number <= last else {
                throw refusal("there is no transaction \(number) in its history")
            }
            throw refusal("the state after transaction \(number) is not certain any more")
        case .time(let time):
            if let index = numbered.lastIndex(where: { $0.transaction.time.map { $0 <= time } ?? false }) {
                let next = numbered.indices.contains(index + 1) ? numbered[index + 1].commit : commitCount + 1
                let between = steps.filter { (numbered[index].commit + 1..<next).contains($0.commit) }
                guard between.allSatisfy({ $0.transaction == .none }) else {
                    throw refusal("the state at that time is not certain any more")
                }
                return state(numbered[index].commit)
            }
            if let first = numbered.first, let earlierTime = earlier?.time, earlierTime <= time {
                return state(first.commit - 1)
            }
            throw refusal("the state at that time is not certain any more")
        }
    }

    /// Which states there are, as a hint.
    private var reach: String {
        let numbers = steps.compactMap(\.transaction.number)
        guard let first = numbers.first, let last = numbers.last else {
            return "its -wal has the states commit:1 to commit:\(commitCount)"
        }
        return
            "its -wal has the states after the transactions \(first) to \(last), which are commit:1 to commit:\(commitCount)"
    }
}

/// A store as it was, in a folder of its own (mode 0700), removed with the value.
package final class PastCopy: Sendable {
    private let folder: PrivateFolder
    /// The main file. An empty `-wal` is beside it, as after a clean close.
    package let path: String
    package let state: PastState

    /// Puts the pages of a state together. Every one of them must be certain.
    init(of state: PastState, from pages: StorePages) throws(StoreError) {
        self.state = state
        folder = try PrivateCopy.makeFolder()
        path = "\(folder.path)/\(PrivateCopy.mainFile)"
        guard let count = try pages.pageCount(at: state.commit) else { throw Self.uncertain(1, state, pages) }
        guard count > 0 else {
            throw Self.noStore(at: state, pages.path)
        }
        try FileOutput.create(path, isDurable: false) { output throws(StoreError) in
            for page in 1...count {
                if page & 0xFFF == 0 { try Interruption.check(pages.path) }
                if let version = try pages.version(of: page, at: state.commit) {
                    try output.write(try pages.bytes(of: page, version)[...])
                } else if pages.isNowhere(page, since: state.commit) {
                    // A page that was never written, as those are that were free when the file grew.
                    try output.write([UInt8](repeating: 0, count: pages.pageSize)[...])
                } else {
                    throw Self.uncertain(page, state, pages)
                }
            }
        }
        try FileOutput.create(path + "-wal", isDurable: false) { _ in }
    }

    fileprivate static func noStore(at state: PastState, _ path: String) -> StoreError {
        let first = state.commit + 1
        return StoreError(
            .unsuitable, at: path, "there was no store yet at commit:\(state.commit)",
            hint: first > state.commitCount
                ? "leave out --at" : "its -wal has later states, from commit:\(first) to commit:\(state.commitCount)")
    }

    private static func uncertain(_ page: UInt32, _ state: PastState, _ pages: StorePages) -> StoreError {
        StoreError(
            .unsuitable, at: pages.path,
            "the state commit:\(state.commit) is not certain any more: page \(page) has been overwritten since",
            hint: "`meterfix log` shows the values that are certain, and later states may be whole")
    }
}

extension StoreConnection {
    /// The store as it was at a moment, as far as its files say so for certain.
    /// - Throws: `StoreError`, `unsuitable` for a state that is not certain any more.
    package static func past(of path: String, at moment: PastMoment) throws(StoreError) -> PastCopy {
        try look(at: path) { connection, database in
            guard let pages = try StorePages(of: connection.files) else { throw StoreError.changedMeanwhile(path) }
            let description = try StoreDescription(database)
            let past = try StorePast(of: description, in: pages, database)
            let state = try past.state(at: moment, of: description, path: path, database)
            let copy = try PastCopy(of: state, from: pages)
            // The log of a new store begins before there was anything in it.
            let isThere = try untouched(copy.path).closing { connection throws(StoreError) in
                try connection.read { try StoreDescription($0).isCoreData }
            }
            guard isThere else { throw PastCopy.noStore(at: state, path) }
            return copy
        }
    }
}
