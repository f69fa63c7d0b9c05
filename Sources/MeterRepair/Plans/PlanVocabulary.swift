internal import MeterModel

/// What the plans of one command can consist of.
struct PlanVocabulary: Sendable {
    /// Of changes, as in a report.
    let kinds: Set<String>
    /// By which fields are decided.
    let rules: Set<SurvivorshipRule>
    /// Of the store's metadata dictionary.
    let metadataKeys: Set<String>
    /// Keys of a document's `options`, beside `macCase`.
    let options: Set<String>

    private static let merging: Set<SurvivorshipRule> = [
        .newestNonEmpty, .fillNull, .canonicalText, .latestLock, .latestDiscovery, .earliest, .now,
    ]

    /// By the command's name.
    static let commands: [String: PlanVocabulary] = [
        "rebuild": PlanVocabulary(
            kinds: ["update", "delete", "metadata"], rules: merging, metadataKeys: [RebuildMarker.key],
            options: ["winner"]),
        "import-kv": PlanVocabulary(
            kinds: ["update", "insert", "metadata"],
            rules: [.newestNonEmpty, .now, .legacyFill, .legacyReplace, .newRecord],
            metadataKeys: [LegacyImportMarker.key], options: ["onConflict", "dump"]),
        "migrate": PlanVocabulary(
            kinds: ["schema", "metadata"], rules: [],
            metadataKeys: [
                "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
                "NSStoreModelVersionIdentifiers", "NSStoreModelVersionHashesVersion", "NSStoreType",
                "_NSAutoVacuumLevel", "NSPersistenceFrameworkVersion",
            ], options: ["model", "restoreMetadata"]),
        "unlock": PlanVocabulary(
            kinds: ["update"], rules: [.unlocked, .now], metadataKeys: [], options: ["mac"]),
        "set": PlanVocabulary(kinds: ["update"], rules: [.byHand, .now], metadataKeys: [], options: ["mac"]),
    ]

    func check(_ change: Change, by command: String, at place: PlanPlace) throws(PlanFlaw) {
        guard kinds.contains(change.kind) else {
            throw PlanFlaw(at: .member(place, "kind"), "`\(command)` plans no \(change.kind)")
        }
        switch change {
        case .update(let update): try check(update.fields, by: command, at: place)
        case .insert(let insertion): try check(insertion.fields, by: command, at: place)
        case .metadata(let change):
            guard metadataKeys.contains(change.key) else {
                throw PlanFlaw(at: .member(place, "key"), "`\(command)` does not change `\(change.key)`")
            }
        case .delete, .schema: break
        }
    }

    private func check(_ fields: [FieldChange], by command: String, at place: PlanPlace) throws(PlanFlaw) {
        for (index, change) in fields.enumerated() where !rules.contains(change.rule) {
            throw PlanFlaw(
                at: .member(.element(.member(place, "fields"), index), "rule"),
                "`\(command)` decides nothing by `\(change.rule.rawValue)`")
        }
    }
}

extension Change {
    /// The word for it in a report.
    fileprivate var kind: String {
        switch self {
        case .update: "update"
        case .delete: "delete"
        case .insert: "insert"
        case .schema: "schema"
        case .metadata: "metadata"
        }
    }
}
