internal import CoreDataStore
internal import GRDB
package import JSON
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// A plan as a file: what is to be done to a store, by which command and options it was decided, and what the store
/// was then. It can be sent, reviewed and carried out later.
package struct PlanDocument: Hashable, Sendable {
    /// The command that planned.
    package let command: WritingCommand
    /// The store's file name.
    package let storeName: String
    /// The version of meterfix that planned.
    package let version: String
    package let made: Timestamp
    /// The case of canonical addresses that was asked for; nil where it was read from the data.
    package let requestedCase: LetterCase?
    /// The planner's options.
    let options: [PlanOption]
    let schemaVersion: Int?
    let fingerprint: Fingerprint
    let layout: RecordLayout
    let letterCase: LetterCase
    package let plan: Plan

    /// The document of a plan that is about to be carried out on `store`.
    init(
        of plan: Plan, by planner: some Planner, for store: InspectedStore, requestedCase: LetterCase?,
        _ settings: SettingsTable, _ database: Database
    ) throws {
        command = planner.command
        storeName = store.files.name
        version = Version.current
        made = store.now
        self.requestedCase = requestedCase
        options = planner.options
        schemaVersion = store.schemaVersion
        fingerprint = try Fingerprint(of: store, before: plan, settings, database)
        layout = settings.layout
        letterCase = store.letterCase
        self.plan = plan
    }
}

/// An option of a command that decides what is planned, by the name of its key in a document.
package struct PlanOption: Hashable, Sendable {
    package let key: String
    package let value: String
}

extension PlanDocument: JSONWritable {
    private static let head = ["schema", "tool", "version", "command", "store", "made", "options", "schemaVersion"]

    package func write(to writer: inout JSONWriter) {
        let options = [PlanOption(key: "macCase", value: requestedCase?.rawValue ?? "auto")] + options
        writer.object { writer in
            writer.members(JSONDocument.head(command: command.rawValue, store: storeName))
            writer.member("made", made.document)
            writer.member("options", JSONValue.object(options.map { .init($0.key, .string($0.value)) }))
            writer.member("schemaVersion", schemaVersion)
            writer.key("fingerprint")
            fingerprint.write(to: &writer)
            plan.writeMembers(layout: layout, letterCase: letterCase, in: .plan, to: &writer)
        }
    }

    /// - Throws: `PlanError` for what is not the document of a plan, and for a plan that contradicts itself.
    init(_ json: JSONValue) throws(PlanError) {
        let members = try PlanNode(json).members(Self.head + ["fingerprint"] + Plan.documentKeys)
        guard members["schema"]!.value == .integer(1) else {
            throw members["schema"]!.flaw("this version reads schema 1")
        }
        guard members["tool"]!.value == "meterfix" else { throw members["tool"]!.flaw("not a plan of meterfix") }
        version = try members["version"]!.text
        let name = try members["command"]!.text
        guard let command = WritingCommand(rawValue: name), let known = PlanVocabulary(of: command) else {
            throw members["command"]!.flaw("`\(name)` is no command that plans")
        }
        self.command = command
        storeName = try members["store"]!.text
        made = try Timestamp(members["made"]!)
        (requestedCase, options) = try Self.options(members["options"]!, known.options)
        schemaVersion = try members["schemaVersion"]!.ifPresent { node throws(PlanError) in try node.count }
        let (plan, context) = try Plan.read(members)
        self.plan = plan
        layout = context.layout
        letterCase = context.letterCase
        guard requestedCase ?? letterCase == letterCase else {
            throw members["letterCase"]!.flaw("not the case that `options` asks for")
        }
        fingerprint = try Fingerprint(members["fingerprint"]!, context)
        for (index, change) in plan.changes.enumerated() {
            try known.check(change, by: command, at: .element(.member(.document, "changes"), index))
        }
        try checkRecords()
    }

    private static func options(
        _ node: PlanNode, _ known: Set<String>
    ) throws(PlanError) -> (LetterCase?, [PlanOption]) {
        let members = try node.members(["macCase"], optional: known)
        let macCase = members["macCase"]!
        let letterCase =
            macCase.value == "auto" ? nil : try macCase.word(LetterCase.self, "letter case")
        var options: [PlanOption] = []
        for (key, node) in try node.namedMembers where key != "macCase" {
            options.append(PlanOption(key: key, value: try node.text))
        }
        return (letterCase, options)
    }

    /// Each updated record stands in the document whole, as it is before, and so it can be told what moved.
    private func checkRecords() throws(PlanError) {
        let survivors = plan.survivors
        var updated: Set<Int64> = []
        for (index, change) in plan.changes.enumerated() {
            guard case .update(let update) = change, survivors[update.row] == nil else { continue }
            let place = PlanPlace.element(.member(.document, "changes"), index)
            guard let record = fingerprint.records[update.row] else {
                throw PlanError(at: .member(place, "row"), "row \(update.row) is not among the fingerprint's records")
            }
            updated.insert(update.row)
            guard case .usable(let address, _) = record.address, address == update.address else {
                throw PlanError(at: .member(place, "mac"), "row \(update.row) is not a record of this meter")
            }
            for (index, change) in update.fields.enumerated() {
                let place = PlanPlace.element(.member(place, "fields"), index)
                guard layout.position(named: change.field.name).map({ record.values[$0] }) == change.before else {
                    throw PlanError(
                        at: .member(place, "before"), "row \(update.row) of the fingerprint has another value")
                }
            }
        }
        if let row = fingerprint.records.keys.filter({ !updated.contains($0) }).min() {
            throw PlanError(
                at: .member(.member(.document, "fingerprint"), "records"), "no change is about row \(row)")
        }
    }
}
