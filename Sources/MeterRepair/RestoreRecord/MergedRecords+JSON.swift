package import JSON
internal import MeterInspect
internal import MeterModel

/// One document, keys in their fixed order.
extension MergedRecords: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: WritingCommand.restoreRecord.rawValue, store: store))
            writer.member("mac", address?.text(in: letterCase))
            writer.member("folder", folder)
            writer.member("withoutBackup", withoutBackup)
            writer.key("records")
            writer.array { writer in
                for merged in records {
                    writer.object { writer in
                        writer.member("entry", merged.entry)
                        writer.member("madeAt", merged.madeAt.description)
                        writer.member("row", merged.row)
                        writer.member("mergedInto", merged.mergedInto)
                        writer.member("inStore", JSONValue.bool(merged.isInStore))
                        writer.key("record")
                        merged.record.write(in: .report, to: &writer)
                    }
                }
            }
        }
    }
}
