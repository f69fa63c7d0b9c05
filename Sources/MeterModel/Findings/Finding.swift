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

/// Something `verify` has to say about a store. (One object that everybody shares: a messy store has a finding for every
/// record, and answers pass over all of them several times. Most show a few of them: what is said is made when it is read.)
package final class Finding: Sendable {
    /// The check's id, a stable word.
    package let id: String
    package let severity: Severity
    package let entity: String?
    /// `Z_PK` of the records it is about.
    package let rows: [Int64]
    /// The address of the meter it is about.
    private let address: MACAddress?
    /// Of the address as it is shown.
    private let letterCase: LetterCase
    private let text: @Sendable () -> Sentence
    /// Of a meter with several records, whether the one that the app finds first lacks no name or unit that another has;
    /// nil for every other finding, and where the records cannot be read.
    package let showsEverything: Bool?
    package let cure: Cure
    /// The command that helps at once while devices are in use, and leaves the cure for later; nil where none does.
    package let firstAid: StoreCommand?

    /// - Parameter message: made each time that it is read.
    package convenience init(
        id: String, severity: Severity, entity: String? = nil, rows: [Int64] = [], about address: MACAddress? = nil,
        in letterCase: LetterCase = .upper, message: @escaping @Sendable @autoclosure () -> Sentence,
        showsEverything: Bool? = nil, cure: Cure, firstAid: StoreCommand? = nil
    ) {
        self.init(
            id: id, severity: severity, entity: entity, rows: rows, about: address, in: letterCase, text: message,
            showsEverything: showsEverything, cure: cure, firstAid: firstAid)
    }

    /// - Parameter text: makes the message, each time that it is read.
    package init(
        id: String, severity: Severity, entity: String? = nil, rows: [Int64] = [], about address: MACAddress? = nil,
        in letterCase: LetterCase = .upper, text: @escaping @Sendable () -> Sentence, showsEverything: Bool? = nil,
        cure: Cure, firstAid: StoreCommand? = nil
    ) {
        self.id = id
        self.severity = severity
        self.entity = entity
        self.rows = rows
        self.address = address
        self.letterCase = letterCase
        self.text = text
        self.showsEverything = showsEverything
        self.cure = cure
        self.firstAid = firstAid
    }

    package var message: Sentence { text() }

    /// The address of the meter it is about, in canonical text.
    package var mac: String? { address?.text(in: letterCase) }

    /// The same with another severity.
    package func with(_ severity: Severity) -> Finding {
        Finding(
            id: id, severity: severity, entity: entity, rows: rows, about: address, in: letterCase, text: text,
            showsEverything: showsEverything, cure: cure, firstAid: firstAid)
    }

    /// The same with something else to do about it.
    package func with(_ cure: Cure, firstAid: StoreCommand? = nil) -> Finding {
        Finding(
            id: id, severity: severity, entity: entity, rows: rows, about: address, in: letterCase, text: text,
            showsEverything: showsEverything, cure: cure, firstAid: firstAid)
    }
}

extension Finding: Hashable {
    package static func == (left: Finding, right: Finding) -> Bool {
        left === right
            || left.id == right.id && left.severity == right.severity && left.entity == right.entity
                && left.rows == right.rows && left.address == right.address && left.message == right.message
                && left.showsEverything == right.showsEverything && left.cure == right.cure
                && left.firstAid == right.firstAid
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(rows)
    }
}

/// What every answer about a store says before anything else, since nothing after it can be read without knowing it.
package enum StoreAlert: Hashable, Sendable {
    /// The answer is about a state of the past: which one.
    case past(Sentence)
    /// Records that were deleted and made again (`delete-storm`): an error while nobody may open the app, else a note.
    case storm(Finding)
    /// Rows that CloudKit's mirror deletes here as soon as the app opens (`mirror-deletes-here`, `mirror-token-lost`).
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

    /// Those of a store that is not whole: what it lacks says nothing.
    package var incomplete: [StoreAlert] {
        filter { alert in
            switch alert {
            case .damaged, .missingLog: true
            case .past, .storm, .deletion, .vanished, .recovered, .otherNames: false
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
