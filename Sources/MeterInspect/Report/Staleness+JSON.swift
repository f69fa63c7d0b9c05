package import JSON
package import MeterModel

extension Staleness: JSONWritable {
    /// Values as in a report.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("applied", JSONValue.bool(isApplied))
            writer.member(
                "store", identity.map { ["then": JSONValue($0.then), "now": JSONValue($0.now)] as JSONValue })
            writer.key("tables")
            writer.array { writer in
                for table in tables {
                    writer.object { writer in
                        writer.member("name", table.name)
                        writer.member("rowsThen", table.then)
                        writer.member("rowsNow", table.now)
                    }
                }
            }
            writer.member(
                "schema",
                [
                    "gone": .array(statementsGone.map { .string($0) }),
                    "new": .array(statementsNew.map { .string($0) }),
                ] as JSONValue)
            writer.key("rows")
            writer.array { writer in
                for row in rows { row.write(to: &writer) }
            }
        }
    }
}

extension Staleness.Row {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("row", row)
            switch change {
            case .gone: writer.member("change", "gone")
            case .new: writer.member("change", "new")
            case .field(let field, let then, let now):
                writer.member("change", "field")
                writer.member("field", field.name)
                writer.key("then")
                then.write(as: field.kind, in: .report, to: &writer)
                writer.key("now")
                now.write(as: field.kind, in: .report, to: &writer)
            }
        }
    }
}
