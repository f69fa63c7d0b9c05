/// The commands that change a store by a plan, by the names users type, and what the rest of the program knows of each.
package enum WritingCommand: String, Sendable, CaseIterable {
    case rebuild
    case importKV = "import-kv"
    case migrate
    case restoreRecord = "restore-record"
    case unlock
    case set
    case fix
    case delete

    /// What must hold on the user's other devices so that a change harms nothing that somebody does there: as simulations
    /// of random fleets show it (Documentation/several-devices.md).
    package enum Condition: Sendable {
        /// The app is closed everywhere.
        case atRest
        /// The app may be used, but nothing is typed.
        case namesLeftAlone
    }

    /// Nil where it does not matter what is done there.
    package var condition: Condition? {
        switch self {
        case .rebuild: .atRest
        case .set, .importKV, .fix, .delete: .namesLeftAlone
        case .unlock, .migrate, .restoreRecord: nil
        }
    }

    /// Whether it repairs a store; changes by hand do not.
    package var isRepair: Bool {
        switch self {
        case .rebuild, .importKV, .migrate, .fix: true
        case .restoreRecord, .unlock, .set, .delete: false
        }
    }
}
