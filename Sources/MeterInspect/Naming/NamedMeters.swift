package import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

/// The meters of a store and their names, for completing a word of a command line.
package struct NamedMeters: Sendable {
    /// The letter case of the store's addresses.
    package let letterCase: LetterCase
    /// In ascending order.
    package let addresses: [MACAddress]
    /// Those that name one meter, whatever the case of their letters; without white space around them.
    package let names: [String]

    /// Leaves no trace.
    /// - Throws: `StoreError` if the store cannot be read.
    package static func of(_ path: String, now: Timestamp) throws(StoreError) -> NamedMeters {
        try InspectedStore.look(at: path, now: now) { store, database in
            guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
            var meters: [String: (name: String, addresses: Set<MACAddress>)] = [:]
            try settings.forEachRow(database) { row in
                guard case .usable(let address, _) = row.address, !row.isEmpty(.meterName),
                    let text = row[.meterName].text
                else { return }
                let name = WhiteSpace.trimmed(text)
                meters[name.lowercased(), default: (name, [])].addresses.insert(address)
            }
            return NamedMeters(
                letterCase: store.letterCase, addresses: store.addresses.meters.map(\.address),
                names: meters.values.filter { $0.addresses.count == 1 }.map(\.name).sorted())
        }
    }
}
