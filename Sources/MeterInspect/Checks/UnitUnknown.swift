package import MeterModel
internal import MeterStore

/// Temperature units the app does not know.
package final class UnitUnknown: RecordCheck {
    package static let description = CheckDescription(
        "unit-unknown", .error, "a temperature unit that is neither celsius nor fahrenheit",
        explanation: [
            """
            tc66TemperatureUnit must be exactly `celsius` or `fahrenheit`. The app treats anything else as its default \
            and may show a temperature in the wrong unit.
            """,
            "This comes from imports of old data and from edits by hand. Empty is fine: no unit was chosen.",
            """
            `meterfix fix unit-unknown` writes a unit that is understood, such as "F" or "°C", as the app does. Of any \
            other, ask the user, who can choose it again in the app; or give it with `meterfix set`.
            """,
        ])

    private let store: InspectedStore

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow, _ found: Found) {
        guard !row.isEmpty(.tc66TemperatureUnit), !Self.isKnown(row.text(.tc66TemperatureUnit)) else { return }
        found(finding(row[.tc66TemperatureUnit], of: row.record))
    }

    private func finding(_ unit: FieldValue, of record: DeviceSettings) -> Finding {
        let isUnderstood = unit.text.flatMap(TemperatureUnit.init(understanding:)) != nil
        let meter = record.usableAddress?.text(in: store.letterCase) ?? "--row \(record.row)"
        return Self.finding(
            "the unit \(unit.shown) is neither \"celsius\" nor \"fahrenheit\"", about: record, in: store,
            cure: isUnderstood
                ? store.repair("fix unit-unknown")
                : "ask the user for the unit, celsius or fahrenheit, then: \(store.repair("set \(meter) --unit celsius"))"
        )
    }

    /// Whether a value is not a unit; an empty one means that none was chosen.
    package static func isUnknown(_ value: FieldValue) -> Bool {
        guard !value.isEmpty else { return false }
        guard case .text(var text) = value else { return true }
        return !text.withUTF8 { isKnown($0) }
    }

    private static func isKnown(_ text: UnsafeBufferPointer<UInt8>?) -> Bool {
        guard let text else { return false }
        return known.contains { known in
            known.count == text.count && known.indices.allSatisfy { known[$0] == text[$0] }
        }
    }

    private static let known = TemperatureUnit.allCases.map { Array($0.rawValue.utf8) }
}
