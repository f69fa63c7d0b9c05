package import MeterModel

/// The checks whose findings `fix` cures, by their ids. One more is a case here; the compiler shows where it has to be
/// planned and told of. In the order of the checks.
package enum FixableCheck: String, CaseIterable, Sendable {
    /// Damaged indexes are made again, before anything else is planned.
    case indexDamaged = "index-damaged"
    /// The last row number that was given out becomes the largest one there is.
    case primaryKeyBehind = "primary-key-behind"
    /// Rows get the number of the one entity whose table they are in.
    case entityNumberMismatch = "entity-number-mismatch"
    /// A delete in the history for record metadata whose object is gone.
    case mirrorOrphan = "mirror-orphan"
    /// A unique index of another tool is dropped.
    case foreignIndex = "foreign-index"
    /// A trigger of another tool, or one that needs a missing table, is dropped.
    case foreignTrigger = "foreign-trigger"
    /// A value that another tool wrote as text becomes what it was meant to be.
    case valueType = "value-type"
    /// A unit that is understood gets the app's word for it.
    case unitUnknown = "unit-unknown"
    /// What there is of the lock is cleared.
    case lockTorn = "lock-torn"
    /// The lock is cleared.
    case lockExpired = "lock-expired"
    /// The text is cleared.
    case metadataBlobMalformed = "metadata-blob-malformed"
    /// An id for records that have none.
    case idMissing = "id-missing"
    /// A new id for all records but the one that a rebuild would keep.
    case idDuplicate = "id-duplicate"
    /// The marker is set, as a rebuild does.
    case rebuildMarkerMissing = "rebuild-marker-missing"
    case rebuildMarkerOld = "rebuild-marker-old"

    /// Whether it is carried out only by its name: it takes something from the store, or from the cloud, that somebody may
    /// miss.
    package var isOptIn: Bool {
        switch self {
        // It deletes records on all of the user's devices that may be the last copies; the text is nowhere else.
        case .mirrorOrphan, .metadataBlobMalformed: true
        case .indexDamaged, .primaryKeyBehind, .entityNumberMismatch, .foreignIndex, .foreignTrigger, .valueType,
            .unitUnknown, .lockTorn, .lockExpired, .idMissing, .idDuplicate, .rebuildMarkerMissing, .rebuildMarkerOld:
            false
        }
    }

    /// Whether it changes records, which is written into the history.
    package var changesRecords: Bool { isOfRecords || self == .mirrorOrphan }

    /// Whether its finding is made by a check that visits every record.
    package var isOfRecords: Bool {
        switch self {
        case .valueType, .unitUnknown, .lockTorn, .lockExpired, .metadataBlobMalformed, .idMissing, .idDuplicate: true
        case .indexDamaged, .primaryKeyBehind, .entityNumberMismatch, .mirrorOrphan, .foreignIndex, .foreignTrigger,
            .rebuildMarkerMissing, .rebuildMarkerOld:
            false
        }
    }

    /// What to say where a store does not need it.
    package var absence: String {
        switch self {
        case .indexDamaged: "SQLite finds no damage"
        case .primaryKeyBehind: "no row number is larger than the last one in use"
        case .entityNumberMismatch: "every row has the number of its entity"
        case .mirrorOrphan: "no CloudKit record metadata is an orphan"
        case .foreignIndex: "no unique index is of another tool"
        case .foreignTrigger: "no trigger is of another tool, and none needs a missing table"
        case .valueType: "every value is of the type that Core Data stores"
        case .unitUnknown: "the app knows every unit"
        case .lockTorn: "no lock has some of its fields missing"
        case .lockExpired: "no lock has expired"
        case .metadataBlobMalformed: "every JSON attribute can be read"
        case .idMissing: "every record has an id"
        case .idDuplicate: "no id is on several records"
        case .rebuildMarkerMissing: "the store has a rebuild marker, or meterfix has not rebuilt it"
        case .rebuildMarkerOld: "the rebuild marker is not from an earlier rebuild"
        }
    }
}

extension Finding {
    /// Whether a person has to look at it before anything in the store is changed.
    package var isForPersonFirst: Bool {
        let checks = [
            Check.modelHashMismatch.id, Check.entityNameDuplicate.id, Check.tableMissing.id,
            Check.mirrorNotDownloaded.id,
        ]
        return cure.command == nil && checks.contains(id)
    }

    /// Whether the whole repair cures it.
    package var isCuredByWholeRepair: Bool {
        guard case .command(let command) = cure else { return false }
        if command.words == "fix --all" { return true }
        switch WritingCommand(rawValue: String(command.name)) {
        case .rebuild: return true
        case .migrate: return !command.words.contains("--model")
        // A lock, too, which `unlock` clears by itself.
        case .fix, .unlock: return FixableCheck(rawValue: id).map { !$0.isOptIn } ?? false
        case .importKV, .restoreRecord, .set, .delete, nil: return false
        }
    }

    /// What must hold on the user's devices before the command that cures it; nil where that does not matter: as before a
    /// cure that changes no record, of which no device learns.
    var condition: WritingCommand.Condition? {
        guard case .command(let command) = cure, let writing = WritingCommand(rawValue: String(command.name)) else {
            return nil
        }
        if writing == .fix, let check = FixableCheck(rawValue: id), !check.changesRecords { return nil }
        return writing.condition
    }
}
