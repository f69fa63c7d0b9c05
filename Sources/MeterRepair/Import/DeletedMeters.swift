internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// Meters whose records somebody deleted, as far as the history and the past of a store tell: imported, they come back on
/// every device.
enum DeletedMeters {
    /// Who deleted the last record of each, by address; none where the store has all of the wanted ones. Nothing where the
    /// store cannot be read: whoever changes it says why.
    /// - Parameters:
    ///   - wanted: the meters that are going to be there.
    ///   - backupFolder: the folder `--backup-dir` names; nil for the one beside the store.
    static func of(
        _ path: String, among wanted: some Sequence<MACAddress>, backupFolder: String?, now: Timestamp
    ) -> [MACAddress: RevivedMeter.Deletion] {
        let found = try? StoreConnection.look(at: path) { connection, database in
            let store = try InspectedStore(
                describing: StoreRequest(path, now: now), files: connection.files, database)
            return try deletions(in: store, among: wanted, backupFolder: backupFolder, database)
        }
        return found ?? [:]
    }

    private static func deletions(
        in store: InspectedStore, among wanted: some Sequence<MACAddress>, backupFolder: String?, _ database: Database
    ) throws -> [MACAddress: RevivedMeter.Deletion] {
        guard let settings = store.settings, let history = store.description.history,
            try history.hasDelete(ofEntities: settings.numbers, database)
        else { return [:] }
        // To read what was deleted takes longer than to see that nothing of it comes back.
        let present = try settings.addressIndex(database)
        guard wanted.contains(where: { present.rows(of: $0).isEmpty }) else { return [:] }
        var request = ChangeLog.Request()
        request.entity = settings.entity.name
        request.kind = .delete
        request.backupFolder = backupFolder
        var deletions: [MACAddress: RevivedMeter.Deletion] = [:]
        // The last one comes first.
        for entry in try ChangeLog.read(Session(store, database), request).entries {
            guard let address = entry.address, deletions[address] == nil else { continue }
            deletions[address] = RevivedMeter.Deletion(
                transaction: entry.transaction.save.transaction, time: entry.transaction.time,
                author: entry.transaction.save.names.first, isImport: entry.transaction.author == .otherDevice)
        }
        return deletions
    }
}
