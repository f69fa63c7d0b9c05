internal import CoreDataStore
package import JSON
internal import MeterJournal

extension ChangeHistory {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: BackupManifest.undoCommand, store: store) + [
                .init("folder", folder), .init("changes", items.map(\.json)),
            ])
    }
}

extension ChangeHistory.Item {
    fileprivate var json: JSONValue {
        [
            "madeAt": madeAt, "command": command, "inUse": isFirstAid, "version": journal?.version,
            "arguments": journal?.arguments ?? [], "summary": counts?.json, "state": state?.rawValue, "next": isNext,
            "restored": journal?.restored, "entry": entry?.name, "backup": backup,
            "bytes": journal?.files.reduce(0) { $0 + $1.digest.size }, "damaged": isDamaged, "problem": problem,
            "historyTransaction": transaction, "by": journal?.person, "note": journal?.note, "account": account,
            "source": journal != nil ? "journal" : transaction != nil ? "history" : nil,
        ]
    }
}

extension ChangeHistory.Counts {
    fileprivate var json: JSONValue { ["updated": updated, "deleted": deleted, "inserted": inserted] }
}
