/// What an answer says of a store, whether it was looked at or changed.
package struct StoreSummary: Sendable {
    /// The store's path as the user gave it.
    package var store: String
    /// Of the app's model: 1, 2 or nil.
    package let schemaVersion: Int?
    package let letterCase: LetterCase
    /// What `verify` finds, after a change.
    package var findings: Findings
    package var alerts: [StoreAlert] = []
    /// What records are called that the answer is about, by row: of as many as it shows.
    package var names: [Int64: String] = [:]
    /// What the user's devices are called that the store knows.
    package var devices: [String] = []

    package init(store: String, schemaVersion: Int?, letterCase: LetterCase, findings: Findings) {
        self.store = store
        self.schemaVersion = schemaVersion
        self.letterCase = letterCase
        self.findings = findings
    }
}

/// The answer of `verify`: one value, rendered as text or as JSON.
@dynamicMemberLookup
package struct VerifyReport: Sendable {
    package var storeSummary: StoreSummary
    /// `DeviceSettings` rows.
    package let records: Int
    /// Meters with more than one record.
    package let groups: Int
    package var unknownParts = UnknownParts(attributes: [], entities: [])
    /// The app's own model, if the store was compared with one.
    package var comparedModel: ComparedModel?
    /// The app's preferences, if the store was compared with them.
    package var comparedPreferences: ComparedPreferences?

    package init(_ storeSummary: StoreSummary, records: Int, groups: Int) {
        self.storeSummary = storeSummary
        self.records = records
        self.groups = groups
    }

    package subscript<Value>(dynamicMember path: WritableKeyPath<StoreSummary, Value>) -> Value {
        get { storeSummary[keyPath: path] }
        set { storeSummary[keyPath: path] = newValue }
    }

    package subscript<Value>(dynamicMember path: KeyPath<StoreSummary, Value>) -> Value { storeSummary[keyPath: path] }
}

/// The app's model that a store was compared with.
package struct ComparedModel: Hashable, Sendable {
    /// As the user gave it.
    package let path: String
    /// The name of the model's version; nil if the file does not say.
    package let version: String?
    /// Whether Core Data opens the store with it as it is.
    package let matches: Bool

    package init(path: String, version: String?, matches: Bool) {
        self.path = path
        self.version = version
        self.matches = matches
    }
}

/// The app's own rebuild marker, in its preferences, beside the store's.
package struct ComparedPreferences: Hashable, Sendable {
    /// As the user gave it.
    package let path: String
    /// The latest rebuild that the app says it has done; nil if it says none.
    package let marker: Int64?
    /// The same of the store's metadata.
    package let storeMarker: Int64?
    /// Whether each of the two says that the canonical rebuild was done.
    package let isDone: Bool
    package let isDoneInStore: Bool
    /// Meters of the store with several records.
    package let groups: Int

    package init(
        path: String, marker: Int64?, storeMarker: Int64?, isDone: Bool, isDoneInStore: Bool, groups: Int
    ) {
        self.path = path
        self.marker = marker
        self.storeMarker = storeMarker
        self.isDone = isDone
        self.isDoneInStore = isDoneInStore
        self.groups = groups
    }

    package var agrees: Bool { isDone == isDoneInStore }
}
