internal import MeterModel
internal import MeterStore

/// Meters with a name that a program may have made.
final class NameMachineMade: RecordCheck {
    static let description = CheckDescription(
        "name-machine-made", .warning, "a name that does not say which meter it is",
        explanation: [
            """
            The name is a platform model (iPad, MacBook Pro, iPhone14,2), a host name (Anas-MacBook.local), a hardware \
            type (TC66C), a UUID, an address, or only white space. It tells the user nothing about the meter.
            """,
            """
            Such names come from programs: older app versions named devices by platform model, "iPad" for every Mac \
            that runs the iPad app, and such names have ended up as names of meters.
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
        case .hostName: "a host name"
        case .meterType: "a hardware type"
        case .uuid: "a UUID"
        case .address: "an address"
        case .blank: "only white space"
        }
    }
}
