package import CoreDataStore
internal import GRDB
package import MeterModel

extension Check {
    package static let walMissing = store(
        "wal-missing", .warning, "the -wal file, or a part of it, is missing, with recent changes",
        """
        The newest changes of this store are missing, or probably are, because the file that holds them is missing or \
        incomplete. The app writes changes to a second file, STORE-wal, and moves them to the main file later. A copy \
        without that file is older than what the user saw, and may not have a single record.

        Core Data keeps a -wal beside the store even when the app is closed, though it may be empty. A store in \
        journal mode WAL that came without a -wal is therefore probably incomplete: somebody copied the main file \
        alone. If a -shm file lists changes that are not in the main file, this is certain. An empty -wal is normal.

        A -wal can also be truncated, damaged, or from another store. SQLite reads it up to the first damaged page and \
        silently ignores the rest; if its first 32 bytes are damaged, it ignores all of it, and the next program that \
        writes to the store overwrites it. The other signs are a -shm file that lists more pages, complete changes after \
        the damaged page, and an end in the middle of a page. (A full disk or a power failure leaves such an end too, \
        and then nothing is missing: alone it is only a note.)

        Ask for the store again, all three files (STORE, STORE-wal, STORE-shm), copied while the app was closed. A \
        repair of this copy would repair old data, so every command that writes refuses it, unless \
        --accept-missing-wal says that the missing changes are lost for good. A SQLite tool may have removed the -wal, \
        or left such a -shm; then nothing is missing. meterfix itself leaves an empty -wal.
        """
    ) { check, session in
        let store = session.store
        return [
            store.missingLogFinding ?? store.brokenLogFinding ?? store.brokenJournalFinding ?? store.longFileFinding
        ].compactMap(\.self)
    }

    fileprivate static func cure(_ trace: MissingWAL, of files: StoreFiles) -> Cure {
        guard trace.log == .notDownloaded || trace.log.isAbsent && !files.orphanWALs().isEmpty else {
            return "ask for the store again, with its -wal file"
        }
        return .advice(Sentence(files.adviceOnMissingLog))
    }

    fileprivate static func message(_ trace: MissingWAL) -> String {
        let missing = trace.missingFrames
        let all = Phrase.count(trace.lastFrame, "page")
        let missingPages = "\(missing) of the log's \(all) \(missing == 1 ? "is" : "are")"
        let read = trace.readableFrames == 0 ? "none" : "only \(trace.readableFrames)"
        switch trace.log {
        case .alone:
            return
                "there is no -wal file, and Core Data keeps one even when the app is closed: the newest changes are "
                + "probably missing, perhaps every record"
        case .notDownloaded:
            return
                "the -wal file was not downloaded from iCloud Drive, there is only a placeholder: the newest changes are "
                + "missing, perhaps every record"
        case .absent: return "there is no -wal file, but by the -shm file \(missingPages) not in the main file"
        case .empty: return "the -wal file is empty, but by the -shm file \(missingPages) not in the main file"
        case .unreadable where trace.lastFrame == 0:
            return "the -wal file is damaged at its beginning: SQLite ignores all of it, and the newest changes with it"
        case .unreadable:
            return
                "the -wal file is damaged: SQLite ignores all of it, but by the -shm file \(missingPages) not in the "
                + "main file"
        case .foreign:
            return
                "the -wal file is from another store or an older copy: by the -shm file \(missingPages) neither in it nor "
                + "in the main file"
        case .cut where missing > 0:
            return
                "the -wal file is cut short or damaged: SQLite reads \(read) of its \(all), and by the -shm file "
                + "\(missing) \(missing == 1 ? "is" : "are") nowhere else"
        case .cut:
            return
                "the -wal file is cut short or damaged: SQLite reads \(read) of its \(all), and puts these older pages in "
                + "the place of newer ones in the main file"
        case .damaged:
            return
                "the -wal file is damaged in the middle: SQLite reads \(read) of its \(all), and changes that were "
                + "committed are in the others"
        case .zeros:
            return
                "the -wal file ends in zeros, which SQLite never writes: SQLite reads \(read) of its \(all), and what was in "
                + "the others is lost"
        }
    }
}

extension InspectedStore {
    /// What `wal-missing` finds, which every answer about the store says first; nil where it finds nothing.
    package var missingLogFinding: Finding? {
        missingLog.map { trace in
            // A main file alone may be all there is; one without a record hardly is.
            let isCertain = trace.log != .alone || settings != nil && addresses.records == 0
            return Check.walMissing.finding(
                Sentence(Check.message(trace)), severity: isCertain ? .error : nil, cure: Check.cure(trace, of: files))
        }
    }
}

extension InspectedStore {
    /// What `wal-missing` finds of a rollback journal, which a store has in the place of a log.
    fileprivate var brokenJournalFinding: Finding? {
        files.journalDamage.map { damage in
            let state =
                switch damage {
                case .foreign: "is none"
                case .cutShort: "is cut short"
                }
            return Check.walMissing.finding(
                "the -journal file \(state): SQLite cannot take back with it a change that is half made, and shows its values",
                severity: .error, cure: "ask for the store again, both files copied together while the app is closed")
        }
    }

    /// What `wal-missing` finds where SQLite reads less than the main file has, and no log tells why.
    fileprivate var longFileFinding: Finding? {
        let surplus = files.main.size - files.header.pageCount * files.header.pageSize
        guard files.header.pageCount > 0, surplus > 0, !files.hasLog else { return nil }
        return Check.walMissing.finding(
            "the main file has \(Phrase.count(surplus, "byte")) behind its last page, by its header, which SQLite does not "
                + "read: a change of which a part is missing, or bytes that a transfer added",
            severity: .note, cure: "if something is missed, ask for the store again, with its -wal file")
    }

    /// What `wal-missing` finds for certain where the log is there; nil where it finds nothing, or only a sign.
    package var lossOfLog: Finding? { brokenLogFinding.flatMap { $0.severity == .error ? $0 : nil } }

    /// What `wal-missing` finds where only the end of the log says that something may be missing.
    fileprivate var brokenLogFinding: Finding? {
        // A store without a record hardly is one that was emptied in this very moment.
        let isEmpty = settings != nil && addresses.records == 0
        let isWithoutCommit = isEmpty && files.hasLogWithoutCommit
        guard files.hasBrokenLog || isWithoutCommit else { return nil }
        return Check.walMissing.finding(
            isWithoutCommit
                ? "there is no record, and the -wal file has no whole change: it was probably cut off when it was copied"
                : "the -wal file ends in the middle of a page: unless the disk was full or the power failed, the rest was lost "
                    + "when it was copied, with the newest changes",
            severity: isEmpty ? .error : .note,
            cure: isEmpty
                ? "ask for the store again, with its -wal file"
                : "if something is missed, ask how many bytes the two files have on the device")
    }
}

extension Check {
    package static let filesMixed = store(
        "files-mixed", .error, "the main file and its -wal are of different moments",
        """
        What this copy shows never was: SQLite lays the pages of the -wal over those of the main file, whatever they \
        are. Some tables are older than others, and a repair would write that into every device.

        The two files were copied at different times, while the app was running, or one of them was put back from a \
        backup or has the name of another. The history tells: each save makes one transaction, so the log begins where \
        the main file ends, and the main file never has more than the log, nor rows that were saved more often (Z_OPT). \
        (A log that is cut off, that was restarted, or of which a part is in the main file is normal.)

        Or the -wal is that of another device's store, which the same version of the app has laid out in the same way: a \
        transaction that both have was made at another time, the mirror's history token in the log names another store, \
        or the log begins in a file of another size.

        Ask for the store again: all three files (STORE, STORE-wal, STORE-shm), copied together while the app is \
        closed. Every command that writes refuses this copy. `meterfix recover STORE OUT` makes a new store of what \
        can be read, for a look only.
        """
    ) { check, session in
        guard let reason = try session.contradictionOfFiles() else { return [] }
        return [
            check.finding(
                "the main file and its -wal \(areOfDifferentMoments): \(reason)", cure: Cure(stringLiteral: wholeCopy))
        ]
    }

    private static let areOfDifferentMoments = "are of different moments"
    private static let wholeCopy = "ask for the store again: all three files, copied together while the app is closed"

    /// What a command that writes says.
    package static func refusalOfMixedFiles(_ reason: String, at path: String) -> StoreError {
        StoreError(
            .damaged, at: path, "its main file and its -wal \(areOfDifferentMoments): \(reason)", hint: wholeCopy)
    }

    package static let notIntact = store(
        "not-intact", .error, "SQLite's own integrity check reports damage",
        """
        Pages or indexes of the file contradict each other. Nothing should be written to such a file: a change can \
        make the damage worse.

        Ask for the store again, with its -wal file, or in rollback mode with its -journal: most such files were \
        truncated or mixed up in transfer, or are half of a change that the journal would take back. If the damage is real, `meterfix recover STORE OUT` saves every row that can still be read in a new store, and lists \
        what is lost.
        """
    ) { _, session in try damage(session.database.integrityProblems(), in: session.store) }

    package static let indexDamaged = store(
        "index-damaged", .error, "an index does not agree with the rows of its table",
        """
        Every row of the store can be read; only what SQLite keeps to find rows by is wrong. Whoever looks for a row by \
        such an index misses it, or finds another one: the app may show less than there is, and other findings here may \
        be mistaken.

        `meterfix fix --all` makes these indexes again before anything else is planned, and proves that no row changed. \
        In a private copy they were found to be all that is damaged. Other commands refuse the store until then.
        """
    ) { _, _ in
        // `damage` finds it in what the check before it asks.
        []
    }

    /// What SQLite's own check says, as findings: of indexes, where they are all that is damaged.
    static func damage(_ problems: [String], in store: InspectedStore) throws(StoreError) -> [Finding] {
        guard !problems.isEmpty else { return [] }
        guard let indexes = try store.damagedIndexes() else { return problems.map { damage(Sentence($0), in: store) } }
        let cure = store.repair("fix \(indexDamaged.id)", changingRecords: false)
        return indexes.map {
            indexDamaged.finding("the index \($0.name) does not agree with the rows of \($0.table)", cure: cure)
        }
    }

    /// A part of the store that could not be read at all.
    static func unreadable(_ error: DatabaseError, in store: InspectedStore) -> Finding {
        damage("part of the store cannot be read: \(error.message ?? "malformed")", in: store)
    }

    static func damage(_ message: Sentence, in store: InspectedStore) -> Finding {
        notIntact.finding(message, cure: copyOrRecovery(of: store))
    }

    /// A whole copy is better than what can be saved of this one.
    private static func copyOrRecovery(of store: InspectedStore) -> Cure {
        .question(
            "ask for the store again, \(store.files.withItsLog); if there is no other copy, save what can be read",
            then: StoreCommand("recover", stores: [store.path, "recovered.sqlite"]))
    }
}

extension InspectedStore {
    /// The indexes that are all that is damaged; nil where more is, or may be.
    fileprivate func damagedIndexes() throws(StoreError) -> [DamagedIndex]? {
        guard damageOfRecords == nil, past == nil else { return nil }
        return try StoreConnection.damagedIndexes(at: path)
    }
}
