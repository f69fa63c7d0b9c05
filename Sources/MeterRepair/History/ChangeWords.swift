internal import CoreDataStore
internal import MeterInspect
internal import MeterModel

/// The words for what was changed.
package enum ChangeWords {
    /// An attribute that was changed; its values are nil where they are not known.
    package typealias Field = ChangeLog.Field

    /// Of an update: `name "Workbench" → "Foo", updatedAt`.
    package static func updated(_ fields: [Field]) -> String {
        ordered(fields).map { field in
            let name = attribute(field.name)
            guard isReadable(field), let before = field.before, let after = field.after else { return name }
            return "\(name) \(before.quoted(as: field.kind)) → \(after.quoted(as: field.kind))"
        }.joined(separator: ", ")
    }

    /// What a record has that was made or deleted, as far as it tells a person something: `name "Foo", unit "celsius"`.
    package static func contents(_ fields: [Field]) -> String {
        ordered(fields).compactMap { field in
            // The address is beside it.
            guard isReadable(field), field.name != SettingsField.macAddress.rawValue,
                let value = [field.after, field.before].compactMap(\.self).first(where: { !$0.isNull })
            else { return nil }
            return "\(attribute(field.name)) \(value.quoted(as: field.kind))"
        }.joined(separator: ", ")
    }

    /// An attribute as the options of `set` call it, or else by its own name.
    package static func attribute(_ name: String) -> String {
        SettingsField(rawValue: name).flatMap { words[$0] } ?? name
    }

    private static let words: [SettingsField: String] = [
        .meterName: "name", .tc66TemperatureUnit: "unit", .modelType: "type",
    ]

    /// What the user typed comes first, and what has no value that a person reads last.
    private static func ordered(_ fields: [Field]) -> [Field] {
        func rank(_ field: Field) -> Int {
            if let known = SettingsField(rawValue: field.name), words[known] != nil { return 0 }
            return isReadable(field) && field.before != nil ? 1 : 2
        }
        return (0...2).flatMap { wanted in fields.filter { rank($0) == wanted } }
    }

    private static let identifiers: Set<SettingsField> = [
        .connectedByDeviceID, .lastSeenByDeviceID, .cloudKitRecordID, .connectionMetadata, .discoveryMetadata,
    ]

    /// Whether a value tells a person something in a line.
    private static func isReadable(_ field: Field) -> Bool {
        if let known = SettingsField(rawValue: field.name), identifiers.contains(known) { return false }
        return switch field.kind {
        case .text, .integer, .boolean, .real: true
        case .date, .uuid, .binary: false
        }
    }
}
