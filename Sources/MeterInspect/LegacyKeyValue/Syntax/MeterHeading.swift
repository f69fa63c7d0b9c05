internal import MeterModel
internal import Texts

enum MeterHeading: CaseIterable {
    case address, name, unit

    /// What a value under it is, for a person.
    var words: String {
        switch self {
        case .address: "addresses"
        case .name: "names"
        case .unit: "units"
        }
    }

    /// The words for it, the surest first: lower case, letters and digits only.
    private var known: [String] {
        switch self {
        case .address:
            [
                "mac", "macaddress", "address", "bluetoothaddress", "addr", "macadresse", "adresse", "adressemac",
                "adresa", "adresamac",
            ]
        case .name: ["name", "metername", "label", "meter", "bezeichnung", "nom", "nume"]
        case .unit: ["unit", "units", "temperatureunit", "tc66temperatureunit", "einheit", "unité", "unitate"]
        }
    }

    private static let known: [String: (heading: MeterHeading, rank: Int)] = {
        var known: [String: (MeterHeading, Int)] = [:]
        for heading in allCases {
            for (rank, word) in heading.known.enumerated() { known[word] = (heading, rank) }
        }
        return known
    }()

    private static func word(of text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Nil for a heading that means none of the three.
    init?(of text: String) {
        guard let known = Self.known[Self.word(of: text)] else { return nil }
        self = known.heading
    }

    /// How sure a heading is: less is surer.
    static func rank(of text: String) -> Int { known[word(of: text)]?.rank ?? .max }

    /// Those that may be meant of several values under headings of one kind, in their order: an empty one is not, nor a
    /// running number beside a name.
    static func meant<Found>(_ found: [Found], _ value: (Found) -> DumpValue) -> [Found] {
        let full = found.filter { !(value($0).text.map(WhiteSpace.isAll) ?? false) }
        let others = full.filter { !value($0).isWholeNumber }
        return others.isEmpty ? full : others
    }

    /// For a person who has others.
    static let wanted =
        "an address under mac, macAddress, address or bluetoothAddress, a name under name, meterName or label, a unit under "
        + "unit, temperatureUnit or tc66TemperatureUnit"
}

extension DumpValue {
    fileprivate var isWholeNumber: Bool {
        if case .integer = self { true } else { text.flatMap { Int($0) } != nil }
    }
}
