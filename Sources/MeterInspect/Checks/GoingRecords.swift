internal import CoreDataStore
internal import MeterModel
internal import MeterStore

extension Check {
    static let recordMarkedDeleted = records(
        "record-marked-deleted", .note, "a record that the app itself marks as deleted, hidden or a duplicate",
        """
        The app does not show this record, and may delete it later. A Boolean that is true, or a date that is set, \
        marks it, in an attribute such as isDeleted, deletedAt, isHidden, isArchived or deduplicatedDate.

        The user deleted or hid the meter in the app, or the app found a second record of the meter.

        If the meter has another record without a mark, a rebuild keeps that one and gives it the name and the unit \
        that only the marked one has. It never copies a mark. If all records of a meter are marked, the one that is \
        kept stays marked. To get a hidden meter back, use the app.
        """
    ) { check, record, store in
        guard record.isMarked else { return [] }
        let marks = record.layout.marks.map { (field: record.layout.fields[$0], place: $0) }
            .filter { record.values[$0.place].isMark($0.field.kind) }
        let words = marks.map { mark in
            mark.field.kind == .boolean
                ? mark.field.name : "\(mark.field.name) \(record.values[mark.place].display(as: mark.field.kind))"
        }
        return [
            check.finding(
                "the app marks this record as gone: \(Phrase.list(words))", about: record, in: store,
                cure: "do nothing: a rebuild keeps a record without such a mark where the meter has one")
        ]
    }

    package static let deletePendingAlive = store(
        "delete-pending-alive", .error, "a record that is there although it is about to be deleted in CloudKit",
        """
        This record will be gone on every device: the mirror's metadata or the history says that it is to be deleted, \
        in iCloud or here, and yet it is in the store. Whatever is typed into it is lost with it.

        The app was closed, or went offline, while the mirror was deleting a record; or a tool wrote the record back \
        and left the mirror's tables and the history as they were.

        Let this device sync first: open the app online and leave it open until `meterfix sync` on a new copy shows \
        nothing pending. Then verify again. If the meter has another record, `meterfix rebuild` keeps that one, and \
        gives it the name and the unit of this one. If it has no other, note its name before: `meterfix show` has it. \
        meterfix does not change the mirror's tables.
        """
    ) { check, session in
        guard let settings = session.settings, let signs = try session.mirrorSigns() else { return [] }
        let going = signs.going.filter { settings.numbers.contains($0.entityNumber) }
        let isAll = going.count == session.store.addresses.records
        let first = isAll ? "save a copy of this store first, with its -wal: nothing of it stays; " : ""
        return try session.findings(about: going.map(\.row).sorted()) { record in
            check.finding(
                "the record is there, and CloudKit's mirror is about to delete it", about: record,
                in: session.store,
                cure: session.store.inApp(
                    .advice(
                        "\(first)note its name and unit, which are lost; then \(letItSync); \(session.store.command("sync")) tells"
                    )))
        }
    }

    /// What has to happen before anything is decided by such a record.
    package static let letItSync =
        "let this device sync first: open the app online, signed in to iCloud, and leave it open until nothing is pending"
}
