package import CoreDataStore
internal import MeterModel

/// The app's own preferences (UserDefaults), in which it marks what it has done to its store. They are outside the store:
/// on a Mac and in a device's backup a property list in Library/Preferences.
package struct AppPreferences: Sendable {
    package let path: String
    /// The latest rebuild that the app says it has done; nil if it says none.
    package let marker: Int64?
    /// Every string of at most 256 bytes; one may be this device's id.
    let texts: Set<String>

    /// Reads a property list of any format.
    /// - Throws: `StoreError`, `notFound` or `damaged` where it cannot be read.
    package init(reading path: String) throws(StoreError) {
        self.path = path
        var values = try PropertyListFile.dictionary(path)
        var texts: Set<String> = []
        Self.collect(.dictionary(values), into: &texts)
        self.texts = texts
        for (name, value) in values where name.hasPrefix(RebuildMarker.key) {
            values[name] = name == RebuildMarker.key ? Self.number(value) : Self.flag(value)
        }
        marker = RebuildMarker.version(in: values)
    }

    private static func collect(_ value: PropertyList, into texts: inout Set<String>) {
        switch value {
        case .string(let text): if text.utf8.count <= 256 { texts.insert(text) }
        case .array(let values): for value in values { collect(value, into: &texts) }
        case .dictionary(let values): for value in values.values { collect(value, into: &texts) }
        case .null, .bool, .integer, .unsigned, .real, .date, .data, .uid: break
        }
    }

    /// As `UserDefaults.integer(forKey:)` takes a value: a text too, for `defaults read` prints nothing else.
    private static func number(_ value: PropertyList) -> PropertyList {
        switch value {
        case .real(let number): Int64(exactly: number).map(PropertyList.integer) ?? value
        case .string(let text): Int64(text).map(PropertyList.integer) ?? value
        case .null, .bool, .integer, .unsigned, .date, .data, .uid, .array, .dictionary: value
        }
    }

    /// As `UserDefaults.bool(forKey:)` takes a value.
    private static func flag(_ value: PropertyList) -> PropertyList {
        switch value {
        case .integer(let number): .bool(number != 0)
        case .unsigned: .bool(true)
        case .real(let number): .bool(number != 0)
        case .string(let text): .bool(["yes", "true", "1"].contains(text.lowercased()))
        case .null, .bool, .date, .data, .uid, .array, .dictionary: value
        }
    }
}

extension AppPreferences {
    /// Where the app's marker and the store's differ, and what that means for its records.
    func comparison(with store: InspectedStore) -> ComparedPreferences {
        ComparedPreferences(
            path: path, marker: marker, storeMarker: store.rebuildMarker, isDone: RebuildMarker.isDone(marker),
            isDoneInStore: RebuildMarker.isDone(store.rebuildMarker), groups: store.addresses.groups)
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

    package var agrees: Bool { isDone == isDoneInStore }
}
