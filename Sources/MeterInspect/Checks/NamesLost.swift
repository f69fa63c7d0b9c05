internal import MeterModel
internal import MeterStore

extension Check {
    package static let namesLost = meters(
        "names-lost", .note, "the store's files have names or units that no record has any more",
        """
        Meters once had other names or units than their records have now, or had a record that no longer exists, and \
        the store's files still say which. The -wal often has the states after the last transactions, and what was \
        deleted or overwritten remains in free space for a while.

        Most often nothing is wrong: the user renamed a meter, or changed its unit. It matters if a name is missed: \
        after an import that replaced names, a reset of CloudKit's mirror, or a meter that vanished.

        `meterfix lost` lists the values, with those in backups, says how certain each one is, and names the command \
        that gives it back. Save a copy of the store first: each time the app opens it, some of them may be \
        overwritten.
        """
    ) { check, session in
        guard let lost = try session.meterSession.map({ try FormerValues(of: $0) }) else { return [] }
        let message: Sentence? =
            if let counts = lost.counts {
                "its files have \(counts) that meters once had and no record has now"
                    + (lost.reach.isComplete ? "" : ", and remains of more deleted records than were read")
            } else if !lost.reach.isComplete {
                "its files have remains of more deleted records than were read: whether names are lost is not known"
            } else {
                nil
            }
        guard let message else { return [] }
        return [
            check.finding(
                message,
                entity: SettingsTable.entityName,
                cure: .advice("if a name or a unit is missed: \(session.store.command("lost")) lists them"))
        ]
    }
}
