package import MeterModel

/// The old names and units as somebody sent them, read but not judged.
package struct KeyValueDump: Hashable, Sendable {
    /// In their fixed order, whatever the order in the dump was.
    package let entries: [DumpEntry]
    package let format: Format
    package let ignoredKeys: Int
    /// What was read though it was written otherwise, where it was found, and what was left out: sentences for a person.
    package let warnings: [String]
    /// Whether white space around a name is a part of it: only where nobody typed it.
    package let keepsBlanks: Bool
    /// Of the dump's bytes as they came; of a database's main file and then its `-wal`. Hex, lower case.
    package let sha256: String

    package init(
        entries: [DumpEntry], format: Format, ignoredKeys: Int, warnings: [String] = [], keepsBlanks: Bool = false,
        sha256: String
    ) {
        self.entries = entries.inFixedOrder()
        self.format = format
        self.ignoredKeys = ignoredKeys
        self.warnings = warnings
        self.keepsBlanks = keepsBlanks
        self.sha256 = sha256
    }
}

extension KeyValueDump {
    package struct Format: Hashable, Sendable, CustomStringConvertible {
        package enum Place: Hashable, Sendable {
            case root
            /// Without dictionaries: addresses with their names, or with their units.
            case addresses
            /// `values` → key → `{ value: … }`.
            case syncedPreferences
            /// In the dictionary to which these keys lead, from the root on.
            case nested([String])
            /// In the key-value store with this identifier.
            case app(String)
        }

        package let syntax: DumpSyntax
        package let place: Place

        package init(_ syntax: DumpSyntax, _ place: Place) {
            self.syntax = syntax
            self.place = place
        }

        /// In words. Keys and identifiers in it are the sender's: escape before showing.
        package var description: String {
            switch place {
            case .root, .addresses: syntax.rawValue
            case .syncedPreferences: "\(syntax.rawValue), as SyncedPreferences"
            case .nested(let path):
                "\(syntax.rawValue), under the \(path.count == 1 ? "key" : "keys") \(path.joined(separator: ", "))"
            case .app(let identifier): "\(syntax.rawValue), the app \(identifier)"
            }
        }
    }
}

extension LegacyValues {
    package init(_ dump: KeyValueDump) { self.init(dump.entries, keepsBlanks: dump.keepsBlanks) }
}
