internal import CoreDataStore

/// Looks for delete storms among the transactions that made or deleted records.
struct DeleteStormSearch {
    /// What one transaction, or two, deleted and made.
    struct Storm {
        let saves: [PersistentHistory.Save]
        let deleted: Set<Int64>
        let inserted: Set<Int64>
        let isReceived: Bool

        /// As many records; fewer are deleted and made every day.
        private static let least = 3

        /// Nil for what is no storm.
        fileprivate init?(_ saves: [SavedRecords], by actor: Actor) {
            // Of nearly all saves this is all that is asked.
            func isEnough(_ rows: (SavedRecords) -> [Int64]) -> Bool {
                saves.reduce(0) { $0 + rows($1).count } >= Self.least
            }
            guard isEnough(\.inserted), isEnough(\.deleted) else { return nil }
            let (made, gone) = (saves.flatMap(\.inserted), saves.flatMap(\.deleted))
            // What was made and deleted again is neither.
            inserted = Set(made).subtracting(gone)
            deleted = Set(gone).subtracting(made)
            guard inserted.count >= Self.least, deleted.count >= Self.least, 2 * inserted.count >= deleted.count else {
                return nil
            }
            self.saves = saves.map(\.save)
            isReceived = actor == .cloudImport
        }
    }

    /// Whose saves are looked at together.
    fileprivate enum Actor: Hashable {
        case cloudImport
        /// Of the app, or an extension of it.
        case process(String?)

        /// Nil for meterfix, and for what else the mirror does by itself.
        init?(_ saved: SavedRecords) {
            switch saved.work {
            case .import: self = .cloudImport
            case .export, .reset, .migration, .setup, .event: return nil
            case nil:
                guard saved.isOfTheApp else { return nil }
                self = .process(saved.save.process ?? saved.save.bundle ?? saved.save.author)
            }
        }
    }

    private(set) var found: [Storm] = []
    /// The last save of each that is of no storm already.
    private var last: [Actor: SavedRecords] = [:]

    /// - Parameter saved: of the transaction after all that were added before.
    mutating func add(_ saved: SavedRecords) {
        guard let actor = Actor(saved) else { return }
        let before = last.removeValue(forKey: actor)
        if let storm = Storm([saved], by: actor) {
            found.append(storm)
        } else if let before, saved.isClose(to: before), let storm = Storm([before, saved], by: actor) {
            found.append(storm)
        } else {
            last[actor] = saved
        }
    }
}
