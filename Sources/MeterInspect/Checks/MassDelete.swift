package import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

extension Check {
    package static let massDelete = store(
        "mass-delete", .error, "many records were deleted at once, and few or none are left",
        """
        The meters were deleted on this device, and every other device deletes them too as soon as the app is opened \
        there. One transaction in the history, or several within a minute of one another, deleted at least three records, \
        and at most a fifth of the records of that time are left. It is an error if none is left, otherwise a warning: \
        also where there are as many records again, but not the names and units that the meters had.

        The history says who it was. CloudKit's import: another device deleted them, or somebody in iCloud. A reset of \
        CloudKit's mirror: the user deleted the app's data in iCloud, or the device was signed in to another account. \
        The app: its own code. Deletes by meterfix do not count. A rebuild in the app keeps one record of each meter, \
        so it looks like this only if the meters had five records each, or more.

        Do NOT open the app on a device that may still have the meters. Take it offline first, without opening the \
        app, and copy the three files of its store. `meterfix compare` with the two copies shows which meters the \
        other copy has, and `meterfix meters` lists their names and units.

        To restore the meters, keep every copy. `meterfix lost` lists the names and units that the store's files still \
        have; `meterfix restore-record --from lost` restores a record as it was. `meterfix restore-record` restores \
        what meterfix itself deleted, from its backups. Otherwise write the names and units into a file as the old app \
        kept them (MeterNames, TC66TemperatureUnits): `meterfix import-kv` creates the records again in this store, \
        and `meterfix set` corrects a single record. Give this store back, let the app upload, and only then open the \
        app on the other devices.
        """
    ) { check, session in
        try session.vanished()
    }

    /// What every advice to use the app gives way to, where records vanished together.
    static let prohibitionAfterMassDelete: Cure =
        "do not open the app before it is clear whether these records should be deleted: see mass-delete"
}

/// Records of meters that were deleted together, and of which few or none are left.
package struct VanishedRecords: Sendable {
    package let deleted: PersistentHistory.DeletedTogether
    /// Transactions.
    private let saves: Int
    /// Records in the store now.
    private let records: Int

    /// Fewer than so many deleted at once happen every day.
    static let least = 3
    /// A rebuild leaves one record of each meter, and meters with five or more are rare.
    private static let share = 4

    /// Whether so many records that are gone are no everyday delete.
    static func areMany(_ deleted: Int, beside left: Int) -> Bool { deleted >= least && deleted >= share * left }

    /// Nil for what is no such loss.
    init?(_ deleted: PersistentHistory.DeletedTogether, saves: Int, records: Int) {
        guard Self.areMany(deleted.count, beside: deleted.left), deleted.save.author != HistoryWriter.author else {
            return nil
        }
        self.deleted = deleted
        self.saves = saves
        self.records = records
    }

    fileprivate var finding: Finding {
        let time: Sentence = time.map { " at \($0)" } ?? ""
        return Check.massDelete.finding(
            "\(Phrase.count(deleted.count, "record")) deleted in \(saves == 1 ? "one transaction" : "\(saves) transactions")"
                + "\(time) by \(who); "
                + "\(deleted.left == 0 ? "none" : "\(deleted.left)") of that time \(deleted.left > 1 ? "are" : "is") left, and "
                + "the store has \(records == 0 ? "no record" : Phrase.count(records, "record")) now",
            severity: deleted.left > 0 || records >= deleted.count ? .warning : nil, entity: SettingsTable.entityName,
            cure: Self.advice)
    }

    /// What must not be done comes first.
    private static let advice: Cure = """
        do NOT open the app on a device that may still have these meters: it would delete them there too; take it \
        offline and copy its store first; the way back: \(command: "meterfix verify --explain mass-delete")
        """

    package var time: Timestamp? { deleted.save.time.map(Timestamp.init(secondsSince2001:)) }

    /// Never meterfix. A reset of the mirror: the app's data in iCloud was deleted, or another account is signed in.
    package var author: Author { Author(deleted.save) }

    private var who: String {
        switch author {
        case .otherDevice: "CloudKit's import"
        case .mirror(.reset): "a reset of CloudKit's mirror, as after a purge in iCloud or another account"
        case .mirror: "CloudKit's mirror"
        case .program(let name): name.map { "the app (\($0))" } ?? "the app"
        case .meterfix: "meterfix"
        }
    }
}

extension Session {
    /// What `mass-delete` finds, which every answer about the store says first.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func vanished() throws -> [Finding] { try vanishedRecords().map(\.finding) }

    /// Records that vanished together, the first time first.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func vanishedRecords() throws -> [VanishedRecords] { try historyOfRecords().vanished }
}
