package import JSON

/// What every JSON document of meterfix begins with.
package enum JSONDocument {
    package static func head(command: String, store: String) -> [JSONValue.Member] {
        [
            .init("schema", .integer(1)), .init("tool", "meterfix"), .init("version", .string(Version.current)),
            .init("command", .string(command)), .init("store", .string(store)),
        ]
    }
}

/// The version of meterfix.
package enum Version {
    package static let current = "0.1.0"
}
