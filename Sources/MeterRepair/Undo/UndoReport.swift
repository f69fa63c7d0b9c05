package import MeterModel

/// What `undo` answers.
package struct UndoReport: Sendable {
    package enum Outcome: String, Sendable {
        /// A dry run: this is what the real run does.
        case planned
        case applied
        /// There is nothing to take back.
        case unchanged
        /// The store has changed since the change; nothing was done.
        case stale
    }

    /// The change that is taken back.
    package struct Change: Hashable, Sendable {
        /// The name of the backup's entry.
        package let entry: String
        package let command: String
        package let madeAt: Timestamp
    }

    package struct File: Hashable, Sendable {
        package let name: String
        /// Bytes.
        package let size: Int
    }

    /// The store's path as the user gave it.
    package var store: String
    /// Whether an undo is taken back instead of a change.
    package var redoes: Bool
    package var outcome: Outcome
    /// Nil where there is nothing to take back.
    package var change: Change?
    /// The files that are put back.
    package var files: [File] = []
    /// The rows that moved since the change; nil where they cannot be told.
    package var moved: [MovedRow]? = []
    /// Whether the files are the very bytes that were saved: a backup that somebody opened may have the same contents in
    /// others, and in a store with a rollback journal SQLite's counters go on.
    package var isByteForByte = true
    /// How many more changes can be taken back after this one.
    package var remaining = 0
    /// What the user must know although the command went on.
    package var warnings: [String] = []
    /// The folder with the state before this, as a path the user can type.
    package var backup: String?
}
