package import CoreDataStore
package import MeterInspect
package import MeterJournal
package import MeterModel

/// How a command that writes is to be run.
package struct ChangeOptions: Sendable {
    package var isDryRun = false
    package var now: Timestamp
    /// The case of canonical addresses; nil to read it from the data.
    package var letterCase: LetterCase?
    /// The case of canonical addresses where it is read from the data and the data tells none; nil for upper case.
    var fallbackCase: LetterCase?
    /// The store's model; nil to go by the one it carries.
    package var model: ModelFile?
    /// Where backups go; nil for the folder beside the store.
    package var backupFolder: String?
    package var makesBackup = true
    /// The store is being made: there is nothing to save, and nothing to warn of.
    var isNewStore = false
    /// Of how many records of each list the report has the names.
    package var shownNames = 0
    /// The command line, without the program, for the backup's journal.
    package var arguments: [String] = []
    /// Who runs it, for the same.
    package var person: Person?
    /// What they say of it, for the same.
    package var note: String?
    /// Go on where a refusal says that one may.
    package var force = false
    /// Change a store that came without its newest changes, or probably did.
    package var acceptsMissingLog = false
    /// Of the only plan that may be carried out; nil for any.
    package var expected: PlanFingerprint?
    /// Where an import writes what it cannot use; a new file.
    package var rejectsFile: String?
    /// The file that the change is read from. It may be none that is changed.
    package var inputFile: String?
    /// Told what the user must know before the change is made.
    package var warn: @Sendable (String) -> Void = { _ in }

    package init(now: Timestamp) { self.now = now }

    /// `Z_UUID` of a store; nil for one that is being made, whose identity the moment decides.
    func uuid(of store: InspectedStore) -> String? { isNewStore ? nil : store.description.metadata.uuid }

    /// Of a change that is about to be made, without the files that are saved before it.
    /// - Parameters:
    ///   - contents: of the store.
    ///   - restored: the entry whose files will be put back; nil for none.
    func journal(
        of command: String, number: Int, _ store: InspectedStore, _ contents: ContentsDigest, restored: String? = nil
    ) -> BackupManifest {
        BackupManifest(
            number: number, command: command, arguments: arguments, person: person, note: note, store: store.files.name,
            storeUUID: store.description.metadata.uuid, madeAt: now, files: [], before: contents, restored: restored)
    }

    /// - Parameter path: of the store, as the user gave it.
    func request(_ path: String) -> StoreRequest {
        StoreRequest(path, now: now, letterCase: letterCase, fallbackCase: fallbackCase, model: model)
    }
}
