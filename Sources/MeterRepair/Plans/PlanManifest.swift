internal import CoreDataStore
internal import JSON
internal import MeterInspect
internal import MeterModel
internal import MeterStore

/// The first line of a plan's file: what was asked for, and what the store was then.
struct PlanManifest: Hashable, Sendable {
    /// The command that planned.
    let command: WritingCommand
    /// The store's file name.
    let storeName: String
    let made: Timestamp
    /// Who made it; nil where the system does not say.
    let person: Person?
    /// What they say of it.
    let note: String?
    /// The case of canonical addresses that was asked for; nil where it was read from the data.
    let requestedCase: LetterCase?
    /// The planner's options.
    let options: [PlanOption]
    let context: PlanContext
    let fingerprint: Fingerprint
    /// What a person must know beside the changes: sentences, for whoever reads the file.
    let notes: [String]
}

/// An option of a command that decides what is planned, by the name of its key in a manifest.
package struct PlanOption: Hashable, Sendable {
    package let key: String
    package let value: String

    /// The user insisted on what is otherwise refused.
    static let force = PlanOption(key: "force", value: "true")

    /// The rebuild is only first aid while devices are in use.
    static let inUse = PlanOption(key: "inUse", value: "true")

    /// All cures that lose nothing, not those of the findings that were named.
    static let all = PlanOption(key: "all", value: "true")

    static let restoreMetadata = PlanOption(key: "restoreMetadata", value: "true")
}

extension PlanManifest: JSONWritable {
    private static let keys = [
        "schema", "tool", "version", "command", "store", "made", "by", "note", "options", "letterCase", "layout",
        "fingerprint",
        "notes",
    ]

    func write(to writer: inout JSONWriter) {
        let options = [PlanOption(key: "macCase", value: requestedCase?.rawValue ?? "auto")] + options
        writer.object { writer in
            writer.members(JSONDocument.head(command: command.rawValue, store: storeName))
            writer.member("made", made.document)
            writer.member("by", person?.json ?? .null)
            writer.member("note", note)
            writer.member("options", JSONValue.object(options.map { .init($0.key, .string($0.value)) }))
            writer.member("letterCase", context.letterCase.rawValue)
            writer.member("layout", context.layout.document)
            writer.member("fingerprint", fingerprint)
            writer.member("notes", JSONValue.array(notes.map { .string($0) }))
        }
    }

    /// - Throws: `PlanError` for what is not such a line, and for that of another version, whose planners may decide
    ///   otherwise.
    init(_ node: PlanNode) throws(PlanError) {
        if node.value["tool"] == "meterfix", let version = node.value["version"]?.string, version != Version.current {
            throw PlanError(
                at: .member(node.place, "version"),
                "made by meterfix \(version), and this is meterfix \(Version.current)",
                hint: "make a new plan with this version: run the same dry run again, with --plan NEWFILE")
        }
        let members = try node.members(Self.keys)
        guard members["schema"]!.value == .integer(1) else {
            throw members["schema"]!.flaw("this version reads schema 1")
        }
        guard members["tool"]!.value == "meterfix" else { throw members["tool"]!.flaw("not a plan of meterfix") }
        guard try members["version"]!.text == Version.current else { throw members["version"]!.flaw("not a version") }
        command = try members["command"]!.word(WritingCommand.self, "command that plans")
        storeName = try members["store"]!.text
        made = try Timestamp(members["made"]!)
        person = try members["by"]!.ifPresent { node throws(PlanError) in
            guard let person = Person(node.value) else { throw node.flaw("not a person") }
            return person
        }
        note = try members["note"]!.ifPresent { node throws(PlanError) in try node.text }
        (requestedCase, options) = try Self.options(members["options"]!)
        context = PlanContext(
            layout: try RecordLayout(members["layout"]!),
            letterCase: try members["letterCase"]!.word(LetterCase.self, "letter case"))
        fingerprint = try Fingerprint(members["fingerprint"]!)
        notes = try members["notes"]!.map { node throws(PlanError) in try node.text }
    }

    private static func options(_ node: PlanNode) throws(PlanError) -> (LetterCase?, [PlanOption]) {
        var macCase: LetterCase?
        var options: [PlanOption] = []
        for (key, node) in try node.namedMembers {
            if key == "macCase" {
                macCase = node.value == "auto" ? nil : try node.word(LetterCase.self, "letter case")
            } else {
                options.append(PlanOption(key: key, value: try node.text))
            }
        }
        return (macCase, options)
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
