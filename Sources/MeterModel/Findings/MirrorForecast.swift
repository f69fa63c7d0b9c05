/// How sure a sentence about CloudKit's mirror is.
package enum Certainty: String, Sendable, CaseIterable {
    /// Somebody saw it on a device or in a store.
    case seen
    /// Descriptions of Apple's code say so.
    case documented
    /// A conclusion from these.
    case inferred

    /// For a legend.
    package var meaning: String {
        switch self {
        case .seen: "somebody saw it on a device or in a store"
        case .documented: "descriptions of Apple's code say so"
        case .inferred: "a conclusion from these"
        }
    }
}

/// What CloudKit's mirror does when the app opens a store. Whoever says something about that reads it here, so that no
/// two sentences differ.
package struct MirrorForecast: Hashable, Sendable {
    /// Records that wait to be saved in CloudKit, and to be deleted there; each object once.
    package let uploads: Int
    package let deletes: Int
    package let outcome: Outcome
    /// Objects of the store that are not among them, and that the mirror never uploads by itself.
    package let leftBehind: Int
    /// Objects of the store that are about to be deleted, here or in CloudKit, whatever else happens.
    package let going: Int

    package init(uploads: Int, deletes: Int, outcome: Outcome, leftBehind: Int = 0, going: Int = 0) {
        self.uploads = uploads
        self.deletes = deletes
        self.outcome = outcome
        self.leftBehind = leftBehind
        self.going = going
    }

    package var total: Int { uploads + deletes }

    package enum Outcome: Hashable, Sendable {
        case nothingWaits
        /// All that waits is sent.
        case sent
        /// CloudKit has lost the records, so every one of the store is uploaded again.
        case everythingSent
        case stopped(Stop)
        /// It tries, and whether it sends anything is not known.
        case unknown(Doubt)
        /// Rows are deleted on the device. Of what waits, so much is lost with them, and so many new records stay.
        case rowsDeleted([Deletion], lost: Int, kept: Int)
    }

    /// Why nothing is sent.
    package enum Stop: Hashable, Sendable {
        /// The model has a uniqueness constraint.
        case constraint
        /// The model breaks another rule of the mirror, and which.
        case model(String)
        /// A row of an entity that the store does not have is marked for upload: with it every export fails.
        case unknownEntity(Int64)
        case failure(Failure, until: String)
    }

    /// Why it is not known whether anything is sent.
    package enum Doubt: Hashable, Sendable {
        case failure(Failure)
        /// Nobody can tell where the mirror goes on.
        case unreadableToken
        /// The next export leaves out the history.
        case bypassedHistory
        /// Not all could be read that may be pending.
        case damagedStore
    }

    /// Why rows are deleted on the device.
    package enum Deletion: Hashable, Sendable {
        /// The history lacks the transaction at which the mirror stopped; nil where only an error says so.
        case lostPlace(transaction: Int64?)
        /// The user deleted the app's data in iCloud.
        case userPurge
        /// The iCloud account is another one: somebody signed in, signed out or changed it.
        case otherAccount
    }

    /// The last setup, import or export, which failed.
    package struct Failure: Hashable, Sendable {
        /// `setup`, `import` or `export`.
        package let kind: String
        /// Domain and code; nil if the mirror gave neither.
        package let error: String?
        /// Whether no description says what the mirror does then.
        package let isInferred: Bool

        package init(kind: String, error: String?, isInferred: Bool) {
            self.kind = kind
            self.error = error
            self.isInferred = isInferred
        }
    }

    /// Why rows are deleted on the device; empty where they are not.
    package var deletions: [Deletion] {
        if case .rowsDeleted(let deletions, _, _) = outcome { deletions } else { [] }
    }

    /// The outcome in JSON.
    package var word: String {
        switch outcome {
        case .nothingWaits: "nothing-waits"
        case .sent: "sent"
        case .everythingSent: "everything-sent"
        case .stopped: "stopped"
        case .unknown: "unknown"
        case .rowsDeleted: "rows-deleted"
        }
    }
}
