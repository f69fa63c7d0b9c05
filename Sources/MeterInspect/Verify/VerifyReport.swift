package import MeterModel

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
}
