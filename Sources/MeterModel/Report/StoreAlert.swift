/// What every answer about a store says before anything else, since nothing after it can be read without knowing it.
package enum StoreAlert: Hashable, Sendable {
    /// Records that vanished together (`mass-delete`): what must not be done now.
    case vanished(Finding)
    /// The newest changes are missing, or probably are (`wal-missing`).
    case missingLog(Finding)
    /// A file of the store has several names: what that means, as a sentence.
    case otherNames(String)
}

extension [StoreAlert] {
    /// What `mass-delete` finds.
    package var vanished: [Finding] {
        compactMap { if case .vanished(let finding) = $0 { finding } else { nil } }
    }

    /// What `wal-missing` finds; nil where it finds nothing.
    package var missingLog: Finding? {
        lazy.compactMap { if case .missingLog(let finding) = $0 { finding } else { nil } }.first
    }
}
