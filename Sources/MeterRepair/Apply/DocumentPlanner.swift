package import CoreDataStore
internal import GRDB
package import MeterInspect
package import MeterModel
package import MeterStore

/// `apply`: makes the plan of a file anew, as the file says it was asked for, and carries it out as far as the file still
/// has it.
package struct DocumentPlanner: Planner {
    package let command = WritingCommand.apply
    private let document: PlanDocument
    /// Where the document is from.
    private let path: String
    /// The command that planned.
    private let planner: any Planner

    /// - Parameters:
    ///   - path: where the document is from.
    ///   - model: the app's own, where the user names it.
    /// - Throws: `StoreError`, `damaged` where no command plans by the document's options.
    package init(_ document: PlanDocument, from path: String, model: ModelFile? = nil) throws(StoreError) {
        self.document = document
        self.path = path
        do {
            planner = try document.planner(model: model)
        } catch {
            throw StoreError(error, at: path)
        }
    }

    package var changesRecords: Bool { planner.changesRecords }

    package var worksInUse: Bool { planner.worksInUse }

    package func adjust(_ options: inout ChangeOptions) {
        options.letterCase = document.manifest.requestedCase
        options.fallbackCase = document.manifest.context.letterCase
        options.inputFile = path
        options.note = options.note ?? document.note
        // The store has another one until it is migrated.
        if document.migrationModel(options.model) != nil { options.model = nil }
    }

    package enum Evidence {
        case plan(Plan)
        case staleness(Staleness)
    }

    /// Makes the plan anew, if the store is still the one it was made for.
    /// - Throws: `StoreError`, `damaged` where the document is not this plan.
    package func evidence(
        in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Evidence {
        let database = source.database
        var staleness = try document.manifest.fingerprint.staleness(of: store, database)
        guard staleness.isEmpty else {
            let records = try settings.records(of: document.rows, database)
            staleness.rows = document.rowStaleness(of: records, in: settings.layout)
            let changes = document.lines.filter(\.isChange)
            let done = try DoneChanges(among: changes, in: store, settings, database)
            staleness.isApplied = !changes.isEmpty && changes.allSatisfy(done.contains)
            return .staleness(staleness)
        }
        let then = store.at(document.made)
        let plan = try planner.plan(for: then, settings, source)
        do {
            let draft = try PlanDraft(of: plan, by: planner, for: then, settings, database)
            let revision = try PlanRevision(of: draft, by: document, in: store)
            // Whom else the new name belongs to, and more, only the command itself tells.
            guard let set = planner as? SetPlanner, !revision.replacements.isEmpty else {
                return .plan(revision.plan)
            }
            let edited = try set.setting(revision.replacements).plan(for: then, settings, source)
            return .plan(revision.noted(on: edited))
        } catch let error as PlanError {
            throw StoreError(error, at: path)
        }
    }

    /// - Throws: `Staleness` if the store has changed since.
    package func plan(for store: InspectedStore, _ settings: SettingsTable, by evidence: Evidence) throws -> Plan {
        switch evidence {
        case .plan(let plan): return plan
        case .staleness(let staleness): throw staleness
        }
    }

    /// What of the plan is not done in this store. It reads nothing but what the plan changes.
    package func remaining(
        of plan: Plan, in store: InspectedStore, _ settings: SettingsTable, _ source: EvidenceSource
    ) throws -> Plan {
        let done = try DoneChanges(among: plan.changes.map(PlanLine.init), in: store, settings, source.database)
        var undone = plan
        undone.changes = plan.changes.filter { !done.contains(PlanLine($0)) }
        return undone
    }
}
