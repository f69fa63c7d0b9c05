package import JSON
internal import MeterJournal
internal import MeterModel

extension KnownDevices: JSONWritable {
    /// The document of `devices` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "devices", store: stores.first))
            writer.member("stores", stores)
            if stores.count > 1 { writer.members(accounts.json) }
            writer.member("devices", devices.map(\.json))
        }
    }
}

extension KnownDevices.Device {
    fileprivate var json: JSONValue {
        [
            "id": id, "names": names, "shared": isShared, "lastSeen": lastSeen, "locks": locks,
            "transactions": transactions, "why": KnownDevices.Reason.allCases.filter(reasons.contains).map(\.rawValue),
            "copies": copies.map { copy -> JSONValue in
                [
                    "store": copy.path, "transactions": copy.transactions, "lastTransaction": copy.lastTransaction,
                    "programs": copy.programs, "lastUpload": copy.lastUpload, "lastImport": copy.lastImport,
                ]
            },
        ]
    }
}
