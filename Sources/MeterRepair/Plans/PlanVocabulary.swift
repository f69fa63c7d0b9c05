internal import MeterInspect
internal import MeterModel

/// What the plans of one command can consist of.
struct PlanVocabulary: Sendable {
    /// Of changes: as in a report, but a delete in CloudKit only is a kind of its own.
    let kinds: Set<String>
    /// By which fields are decided.
    let rules: Set<SurvivorshipRule>
    /// Of the store's metadata dictionary.
    let metadataKeys: Set<String>
    /// Keys of a document's `options`, beside `macCase`.
    let options: Set<String>
    /// Whether a record without a usable address may be changed.
    var takesAnyRecord = false

    func check(_ change: Change, by command: WritingCommand, at place: PlanPlace) throws(PlanError) {
        guard kinds.contains(change.kind) else {
            throw PlanError(at: .member(place, "kind"), "`\(command.rawValue)` plans no \(change.kind)")
        }
        switch change {
        case .update(let update):
            try check(update.address, by: command, at: place)
            try check(update.fields, by: command, at: place)
        case .delete(let deletion):
            try check(deletion.address, by: command, at: place)
            guard (deletion.merger == nil) == (command == .delete) else {
                throw PlanError(
                    at: .member(place, "mergedInto"),
                    command == .delete
                        ? "`delete` merges no record" : "`\(command.rawValue)` deletes nothing without merging it")
            }
        case .insert(let insertion): try check(insertion.fields, by: command, at: place)
        case .metadata(let change):
            guard metadataKeys.contains(change.key) else {
                throw PlanError(at: .member(place, "key"), "`\(command.rawValue)` does not change `\(change.key)`")
            }
        case .cloudDelete, .schema: break
        }
    }

    private func check(
        _ address: MACAddress?, by command: WritingCommand, at place: PlanPlace
    ) throws(PlanError) {
        guard takesAnyRecord || address != nil else {
            throw PlanError(at: .member(place, "mac"), "`\(command.rawValue)` changes no record without an address")
        }
    }

    private func check(_ fields: [FieldChange], by command: WritingCommand, at place: PlanPlace) throws(PlanError) {
        for (index, change) in fields.enumerated() where !rules.contains(change.rule) {
            throw PlanError(
                at: .member(.element(.member(place, "fields"), index), "rule"),
                "`\(command.rawValue)` decides nothing by `\(change.rule.rawValue)`")
        }
    }
}

extension PlanVocabulary {
    /// Nil for a command that writes no plans.
    /// - Parameter options: that decided the plan.
    init?(of command: WritingCommand, _ options: [PlanOption] = []) {
        switch command {
        case .rebuild where options.contains(.inUse):
            self.init(kinds: ["update"], rules: [.newestNonEmpty], metadataKeys: [], options: [PlanOption.inUse.key])
        case .rebuild:
            self.init(
                kinds: ["update", "delete", "metadata"], rules: Set(Survivorship.allCases.compactMap(\.rule)),
                metadataKeys: [RebuildMarker.key], options: ["winner", PlanOption.inUse.key])
        case .importKV:
            self.init(
                kinds: ["update", "insert", "metadata"],
                rules: [.newestNonEmpty, .now, .legacyFill, .legacyReplace, .newRecord],
                metadataKeys: [LegacyImportMarker.key], options: ["onConflict", "dump"])
        case .migrate:
            self.init(
                kinds: ["schema", "metadata"], rules: [],
                metadataKeys: [
                    "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
                    "NSStoreModelVersionIdentifiers", "NSStoreModelVersionHashesVersion", "NSStoreType",
                    "_NSAutoVacuumLevel", "NSPersistenceFrameworkVersion", ZoneFetchMarker.key,
                ], options: ["model", "restoreMetadata"])
        case .unlock: self.init(kinds: ["update"], rules: [.unlocked, .now], metadataKeys: [], options: ["mac"])
        case .set:
            self.init(
                kinds: ["update"], rules: [.byHand, .now], metadataKeys: [], options: ["mac", "row"],
                takesAnyRecord: true)
        case .delete:
            self.init(
                kinds: ["delete"], rules: [], metadataKeys: [], options: ["row", "force"], takesAnyRecord: true)
        case .fix:
            self.init(
                kinds: ["update", "metadata", Change.cloudDeleteKind, Change.bookkeepingKind],
                rules: [.newIdentity, .unlocked, .unreadable, .understood, .now], metadataKeys: [RebuildMarker.key],
                options: ["ids"], takesAnyRecord: true)
        case .apply, .restoreRecord: return nil
        }
    }
}

extension Change {
    fileprivate static let cloudDeleteKind = "delete of what is gone"
    fileprivate static let bookkeepingKind = "change of Core Data's bookkeeping"

    /// The word for it in a report.
    fileprivate var kind: String {
        switch self {
        case .update: "update"
        case .delete: "delete"
        case .cloudDelete: Self.cloudDeleteKind
        case .insert: "insert"
        case .schema(let change): change.isBookkeeping ? Self.bookkeepingKind : "schema"
        case .metadata: "metadata"
        }
    }
}
