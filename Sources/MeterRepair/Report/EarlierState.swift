internal import CoreDataStore
package import MeterInspect
internal import MeterJournal
package import MeterModel

/// What a backup says of the store as it was when the backup was made.
package struct EarlierState: Sendable {
    package let madeAt: Timestamp
    /// The backup, as a path the user can type.
    package let backup: String
    package let letterCase: LetterCase
    package let meters: [MeterSummary]
    /// What the checks found there, those that found something.
    package let findings: [TicketReport.CheckResult]

    /// - Throws: `StoreError` where the backup's files cannot be read.
    init(_ entry: BackupEntry, _ journal: BackupManifest, now: Timestamp) throws(StoreError) {
        let state = try Session.look(at: entry.mainFile(journal), named: entry.path, now: now) { session in
            let found = try Verify.report(of: session, VerifyOptions(now: now))
            return (
                session.store.letterCase, try session.meterSession.map(MeterList.init(of:))?.meters ?? [],
                TicketReport.results(found.findings, in: session.store).filter(\.foundSomething)
            )
        }
        madeAt = journal.madeAt
        backup = entry.path
        (letterCase, meters, findings) = state
    }

    /// Nil where the backup cannot be read.
    /// - Throws: `StoreError` where the user asked to stop.
    static func readable(
        _ entry: BackupEntry, _ journal: BackupManifest, now: Timestamp
    ) throws(StoreError) -> EarlierState? {
        try BackupEntry.ifReadable { () throws(StoreError) in try EarlierState(entry, journal, now: now) }
    }

    /// The last one in which there are meters; nil where no backup has any. Backups that cannot be read are passed over.
    /// - Throws: `StoreError` where the user asked to stop.
    static func lastWithMeters(in stack: BackupStack, now: Timestamp) throws(StoreError) -> EarlierState? {
        for entry in stack.entries.reversed() {
            guard let journal = entry.journal, let state = try readable(entry, journal, now: now),
                state.meters.contains(where: { $0.address != nil })
            else { continue }
            return state
        }
        return nil
    }
}
