internal import CoreDataStore
package import MeterInspect
package import MeterModel
internal import MeterStore

/// First aid while devices are in use: of each meter with several records, the one that the app finds first gets the name
/// and the unit that only the others have. No record is deleted, no value overwritten and no `updatedAt` moved: each of
/// these could beat what somebody types on another device at the same moment. It is no rebuild and sets no marker.
package struct FirstAidPlanner: Planner {
    package let command = WritingCommand.rebuild
    package let isFirstAid = true

    let filter: MeterFilter

    package init(_ filter: MeterFilter = .all) { self.filter = filter }

    package func plan(in session: MeterSession) throws -> Plan {
        let store = session.store
        let meters = store.addresses.metersWithSeveralRecords.filter { filter.contains($0.address) }
        let aids = try session.withCloudRecords(meters).map {
            FirstAid(for: $0.records, at: $0.address, in: store.letterCase)
        }
        let notFoundByApp = aids.filter { $0.found == nil }.map(\.address)
        var plan = Plan(of: try session.size())
        plan.meters = aids.compactMap { MeterPlan($0) }
        // Nothing may sync where something else forbids to open the app, and no other device learns of it without a mirror.
        if !plan.meters.isEmpty, session.mirror != nil, try session.base.alerts().closing.isEmpty {
            plan.notes.append(Self.condition)
        }
        plan.notes += notes(on: notFoundByApp, in: store)
        return plan
    }

    /// What simulations of random fleets show to be needed, and enough.
    private static let condition: Sentence =
        "before it, update the app on every device and let each of them sync; from then on, until this has arrived "
        + "everywhere, nobody may type a name or choose a unit on any device; meters may be used. If two devices change one "
        + "field, only one value is kept"

    /// What is left: for another day, and for a person.
    private func notes(on notFoundByApp: [MACAddress], in store: InspectedStore) -> [Sentence] {
        let groups = store.addresses.groups
        guard groups > 0 else { return [] }
        var notes: [Sentence] = []
        if !notFoundByApp.isEmpty {
            let meters = Phrase.start(of: notFoundByApp.map { $0.text(in: store.letterCase) })
            notes.append(
                "this does not help \(meters): the app finds none of \(notFoundByApp.count == 1 ? "its" : "their") records, "
                    + "because no record has exactly this address")
        }
        notes.append(
            "the duplicates remain: \(Phrase.count(groups, "meter")) still \(groups == 1 ? "has" : "have") several records; "
                + "when the app is closed on all devices, run \(store.command("rebuild")) (see MIGRATIONS.md)")
        return notes
    }
}
