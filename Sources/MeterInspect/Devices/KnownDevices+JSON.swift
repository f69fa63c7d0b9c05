package import JSON
internal import MeterJournal
internal import MeterModel

extension KnownDevices: JSONWritable {
    /// The document of `devices` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "devices", store: stores.first))
            writer.member("stores", JSONValue.array(stores.map(JSONValue.string)))
            if stores.count > 1 { writer.members(accounts.json) }
            writer.key("devices")
            writer.array { writer in
                for device in devices { device.json.write(to: &writer) }
            }
        }
    }
}

extension KnownDevices.Device {
    fileprivate var json: JSONValue {
        [
            "id": JSONValue(id), "names": .array(names.map(JSONValue.string)), "shared": .bool(isShared),
            "lastSeen": JSONValue(lastSeen?.description), "locks": .array(locks.map(JSONValue.string)),
            "transactions": JSONValue(transactions),
            "why": .array(KnownDevices.Reason.allCases.filter(reasons.contains).map { .string($0.rawValue) }),
            "copies": .array(
                copies.map { copy in
                    [
                        "store": .string(copy.path), "transactions": JSONValue(copy.transactions),
                        "lastTransaction": JSONValue(copy.lastTransaction?.description),
                        "programs": .array(copy.programs.map(JSONValue.string)),
                        "lastUpload": JSONValue(copy.lastUpload?.description),
                        "lastImport": JSONValue(copy.lastImport?.description),
                    ]
                }),
        ]
    }
}
