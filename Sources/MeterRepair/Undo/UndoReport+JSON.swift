package import JSON
internal import MeterInspect
internal import MeterModel

/// One document, keys in their fixed order.
extension UndoReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: BackupManifest.undoCommand, store: store))
            writer.member("outcome", outcome.rawValue)
            writer.member("redo", JSONValue.bool(redoes))
            writer.member("undone", change?.json)
            writer.member(
                "files", JSONValue.array(files.map { ["name": .string($0.name), "size": JSONValue($0.size)] }))
            writer.member("byteForByte", JSONValue.bool(isByteForByte))
            writer.key("moved")
            if let moved {
                writer.array { writer in
                    for row in moved { row.write(to: &writer) }
                }
            } else {
                writer.null()
            }
            writer.member("remaining", remaining)
            writer.member("warnings", JSONValue.array(warnings.map(JSONValue.string)))
            writer.member("backup", backup)
        }
    }
}

extension UndoReport.Change {
    fileprivate var json: JSONValue {
        ["entry": .string(entry), "command": .string(command), "madeAt": .string(madeAt.description)]
    }
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
