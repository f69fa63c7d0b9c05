internal import CoreDataStore
package import JSON
internal import MeterInspect
internal import MeterModel

extension ChangeLog: JSONWritable {
    /// The document of `log` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "log", store: store))
            writer.member("history", JSONValue.bool(hasHistory))
            writer.member("total", JSONValue(total))
            writer.key("entries")
            writer.array { writer in
                for entry in entries { entry.write(in: letterCase, to: &writer) }
            }
            writer.member("warnings", JSONValue.array(warnings.map(JSONValue.string)))
        }
    }
}

extension ChangeLog.Origin {
    fileprivate var word: String {
        switch self {
        case .app: "app"
        case .meterfix: "meterfix"
        case .mirror(.import): "cloudkit"
        case .mirror(.export), .mirror(.reset), .mirror(.migration), .mirror(.setup), .mirror(.event): "mirror"
        }
    }
}

extension ChangeLog.Entry {
    /// As `log` and `show` have it.
    func write(in letterCase: LetterCase, to writer: inout JSONWriter) {
        let save = transaction.save
        writer.object { writer in
            writer.member("transaction", save.transaction.map { JSONValue($0) } ?? .null)
            writer.member("at", JSONValue(transaction.time?.description))
            writer.member("author", JSONValue(save.author))
            writer.member("process", JSONValue(save.process))
            writer.member("bundle", JSONValue(save.bundle))
            writer.member("context", JSONValue(save.context))
            writer.member("origin", JSONValue.string(transaction.origin.word))
            writer.member("journal", transaction.journal?.json ?? .null)
            writer.member("change", JSONValue(kind.map { "\($0)" }))
            writer.member("entity", JSONValue.string(entity))
            writer.member("row", row.map { JSONValue($0) } ?? .null)
            writer.member("mac", JSONValue(address?.text(in: letterCase)))
            writer.member("name", JSONValue(name))
            writer.key("fields")
            if let fields {
                writer.array { writer in
                    for field in fields { field.write(to: &writer) }
                }
            } else {
                writer.null()
            }
            writer.member("waiting", waits.map { JSONValue.bool($0) } ?? .null)
        }
    }
}

extension ChangeLog.Journal {
    fileprivate var json: JSONValue {
        [
            "command": .string(command), "version": .string(version), "by": person?.json ?? .null,
            "backup": .string(backup),
        ]
    }
}

extension ChangeLog.Field {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", JSONValue.string(name))
            if let before {
                writer.key("before")
                before.write(as: kind, in: .report, to: &writer)
            }
            if let after {
                writer.key("after")
                after.write(as: kind, in: .report, to: &writer)
            }
        }
    }
}
