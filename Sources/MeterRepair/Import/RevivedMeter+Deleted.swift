internal import CoreDataStore
internal import GRDB
internal import MeterInspect
internal import MeterModel
internal import MeterStore

extension RevivedMeter {
    /// Meters whose records somebody deleted, by address, as far as the history and the past of a store tell: imported, they
    /// come back on every device. None where the store has all of the wanted ones, and where it cannot be read: whoever
    /// changes it says why.
    /// - Parameters:
    ///   - wanted: the meters that are going to be there.
    ///   - backupFolder: the folder `--backup-dir` names; nil for the one beside the store.
    static func deleted(
        in path: String, among wanted: some Sequence<MACAddress>, backupFolder: String?, now: Timestamp
    ) -> [MACAddress: RevivedMeter] {
        let found = try? StoreConnection.look(at: path) { connection, database in
            let store = try InspectedStore(StoreRequest(path, now: now), files: connection.files, database)
            return try Session(store, database).meterSession
                .map { try deletions(in: $0, among: wanted, backupFolder: backupFolder) }
        }
        return found.flatMap(\.self) ?? [:]
    }

    private static func deletions(
        in session: MeterSession, among wanted: some Sequence<MACAddress>, backupFolder: String?
    ) throws -> [MACAddress: RevivedMeter] {
        let settings = session.settings
        guard try session.history?.hasDelete(ofEntities: settings.numbers, session.database) == true else { return [:] }
        // To read what was deleted takes longer than to see that nothing of it comes back.
        let present = session.store.addresses
        guard wanted.contains(where: { present.records(of: $0).isEmpty }) else { return [:] }
        var request = ChangeLog.Request()
        request.entity = settings.entity.name
        request.kind = .delete
        request.backupFolder = backupFolder
        var deletions: [MACAddress: RevivedMeter] = [:]
        // The last one comes first.
        for entry in try ChangeLog.read(session.base, request).entries {
            guard let address = entry.address, deletions[address] == nil else { continue }
            deletions[address] = RevivedMeter(
                address, transaction: entry.transaction.save.transaction, time: entry.transaction.time,
                author: entry.transaction.save.names.first, isImport: entry.transaction.author == .otherDevice)
        }
        return deletions
    }
}
