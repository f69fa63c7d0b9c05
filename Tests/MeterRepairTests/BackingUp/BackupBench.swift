import CoreDataStore
import MeterModel
import MeterTestSupport

@testable import MeterInspect
@testable import MeterJournal
@testable import MeterRepair

/// Makes a backup alone, without a change.
enum BackupBench {
    /// - Parameter files: what is taken for the store's files.
    static func back(up store: TestStore, as files: StoreFiles) throws {
        let connection = try StoreConnection.untouched(store.path)
        try connection.read { database in
            let inspected = try InspectedStore(
                StoreRequest(store.path, now: TestStore.now), files: files, database)
            _ = try Backup(
                of: inspected, in: BackupFolder(for: store.path, named: nil),
                ChangeOptions(now: TestStore.now)
                    .journal(of: "rebuild", number: 1, inspected, ContentsDigest(database)))
        }
        try connection.close()
    }
}
