package import JSON

/// The keys at the start of every JSON document of meterfix.
package enum JSONDocument {
    /// - Parameters:
    ///   - command: nil if the command line names none.
    ///   - store: nil if the document is not about one.
    package static func head(command: String?, store: String?) -> [JSONValue.Member] {
        [
            .init("schema", .integer(1)), .init("tool", "meterfix"), .init("version", .string(Version.current)),
            .init("command", JSONValue(command)), .init("store", JSONValue(store)),
        ]
    }
}

/// The version of meterfix.
package enum Version {
    package static let current = "0.1.0"
}
