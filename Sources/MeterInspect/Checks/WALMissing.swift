internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A store without its WAL.
struct WALMissing: StoreCheck {
    static let description = CheckDescription(
        "wal-missing", .warning, "the -wal file, or a part of it, is missing, and changes with it",
        explanation: [
            """
            The newest changes of this store are missing: they were in a file that is not here, or not whole. The app \
            writes changes to a second file, STORE-wal, and moves them to the main file later. A copy without that \
            file is older than what the user saw, and may not have a single record.
            """,
            """
            The sign is a -shm file beside the store: SQLite records in it how much of the WAL is in the main file, \
            and here it says that not all of it is. Without a -shm, a store that came without its WAL looks like one \
            that was closed properly: ask if there are fewer records than expected.
            """,
            """
            A -wal that is there can be truncated, damaged, or of another store. SQLite reads it up to the first \
            damaged page and silently ignores the rest. The signs are a -shm file that knows of more pages, and \
            complete changes after the damaged page.
            """,
            """
            Ask for the store again, all three files (STORE, STORE-wal, STORE-shm), copied while the app was closed. A \
            repair of this copy would be a repair of old data. A tool that opened the store in exclusive mode may also \
            have left such a -shm; then nothing is missing.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let trace = store.files.traceOfMissingLog() else { return [] }
        return [description.finding(message(trace), cure: cure(trace, of: store.files))]
    }

    private static func cure(_ trace: MissingWAL, of files: StoreFiles) -> String {
        guard trace.log.isAbsent, !files.orphanWALs().isEmpty else {
            return "ask for the store again, with its -wal file"
        }
        return files.adviceOnMissingLog
    }

    private static func message(_ trace: MissingWAL) -> String {
        let missing = trace.missingFrames
        let all = Phrase.count(trace.lastFrame, "page")
        let missingPages = "\(missing) of the log's \(all) \(missing == 1 ? "is" : "are")"
        let read = trace.readableFrames == 0 ? "none" : "only \(trace.readableFrames)"
        switch trace.log {
        case .absent: return "there is no -wal file, but by the -shm file \(missingPages) not in the main file"
        case .empty: return "the -wal file is empty, but by the -shm file \(missingPages) not in the main file"
        case .unreadable:
            return
                "the -wal file is damaged: SQLite ignores all of it, but by the -shm file \(missingPages) not in the "
                + "main file"
        case .foreign:
            return
                "the -wal file is of another store or an older copy: by the -shm file \(missingPages) neither in it nor "
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
        }
    }
}
