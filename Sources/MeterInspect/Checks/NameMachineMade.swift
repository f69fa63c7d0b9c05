internal import MeterModel
internal import MeterStore

/// Meters named after a device, or by a program.
final class NameMachineMade: RecordCheck {
    static let description = CheckDescription(
        "name-machine-made", .warning, "a meter whose name no user typed",
        explanation: [
            """
            The name is a platform model (iPad, MacBook Pro, iPhone14,2), a UUID or an address. It tells the user \
            nothing about the meter.
            """,
            """
            Older app versions named devices by platform model, "iPad" for every Mac that runs the iPad app; such \
            names have ended up as names of meters.
            """,
            "A name belongs to the user and is never repaired. Have the user rename the meter in the app.",
        ])

    private let store: InspectedStore

    init(_ store: InspectedStore) { self.store = store }

    func visit(_ row: RecordRow, _ found: Found) {
        guard let bytes = row.text(.meterName), let kind = MachineMadeName(utf8: bytes) else { return }
        let name = String(decoding: bytes, as: UTF8.self)
        found(
            Self.finding(
                "the name \"\(name)\" is \(kind.noun)", about: row.record, in: store,
                cure: "have the user rename the meter in the app"))
    }
}

extension MachineMadeName {
    /// What such a name is, for a message.
    package var noun: String {
        switch self {
        case .platform: "a platform's, not a meter's"
        case .modelIdentifier: "a model identifier"
        case .uuid: "a UUID"
        case .address: "an address"
        }
    }
}
