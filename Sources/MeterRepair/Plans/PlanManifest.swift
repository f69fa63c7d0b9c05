internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The first line of a plan's file: where the plan comes from, and what the store was then.
struct PlanManifest: Hashable, Sendable {
    /// The command that planned.
    let command: WritingCommand
    /// The store's file name.
    let storeName: String
    /// The version of meterfix that planned.
    let version: String
    let made: Timestamp
    /// The case of canonical addresses that was asked for; nil where it was read from the data.
    let requestedCase: LetterCase?
    /// The planner's options.
    let options: [PlanOption]
    let schemaVersion: Int?
    let context: PlanContext
    let fingerprint: Fingerprint
    let totals: Totals
    /// What a person must know beside the changes: sentences.
    let notes: [String]

    /// What the store has, changed or not. All other numbers follow from the changes.
    struct Totals: Hashable, Sendable {
        let records: Int
        /// Meters with several records.
        let groups: Int
        /// Records that CloudKit knows.
        let mirrored: Int
    }
}

/// An option of a command that decides what is planned, by the name of its key in a manifest.
package struct PlanOption: Hashable, Sendable {
    package let key: String
    package let value: String

    /// The user insisted on what is otherwise refused.
    static let force = PlanOption(key: "force", value: "true")

    /// The rebuild is only first aid while devices are in use.
    static let inUse = PlanOption(key: "inUse", value: "true")
}

extension PlanManifest: JSONWritable {
    private static let keys = [
        "schema", "tool", "version", "command", "store", "made", "options", "schemaVersion", "letterCase", "layout",
        "fingerprint", "totals", "notes",
    ]

    func write(to writer: inout JSONWriter) {
        let options = [PlanOption(key: "macCase", value: requestedCase?.rawValue ?? "auto")] + options
        writer.object { writer in
            writer.members(JSONDocument.head(command: command.rawValue, store: storeName))
            writer.member("made", made.document)
            writer.member("options", JSONValue.object(options.map { .init($0.key, .string($0.value)) }))
            writer.member("schemaVersion", schemaVersion)
            writer.member("letterCase", context.letterCase.rawValue)
            writer.member("layout", context.layout.document)
            writer.member("fingerprint", fingerprint)
            writer.member(
                "totals",
                [
                    "records": JSONValue(totals.records), "groups": JSONValue(totals.groups),
                    "mirrored": JSONValue(totals.mirrored),
                ] as JSONValue)
            writer.member("notes", JSONValue.array(notes.map { .string($0) }))
        }
    }

    /// - Throws: `PlanError` for what is not such a line.
    init(_ node: PlanNode) throws(PlanError) {
        let members = try node.members(Self.keys)
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
        context = PlanContext(
            layout: try RecordLayout(members["layout"]!),
            letterCase: try members["letterCase"]!.word(LetterCase.self, "letter case"))
        guard requestedCase ?? context.letterCase == context.letterCase else {
            throw members["letterCase"]!.flaw("not the case that `options` asks for")
        }
        fingerprint = try Fingerprint(members["fingerprint"]!)
        let totals = try members["totals"]!.members(["records", "groups", "mirrored"])
        self.totals = Totals(
            records: try totals["records"]!.count, groups: try totals["groups"]!.count,
            mirrored: try totals["mirrored"]!.count)
        notes = try members["notes"]!.map { node throws(PlanError) in try node.text }
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
            let option = PlanOption(key: key, value: try node.text)
            guard key != PlanOption.inUse.key || option == .inUse else { throw node.flaw("not `true`") }
            options.append(option)
        }
        return (letterCase, options)
    }
}

extension RecordLayout {
    var document: JSONValue { .object(fields.map { .init($0.name, .string($0.kind.rawValue)) }) }

    /// - Throws: `PlanError` for what is not such a document.
    init(_ node: PlanNode) throws(PlanError) {
        var fields: [Field] = []
        for (name, node) in try node.namedMembers {
            fields.append(Field(name: name, kind: try node.word(FieldKind.self, "kind of field")))
        }
        self.init(fields: fields)
        guard has(.macAddress) else { throw node.flaw("`macAddress` is missing") }
    }
}
