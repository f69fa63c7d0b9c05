package import JSON
internal import MeterModel

/// One document, keys in their fixed order; `store` is side A's path.
extension ComparisonReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "compare", store: a.path))
            writer.member("equal", JSONValue.bool(isEqual))
            writer.member("a", a.json)
            writer.member("b", b.json)
            writer.member("policy", policy.rawValue)
            writer.member("summary", summary)
            writer.member(
                "fieldsNotCompared",
                [
                    "a": .array(fieldsOnlyA.map(JSONValue.string)), "b": .array(fieldsOnlyB.map(JSONValue.string)),
                ] as JSONValue)
            writer.key("meters")
            writer.array { writer in
                for meter in meters { meter.write(in: letterCase, to: &writer) }
            }
            writer.member("next", JSONValue.array(next.map(JSONValue.string)))
        }
    }

    private var summary: JSONValue {
        [
            "equal": JSONValue(count(.equal)), "different": JSONValue(count(.different)),
            "onlyA": JSONValue(count(.onlyA)), "onlyB": JSONValue(count(.onlyB)),
            "several": JSONValue(several), "losing": JSONValue(losing),
        ]
    }
}

extension ComparisonReport.Side {
    fileprivate var json: JSONValue {
        [
            "path": .string(path), "kind": .string(kind.rawValue), "records": JSONValue(records),
            "withoutUsableAddress": JSONValue(withoutUsableAddress), "walMissing": .bool(alerts.missingLog != nil),
        ]
    }
}

extension MeterComparison {
    fileprivate func write(in letterCase: LetterCase, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("mac", address.text(in: letterCase))
            writer.member("outcome", outcome.rawValue)
            for (key, side) in [("a", a), ("b", b)] {
                writer.key(key)
                if let side { side.write(to: &writer) } else { writer.null() }
            }
            writer.member("sameRecord", isSameRecord.map(JSONValue.bool))
            writer.key("fields")
            writer.array { writer in
                for difference in differences { difference.write(to: &writer) }
            }
            writer.member("equalFields", JSONValue.array(equalFields.map(JSONValue.string)))
            writer.member("winner", winner?.rawValue)
            writer.key("losses")
            writer.array { writer in
                for loss in losses { loss.write(to: &writer) }
            }
        }
    }
}

extension MeterComparison.Difference {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", field.name)
            writer.key("a")
            a.write(as: field.kind, in: .report, to: &writer)
            writer.key("b")
            b.write(as: field.kind, in: .report, to: &writer)
        }
    }
}

extension MeterComparison.Loss {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", field.name)
            writer.key("value")
            value.write(as: field.kind, in: .report, to: &writer)
            writer.member("side", side.rawValue)
            writer.member("ifFirst", first?.rawValue)
        }
    }
}

extension ComparedRecord {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("row", record.row)
            writer.key("rows")
            writer.array { writer in
                for row in rows { writer.integer(row) }
            }
            writer.member("names", JSONValue.array(names.compactMap(\.self).map(JSONValue.string)))
            writer.member("cloudRecord", record.cloudRecord?.name)
            writer.member("unsent", unsent.map { JSONValue.array($0.sorted().map(JSONValue.string)) })
            writer.member("goes", JSONValue.array(goes.map { JSONValue($0.row) }))
            writer.key("record")
            record.write(in: .report, to: &writer)
        }
    }
}
