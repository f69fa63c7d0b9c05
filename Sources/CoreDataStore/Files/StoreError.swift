internal import Foundation
internal import GRDB

/// Why a command stops. Nothing has been changed when one is thrown.
public struct StoreError: Error, Hashable, Sendable {
    /// The kind of error; each has its own exit code.
    public enum Kind: Sendable, CaseIterable {
        /// No such file.
        case notFound
        /// Not a database, or a damaged one.
        case damaged
        /// A database, but not one this command can work on.
        case unsuitable
        /// Stale: changed since a dry run showed what would be done, or since the change that is to be undone.
        case stale
        /// Another process has it.
        case inUse
        /// The system does not let this process read or write it.
        case permissionDenied
        /// An I/O error, or no space left.
        case inputOutput
        /// An output that cannot be created.
        case cannotCreate
        /// The user asked to stop.
        case interrupted
        /// Our own mistake.
        case internalFault
    }

    /// What kind of error it is.
    public let kind: Kind
    /// The path it is about; `''` for an empty one, which nobody would see.
    public let path: String
    /// What is wrong: lower case, no full stop.
    public let message: String
    /// What to do about it.
    public var hint: String? { advice.map { $0 + (isForRecovery ? Self.orRecover : "") } }
    private let advice: String?
    /// Whether `recover` may help.
    private var isForRecovery: Bool

    /// What to do about a damaged store.
    package static let hintOnDamage = "ask for the store again, with its -wal file"
    /// And if nobody has it.
    package static let orRecover = "; if there is no other copy, `meterfix recover` saves what can be read"

    package init(_ kind: Kind, at path: String, _ message: String, hint: String? = nil, orRecover: Bool = false) {
        self.kind = kind
        self.path = path.isEmpty ? "''" : path
        self.message = message
        advice = hint
        isForRecovery = orRecover
    }

    /// What `recover` itself says, which is then no advice.
    package var withoutRecovery: StoreError {
        var error = self
        error.isForRecovery = false
        return error
    }

    /// A database of something else.
    package static func notCoreData(
        _ path: String, hint: String? = "the app's store is named CKModel.sqlite"
    ) -> StoreError {
        StoreError(.unsuitable, at: path, "a SQLite database, but not a Core Data store", hint: hint)
    }
}

/// The largest possible number of a row has been given out: no store gets there by itself.
struct RowNumbersExhausted: Error, CustomStringConvertible {
    let table: String
    var description: String { "there are no row numbers left in \(table)" }
}

extension StoreError {
    /// What `body` makes; an error is one of what is at `path`, as `init(_:at:)` says it.
    /// - Throws: `StoreError`, made of what `body` throws.
    package static func at<Value>(_ path: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do { return try body() } catch { throw StoreError(error, at: path) }
    }

    /// An error of SQLite as the user should read it. A `StoreError` stays as it is.
    package init(_ error: any Error, at path: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self.init(error, at: path)
        case let error as FileError: self = error.storeError(at: path)
        case let error as RowNumbersExhausted: self.init(.unsuitable, at: path, error.description)
        default: self.init(.internalFault, at: path, "\(error)")
        }
    }

    private init(_ error: DatabaseError, at path: String) {
        let message = error.message ?? "error \(error.extendedResultCode.rawValue)"
        if [.SQLITE_CANTOPEN, .SQLITE_IOERR].contains(error.resultCode),
            error.extendedResultCode != .SQLITE_IOERR_VNODE, let shortage = Resources.missingDescriptors
        {
            self = shortage.storeError(at: path)
            return
        }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .inUse, at: path, "another process has the store open",
                hint: "close the app and every tool that uses it, then run it again")
        case .SQLITE_NOTADB, .SQLITE_FORMAT:
            self.init(
                .damaged, at: path, "not a SQLite database, or an encrypted one", hint: Self.hintOnDamage,
                orRecover: true)
        case .SQLITE_CORRUPT:
            self.init(
                .damaged, at: path, "a damaged database: \(message)", hint: Self.hintOnDamage, orRecover: true)
        // What Apple's SQLite reports for EPERM.
        case .SQLITE_AUTH where FileError.isInContainer(path):
            self = FileError(code: EPERM).storeError(at: path)
        case .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            self.init(
                .permissionDenied, at: path, "cannot be written to: \(message)",
                hint: "work on a copy in a folder of your own")
        case .SQLITE_CANTOPEN:
            self.init(
                .permissionDenied, at: path, "cannot be opened: \(message)",
                hint: "check the permissions of the file and its folder")
        case .SQLITE_FULL:
            self.init(.inputOutput, at: path, "no space left on the disk", hint: "free some space and run it again")
        // Only Apple's SQLite checks this.
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_VNODE:
            self.init(
                .inputOutput, at: path, "a file of the store was moved or deleted while it was open",
                hint: "put its files back together, stop what moves them, and run it again")
        case .SQLITE_IOERR:
            self.init(
                .inputOutput, at: path, "input or output failed: \(message)", hint: Resources.hintOnLargestFile)
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self.init(.interrupted, at: path, "interrupted; nothing was changed")
        case .SQLITE_NOMEM, .SQLITE_TOOBIG:
            self.init(
                .inputOutput, at: path, "not enough memory: \(message)",
                hint: FileError(code: ENOMEM).storeError(at: path).hint)
        case .SQLITE_CONSTRAINT:
            self.init(
                .unsuitable, at: path, "a constraint of the store forbids this change: \(message)",
                hint:
                    "nothing was changed; if somebody added the constraint by hand, remove it on a copy of the store"
            )
        // The same in a statement that SQLite runs inside another one, for example for `pragma_table_info`.
        case .SQLITE_ERROR where message == "interrupted":
            self.init(.interrupted, at: path, "interrupted; nothing was changed")
        default:
            self.init(.unsuitable, at: path, "SQLite cannot work with this store: \(message)")
        }
    }
}
