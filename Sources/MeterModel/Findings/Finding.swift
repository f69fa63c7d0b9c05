/// How much a finding matters.
package enum Severity: String, Sendable, CaseIterable, Comparable {
    /// Repair needed.
    case error
    /// A person should look.
    case warning
    /// Good to know.
    case note

    private var weight: Int {
        switch self {
        case .error: 2
        case .warning: 1
        case .note: 0
        }
    }

    package static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }
}

/// Something `verify` has to say about a store.
package struct Finding: Hashable, Sendable {
    /// The check's id, a stable word.
    package var id: String
    package var severity: Severity
    package var entity: String?
    /// `Z_PK` of the records it is about.
    package var rows: [Int64]
    /// The address of the meter it is about, in canonical text.
    package var mac: String?
    package var message: Sentence
    /// Of a meter with several records, whether the one that the app finds first lacks no name or unit that another has;
    /// nil for every other finding, and where the records cannot be read.
    package var levelled: Bool?
    package var cure: Cure
    /// The command that helps at once while devices are in use, and leaves the cure for later; nil where none does.
    package var firstAid: StoreCommand?

    package init(
        id: String, severity: Severity, entity: String? = nil, rows: [Int64] = [], mac: String? = nil,
        message: Sentence, cure: Cure
    ) {
        self.id = id
        self.severity = severity
        self.entity = entity
        self.rows = rows
        self.mac = mac
        self.message = message
        self.cure = cure
    }
}

/// What every answer about a store says before anything else, since nothing after it can be read without knowing it.
package enum StoreAlert: Hashable, Sendable {
    /// The answer is about a state of the past: which one.
    case past(Sentence)
    /// Records that were deleted and made again (`delete-storm`): an error while nobody may open the app, else a note.
    case storm(Finding)
    /// Rows that CloudKit's mirror deletes here as soon as the app opens (`mirror-deletes-here`).
    case deletion(Finding)
    /// Records that vanished together (`mass-delete`): what must not be done now.
    case vanished(Finding)
    /// The store was put together from what could be read of a damaged one (`recovered-store`).
    case recovered(Finding)
    /// The newest changes are missing, or probably are (`wal-missing`).
    case missingLog(Finding)
    /// A part of the store cannot be read, or is not as it was written (`not-intact`).
    case damaged(Finding)
    /// A file of the store has several names: what that means.
    case otherNames(String)
}

extension [StoreAlert] {
    /// What `delete-storm` finds while deletes are pending; nil where it finds nothing, or they are not.
    package var pendingStorm: Finding? {
        for case .storm(let finding) in self where finding.severity != .note { return finding }
        return nil
    }

    /// What `recovered-store` finds; nil where it finds nothing.
    package var recovery: Finding? {
        lazy.compactMap { if case .recovered(let finding) = $0 { finding } else { nil } }.first
    }

    /// Those that `verify` finds too.
    package var findings: [Finding] {
        compactMap { alert in
            switch alert {
            case .storm(let finding), .deletion(let finding), .vanished(let finding), .recovered(let finding),
                .missingLog(let finding), .damaged(let finding):
                finding
            case .past, .otherNames: nil
            }
        }
    }

    /// What whoever changes the store has to know too.
    package var ofChanges: [StoreAlert] {
        closing + [recovery.map(StoreAlert.recovered)].compactMap(\.self)
    }

    /// Those that forbid to open the app, to let it sync and to give the store back.
    package var closing: [StoreAlert] {
        filter { alert in
            switch alert {
            case .storm(let finding): finding == pendingStorm
            case .deletion, .vanished: true
            case .past, .recovered, .missingLog, .damaged, .otherNames: false
            }
        }
    }

    /// What `mirror-deletes-here` finds.
    package var deletions: [Finding] {
        compactMap { if case .deletion(let finding) = $0 { finding } else { nil } }
    }

    /// What `mass-delete` finds.
    package var vanished: [Finding] {
        compactMap { if case .vanished(let finding) = $0 { finding } else { nil } }
    }

    /// What `not-intact` finds, as far as it was asked; nil where it finds nothing.
    package var damage: Finding? {
        lazy.compactMap { if case .damaged(let finding) = $0 { finding } else { nil } }.first
    }

    /// What `wal-missing` finds; nil where it finds nothing.
    package var missingLog: Finding? {
        lazy.compactMap { if case .missingLog(let finding) = $0 { finding } else { nil } }.first
    }
}
