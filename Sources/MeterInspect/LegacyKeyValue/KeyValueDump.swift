internal import CoreDataStore
internal import JSON
package import MeterModel
internal import Texts

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

extension KeyValueDump {
    /// Of the table that `meters --format csv` prints, and that `import-kv` reads again.
    package static let sheetColumns = [
        "mac", "address", "name", "unit", "type", "updated", "last seen", "last seen by", "lock", "locked by",
        "locked since", "locked until", "rows", "waiting", "what waits",
    ]
}

extension LegacyValues {
    package init(_ dump: KeyValueDump) { self.init(dump.entries, keepsBlanks: dump.keepsBlanks) }
}

/// Why a dump cannot be read, before its name is known.
struct DumpError: Error, Hashable {
    /// Lower case, no full stop.
    let reason: String
    let hint: String?
    /// Bytes from the start of the text, if the dump is text.
    let offset: Int?

    init(_ reason: String, at offset: Int? = nil, hint: String? = nil) {
        self.reason = reason
        self.offset = offset
        self.hint = hint
    }

    /// The same with the name, and the text that it is about.
    static func located<Value>(
        at name: String, in text: [UInt8] = [], _ body: () throws(DumpError) -> Value
    ) throws(StoreError) -> Value {
        do { return try body() } catch { throw error.storeError(at: name, in: text) }
    }

    func storeError(at name: String, in text: [UInt8] = []) -> StoreError {
        guard let offset else { return StoreError(.damaged, at: name, reason, hint: hint) }
        return StoreError(.damaged, at: name, "\(reason), \(TextPosition(of: offset, in: text))", hint: hint)
    }
}

/// How large a dump may be. The real key-value store holds 1 MB and 1,024 keys; a million entries fit.
enum DumpLimits {
    /// Bytes of a dump that is not a database, and of one value in a database.
    static let inputBytes = 1 << 27
    /// Depth of nested containers. What is read can be written as JSON, whose limit is `JSONValue.deepestNesting`.
    static let depth = 60
    static let values = 3 << 20

    static var binary: BinaryPropertyListLimits {
        var limits = BinaryPropertyListLimits()
        limits.inputBytes = inputBytes
        limits.depth = depth
        limits.values = values
        return limits
    }

    static var json: JSONLimits {
        var limits = JSONLimits()
        limits.inputBytes = inputBytes
        limits.values = values
        return limits
    }
}

struct ValueBudget {
    private var remaining = DumpLimits.values

    /// Counts a value that is nested in `depth` containers, at `position` of the text.
    mutating func count(depth: Int, at position: Int) throws(DumpError) {
        remaining -= 1
        guard remaining >= 0 else { throw DumpError("more than \(DumpLimits.values) values") }
        guard depth <= DumpLimits.depth else {
            throw DumpError("more than \(DumpLimits.depth) containers inside each other", at: position)
        }
    }
}

extension [String: PropertyList] {
    mutating func add(_ value: PropertyList, for key: String, at offset: Int) throws(DumpError) {
        guard updateValue(value, forKey: key) == nil else {
            throw DumpError("a duplicate key in a dictionary", at: offset)
        }
    }
}
