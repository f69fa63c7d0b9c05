internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel

/// The exit codes that README.md lists. Scripts rely on them.
enum ExitStatus: Int32 {
    /// Clean, done, or nothing to do.
    case success = 0
    /// `verify` found errors, or with `--strict` warnings; a dry run found changes to make; a rehearsal lost something.
    case found = 1
    /// Done, but something remains for a person.
    case remains = 2
    /// The store has changed since the plan or the change.
    case stale = 3
    /// Not a store this command can work on.
    case unsuitable = 4
    case damaged = 65
    /// No such file; `where` found no store.
    case notFound = 66
    /// Our own mistake.
    case bug = 70
    case cannotCreate = 73
    case inputOutput = 74
    case inUse = 75
    case permissionDenied = 77
    case interrupted = 130

    init(_ kind: StoreError.Kind) {
        switch kind {
        case .notFound: self = .notFound
        case .damaged: self = .damaged
        case .unsuitable: self = .unsuitable
        case .stale: self = .stale
        case .inUse: self = .inUse
        case .permissionDenied: self = .permissionDenied
        case .inputOutput: self = .inputOutput
        case .cannotCreate: self = .cannotCreate
        case .interrupted: self = .interrupted
        case .internalFault: self = .bug
        }
    }

    /// Ends the command with this code.
    var exitCode: ExitCode { ExitCode(rawValue) }
}
