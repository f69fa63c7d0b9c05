package import JSON
internal import MeterInspect
internal import MeterModel

/// One document, keys in their fixed order.
extension UndoReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(beginning)
            writer.key("moved")
            if let moved {
                writer.array { writer in
                    for row in moved { row.write(to: &writer) }
                }
            } else {
                writer.null()
            }
            writer.members(ending)
        }
    }

    /// The report without the rows that moved, which may be every row of the store.
    var account: JSONValue { .object(beginning + ending) }

    private var beginning: [JSONValue.Member] {
        var members = JSONDocument.head(command: BackupManifest.undoCommand, store: store)
        members += [
            .init("outcome", .string(outcome.rawValue)), .init("redo", .bool(redoes)),
            .init("undone", change?.json ?? .null), .init("files", .array(files.map(\.json))),
            .init("byteForByte", .bool(isByteForByte)),
        ]
        return members
    }

    private var ending: [JSONValue.Member] {
        [
            .init("remaining", JSONValue(remaining)), .init("warnings", .array(warnings.map(JSONValue.string))),
            .init("backup", JSONValue(backup)),
        ]
    }
}

extension UndoReport.Change {
    fileprivate var json: JSONValue {
        ["entry": .string(entry), "command": .string(command), "madeAt": .string(madeAt.description)]
    }
}

extension UndoReport.File {
    fileprivate var json: JSONValue { ["name": .string(name), "size": JSONValue(size)] }
}

extension MovedRow {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("table", table)
            writer.member("row", row)
            writer.member("kind", kind.rawValue)
            writer.key("fields")
            writer.array { writer in
                for field in fields {
                    writer.object { writer in
                        writer.member("name", field.name)
                        writer.key("then")
                        field.then.write(as: .text, in: .report, to: &writer)
                        writer.key("now")
                        field.now.write(as: .text, in: .report, to: &writer)
                    }
                }
            }
        }
    }
}
