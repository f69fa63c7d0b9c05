/// Which meters a command may change that otherwise changes all that need it.
package enum MeterFilter: Hashable, Sendable {
    case all
    case only(Set<MACAddress>)
    case except(Set<MACAddress>)

    /// - Parameter address: nil for what belongs to no meter, which is left alone where meters are named.
    package func contains(_ address: MACAddress?) -> Bool {
        switch self {
        case .all: true
        case .only(let addresses): address.map(addresses.contains) ?? false
        case .except(let addresses): address.map { !addresses.contains($0) } ?? true
        }
    }

    /// The options that say so, as words for a shell.
    package func words(in letterCase: LetterCase) -> [String] {
        switch self {
        case .all: []
        case .only(let addresses): Self.words("--only", addresses, letterCase)
        case .except(let addresses): Self.words("--except", addresses, letterCase)
        }
    }

    private static func words(_ option: String, _ addresses: Set<MACAddress>, _ letterCase: LetterCase) -> [String] {
        addresses.sorted().map { "\(option) \($0.text(in: letterCase))" }
    }
}
