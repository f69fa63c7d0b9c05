internal import CoreDataStore
package import JSON
internal import MeterModel

extension MeterList: JSONWritable {
    /// The document of `meters` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "meters", store: store))
            writer.key("meters")
            writer.array { writer in
                for meter in meters { meter.json(in: letterCase).write(to: &writer) }
            }
        }
    }
}

extension MeterSummary {
    /// `held`, `expired` or `torn`; nil without a lock.
    package var lockState: String? {
        lock.map { $0.isTorn ? "torn" : isLockExpired ? "expired" : "held" }
    }

    fileprivate func json(in letterCase: LetterCase) -> JSONValue {
        [
            "mac": JSONValue(address?.text(in: letterCase)),
            "address": storedAddress.isNull ? .null : .string(storedAddress.display(as: .text)),
            "name": JSONValue(name), "unit": JSONValue(temperatureUnit), "modelType": JSONValue(modelType),
            "updatedAt": JSONValue(updatedAt?.description), "lastSeenAt": JSONValue(seenAt?.description),
            "lastSeenBy": JSONValue(seenBy),
            "lock": lock.map { lock in
                [
                    "by": JSONValue(lock.holder),
                    "since": JSONValue(lock.connectedAt?.description),
                    "until": JSONValue(lock.expiresAt?.description), "state": JSONValue(lockState),
                ]
            } ?? .null,
            "rows": .array(rows.map { JSONValue($0) }), "waiting": .bool(!waiting.isEmpty),
            "waitingRows": .array(
                waiting.map { object in
                    [
                        "row": JSONValue(object.object.row), "kind": .string("\(object.waiting.kind)"),
                        "fields": object.fields.map { .array($0.map(JSONValue.string)) } ?? .null,
                    ]
                }),
        ]
    }
}
