package import CoreDataStore
internal import GRDB
internal import MeterModel

/// Work of the mirror that was cut off.
struct MirrorUnfinished: StoreCheck {
    static let description = CheckDescription(
        "mirror-unfinished", .note, "CloudKit's mirror was stopped in the middle of its work",
        explanation: [
            """
            The mirror notes what it is doing and removes the note when it is done, and such a note is still there. It \
            says that the next export leaves out the history or looks for rows without record metadata, that a migration \
            of the mirror's own tables has begun, or which objects it is about to export (ANSCKHISTORYANALYZERSTATE).
            """,
            "The app was stopped at that moment, or the store was copied then.",
            "Nothing needs to be done: the mirror goes on when the app opens. If the note is still there in a later copy, the mirror does not get further: see `mirror-failing`.",
        ])

    private static let cure = "open the app: its mirror goes on by itself, and nothing else may write to its tables"

    static func findings(in store: InspectedStore, _ database: Database) throws -> [Finding] {
        guard let mirror = store.description.mirror else { return [] }
        var findings = try mirror.flags(database).map {
            description.finding("\($0.meaning) (\($0.rawValue))", cure: cure)
        }
        let states = try mirror.analyzerStates(database)
        if states > 0 {
            findings.append(
                description.finding(
                    "\(Phrase.count(states, "object")) left in \(CloudKitMirror.analyzerTable) from an export that did not end",
                    cure: cure))
        }
        return findings
    }
}

extension CloudKitMirror.Flag {
    /// What the mirror is going to do, or was doing.
    package var meaning: String {
        switch self {
        case .bypassesHistory: "the next export leaves out the history"
        case .scansForRows: "the next export looks for rows without record metadata"
        case .migrationBegan: "a migration of the mirror's own tables has begun"
        }
    }
}
