internal import ArgumentParser
internal import CoreDataStore

/// The exit codes, see `meaning`. Scripts rely on them.
enum ExitStatus: Int32, CaseIterable {
    case success = 0
    /// `verify --strict` counts warnings as errors.
    case found = 1
    case remains = 2
    case stale = 3
    case unsuitable = 4
    case usage = 64
    case damaged = 65
    case notFound = 66
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

    /// What it means, for the help.
    var meaning: String {
        switch self {
        case .success: "clean, done, or nothing to do; verify: no errors"
        case .found: "errors, changes to make, or differences found"
        case .remains: "done, but something remains for a person"
        case .stale: "stale: the store has changed since the dry run or the change"
        case .unsuitable: "not a store this command can work on"
        case .usage: "wrong usage"
        case .damaged: "damaged input: not a database, a corrupt one, or no text"
        case .notFound: "no such file, or a folder without the one store"
        case .bug: "a bug in meterfix"
        case .cannotCreate: "an output or the backup cannot be created"
        case .inputOutput: "I/O error, or no space left"
        case .inUse: "in use by another process, try again"
        case .permissionDenied: "permission denied"
        case .interrupted: "interrupted, nothing was changed"
        }
    }

    /// Ends the command with this code.
    var exitCode: ExitCode { ExitCode(rawValue) }

    /// What `meterfix help exit-codes` prints.
    static let helpName = "exit-codes"

    static var help: String {
        (["EXIT CODES"]
            + allCases.map { status in
                let code = String(status.rawValue)
                return "  \(code)\(String(repeating: " ", count: 5 - code.count))\(status.meaning)"
            } + ["", "Any other code is a failure."]).joined(separator: "\n")
    }
}
