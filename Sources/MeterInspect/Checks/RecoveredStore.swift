internal import CoreDataStore
internal import GRDB
internal import MeterModel

extension Check {
    package static let recoveredStore = store(
        "recovered-store", .note, "the store was put together from what could be read of a damaged one",
        """
        What is missing in this store may still be in CloudKit, so nothing may be deleted there because it is not \
        here. `meterfix recover` made the store, and noted it there, or SQLite's own `.recover` did, which leaves a \
        table `lost_and_found` with the rows whose table it did not know.

        What such a store says of CloudKit cannot be trusted: of a lost record, the mirror's metadata may be left, and \
        the history may lack the last changes. If such a store is mirrored, no finding names a repair that deletes a \
        record, and `meterfix fix mirror-orphan` is refused.

        Ask for the damaged store itself, with its -wal, and for the store of another device. If records are missing, \
        let them come down again: another device of the user still has them, and so does the app on a device where it \
        downloads everything from iCloud. `meterfix compare` shows what this store lacks.
        """
    ) { check, session in
        let origins = try session.description.recoveries.map { try origin($0, session.database) }
        guard !origins.isEmpty else { return [] }
        return [check.finding(origins.joinedByAnd, cure: otherCopy(of: session.store))]
    }

    private static func origin(_ recovery: StoreRecovery, _ database: Database) throws -> Sentence {
        switch recovery {
        case .meterfix(let date):
            let moment: Sentence = date.map { " at \(Timestamp(secondsSince2001: $0))" } ?? ""
            return "`meterfix recover` put this store together\(moment), and could perhaps not read everything"
        case .sqlite(let table):
            let rows = try database.rowCounts(of: [table])[table] ?? 0
            guard rows > 0 else { return "this store was put together from a damaged one: it has the table \(table)" }
            return
                "another tool put this store together, SQLite's .recover or one like it: the table \(table) has "
                + "\(Phrase.count(rows, "row")) whose table is not known"
        }
    }

    private static func otherCopy(of store: InspectedStore) -> Cure {
        store.description.mirror == nil
            ? "ask for the damaged store itself, with its -wal, and for a backup of it"
            : """
            nothing may be deleted from iCloud on the word of this store: what is missing here can come down again from \
            there; ask for the store of another device, and for the damaged one itself
            """
    }
}

extension InspectedStore {
    /// Why no repair of this store may delete a record, as an advice; nil where one may. What was never in CloudKit cannot
    /// be deleted there.
    package var reasonNotToDelete: String? {
        if sharesCloudRecords {
            return "nothing may be deleted while several rows have one record in iCloud: see "
                + Check.mirrorDuplicateMetadata.id
        }
        return reasonOfRecovery
    }

    /// Why nothing may be deleted from iCloud, whoever asks for it; nil where the store is no recovered one.
    package var reasonOfRecovery: String? {
        guard description.mirror != nil, !description.recoveries.isEmpty else { return nil }
        return "nothing may be deleted from iCloud on the word of a recovered store: see \(Check.recoveredStore.id)"
    }
}
