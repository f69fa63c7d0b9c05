internal import CoreDataStore
internal import GRDB
internal import MeterModel

/// A store that came without its log.
struct WALMissing: StoreCheck {
    static let description = CheckDescription(
        "wal-missing", .warning, "the store came without its -wal file, and changes are missing from it",
        explanation: [
            """
            The app writes changes to a second file, STORE-wal, and moves them to the main file later. A copy without \
            that file is older than what the user saw, and can be without a single record.
            """,
            """
            The sign is a -shm file that was left beside the store: SQLite notes in it how much of the log is in the \
            main file, and here it says that not all of it is. Without a -shm nothing tells a store that came \
            without its log from one that was closed properly: ask when fewer records are there than expected.
            """,
            """
            Ask for the store again, all three files (STORE, STORE-wal, STORE-shm), copied while the app was closed. \
            A repair of this copy would be a repair of old data. A tool that opened the store for itself alone may \
            also have left such a -shm; then nothing is missing.
            """,
        ])

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let trace = store.files.traceOfMissingLog() else { return [] }
        let missing = trace.lastFrame - trace.checkpointedFrames
        let log = store.files.wal == nil ? "there is no -wal file" : "the -wal file is empty"
        return [
            description.finding(
                "\(log), but by the -shm file \(missing) of the log's \(Phrase.count(trace.lastFrame, "page")) "
                    + "\(missing == 1 ? "is" : "are") not in the main file",
                cure: "ask for the store again, with its -wal file")
        ]
    }
}
