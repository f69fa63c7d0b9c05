package import MeterModel

/// A value that a user typed or chose.
package struct TypedValue: Hashable, Sendable {
    package let meter: Int
    package let field: SettingsField
    package let value: String
    /// Seconds since the beginning; negative for one that was there before.
    package let time: Double
    /// Nil for one that was there before.
    package let device: Int?
}

/// What the user typed last for each meter and must find again. What was typed earlier, the user has replaced.
struct TypedValues {
    /// A value in the app's words: a unit may be written in another way.
    static func inAppsWords(_ value: FieldValue, of field: SettingsField) -> FieldValue {
        guard field == .tc66TemperatureUnit, let unit = value.text.flatMap(TemperatureUnit.init(understanding:)) else {
            return value
        }
        return .text(unit.rawValue)
    }

    private struct Key: Hashable {
        let meter: Int
        let field: SettingsField
    }

    /// What a user types or chooses. (`modelType` comes from the meter itself, and comes again with the next
    /// connection.)
    static let fields: [SettingsField] = [.meterName, .tc66TemperatureUnit]

    /// Several only if their times are equal.
    private var latest: [Key: [TypedValue]] = [:]

    mutating func note(_ typed: TypedValue) {
        let key = Key(meter: typed.meter, field: typed.field)
        guard let known = latest[key], let time = known.first?.time, time >= typed.time else {
            latest[key] = [typed]
            return
        }
        if time == typed.time, !known.contains(where: { $0.value == typed.value }) { latest[key]!.append(typed) }
    }

    /// The last values for each meter and field, of which one must be left.
    var groups: [[TypedValue]] {
        latest.values.sorted { left, right in
            (left[0].meter, left[0].field.rawValue) < (right[0].meter, right[0].field.rawValue)
        }
    }
}
