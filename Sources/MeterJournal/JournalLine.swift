internal import JSON
package import MeterModel
internal import MeterStore

/// A line of the changes in a backup: one change, or what belongs to the changes.
package enum JournalLine: Hashable, Sendable {
    case object(ObjectChange)
    case schema(SchemaChange)
    case metadata(MetadataChange)
    case conflict(Conflict)
    case reject(Reject)

    /// The records that the line is about, as they are before the change.
    package var rows: [Int64] {
        switch self {
        case .object(.update(let update, _)): [update.row]
        case .object(.delete(let deletion)): [deletion.merger?.winner, deletion.row].compactMap(\.self)
        case .object(.insert), .object(.cloudDelete), .schema, .metadata, .conflict, .reject: []
        }
    }
}

/// How the lines of a backup's changes are to be understood.
package struct JournalContext: Hashable, Sendable {
    /// Of the store's records.
    package let layout: RecordLayout
    /// Of the addresses.
    package let letterCase: LetterCase

    package init(layout: RecordLayout, letterCase: LetterCase) {
        self.layout = layout
        self.letterCase = letterCase
    }
}

extension Plan {
    /// Makes one line of the changes in a backup after the other, each with its line feed, and hands it to `body`. The
    /// records are not in them: with these from the saved files, `init(_:records:)` reads the plan back, equal in every
    /// bit.
    package func forEachJournalLine(_ context: JournalContext, _ body: ([UInt8]) -> Void) {
        forEachChange { change in
            body(JSONWriter.line(pretty: false) { change.write(in: .plan, context.letterCase, to: &$0) })
        } conflict: { conflict in
            body(JSONWriter.line(pretty: false) { conflict.write(in: .plan, context.letterCase, to: &$0) })
        }
        for reject in rejects { body(reject.document.line(pretty: false)) }
    }
}

extension RecordLayout {
    var document: JSONValue { .object(fields.map { .init($0.name, $0.kind.rawValue) }) }

    /// - Throws: `JournalError` for what is not such a document.
    init(_ value: JournalValue) throws(JournalError) {
        let fields = try value.members.map { name, kind throws(JournalError) in Field(name: name, kind: try kind.word())
        }
        self.init(fields: fields)
        guard has(.macAddress), Set(fields.map(\.name)).count == fields.count else { throw JournalError() }
    }
}
