internal import CoreDataStore
package import MeterInspect
package import MeterModel
internal import MeterStore

/// The whole repair, as one change: the store is migrated, the records of each meter are merged, and every finding that has
/// a cure of its own which loses nothing is cured.
package struct WholeRepair: Planner {
    package let command = WritingCommand.fix
    let rebuild: RebuildPlanner
    let fixes: FixPlanner
    /// Ids of checks whose findings stay as they are.
    let excepted: Set<String>

    /// - Parameters:
    ///   - chosen: what a person wants kept; checked by whoever asks for it.
    ///   - force: also clear a lock whose device is connected right now.
    package init(
        policy: WinnerPolicy = .mostComplete, choosing chosen: ValueOverrides = ValueOverrides(), force: Bool = false,
        except excepted: Set<String> = [], _ filter: MeterFilter = .all
    ) {
        rebuild = RebuildPlanner(policy: policy, choosing: chosen, filter)
        fixes = .all(except: excepted, force: force, filter)
        self.excepted = excepted
    }

    /// What `fix` cures one by one.
    package var cures: [FixableCheck] { fixes.cures }

    package var due: [FixableCheck] { fixes.due }

    package func plan(in session: MeterSession) throws -> Plan {
        var plan = Plan(of: try session.size())
        var rebuild = rebuild
        if let migration = try migration(of: session.base) {
            plan = plan.followed(by: try migration.migration(in: session))
            rebuild.isMetadataRestored = migration.restoresMetadata
        }
        if !excepted.contains(Check.duplicateMAC.id) {
            // What may be deleted depends on it.
            _ = try session.base.mirrorSigns()
            if let reason = session.store.reasonNotToDelete, !session.store.metersNeedingRebuild().isEmpty {
                plan.notes.append("no records are merged: \(reason)")
            } else {
                plan = plan.followed(by: try rebuild.plan(in: session))
            }
        }
        var merged = session
        merged.base.store = session.store.planned(by: plan)
        return plan.followed(by: try fixes.plan(in: merged))
    }

    /// What brings the store to the app's latest model; nil where no check asks for it, and where it would need to know
    /// more than the store says.
    private func migration(of session: Session) throws -> MigrationPlanner? {
        let checks = Set(Self.checksOfMigration).subtracting(excepted)
        let commands = try session.findings(of: checks).compactMap { finding in
            if case .command(let command) = finding.cure { command } else { nil }
        }
        guard commands.contains(where: { $0.name == WritingCommand.migrate.rawValue }) else { return nil }
        return MigrationPlanner(restoresMetadata: commands.contains { $0.words.contains("--restore-metadata") })
    }

    private static let checksOfMigration = [
        Check.metadataMissing.id, Check.modelHashMismatch.id, Check.uniquenessConstraint.id,
    ]

    /// The ids that may be left out, besides those of `cures`.
    package static let otherChecks = checksOfMigration + [Check.duplicateMAC.id]
}
