package import CoreDataStore
internal import GRDB
package import MeterModel
internal import MeterStore

/// A meter as a user names it.
package enum MeterReference: Hashable, Sendable {
    case address(MACAddress)
    /// What is not an address is a name.
    case name(String)

    package init(_ word: String) {
        self = MACAddress.parse(word).map { .address($0.address) } ?? .name(word)
    }

    /// The meter's address: looked up in the store where the user gave a name. Leaves no trace.
    /// - Throws: `StoreError`; `unsuitable` if no meter has the name, or if several have it.
    package func address(in path: String, now: Timestamp) throws(StoreError) -> MACAddress {
        switch self {
        case .address(let address): return address
        case .name:
            return try InspectedStore.look(at: path, now: now) { store, database in
                guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
                return try address(in: store, settings, database)
            }
        }
    }

    /// The same in a store that is open. An address is not looked up.
    /// - Throws: `StoreError`; `unsuitable` if no meter has the name, or if several have it. SQLite's errors.
    func address(
        in store: InspectedStore, _ settings: SettingsTable, _ database: Database
    ) throws -> MACAddress {
        switch self {
        case .address(let address): return address
        case .name(let name):
            let matches = try MatchingNames(name, in: store, settings, database)
            if matches.addresses.count == 1 { return matches.addresses[0] }
            guard matches.addresses.isEmpty else {
                throw Refusal.severalMeters(
                    try matches.addresses.prefix(NearMeters.most).map {
                        try NearMeters.Meter(at: $0, in: store, settings, database)
                    }, of: matches.addresses.count, named: name, in: store)
            }
            throw Refusal.noMeter(named: name, in: store, near: try NearMeters(to: self, in: store, settings, database))
        }
    }
}

/// A meter or a single record, as a user names it.
package enum RecordReference: Hashable, Sendable {
    case meter(MeterReference)
    /// `Z_PK`.
    case row(Int64)

    /// The row of the one record in whose address this very text is, and cannot be used; nil without one. Leaves no trace.
    /// - Throws: `StoreError`; `unsuitable` if there are several.
    package static func row(
        ofUnusableAddress text: String, in path: String, now: Timestamp
    ) throws(StoreError) -> Int64? {
        try InspectedStore.look(at: path, now: now) { store, database in
            guard let settings = store.settings else { throw Refusal.noSettings(in: store) }
            let rows = try settings.rows(with: .text(text), in: .macAddress, database)
            let unusable = try settings.records(of: rows, database).values.filter { $0.usableAddress == nil }
                .map(\.row).sorted()
            guard unusable.count < 2 else { throw Refusal.severalRecords(unusable, withAddress: text, in: store) }
            return unusable.first
        }
    }
}

/// The meters that have a name: the very text, or else the same by Unicode's canonical equivalence, or else in another
/// letter case; white space around it never counts.
private struct MatchingNames {
    /// In ascending order. A meter is named by each of its records, and counts once.
    let addresses: [MACAddress]

    private enum Likeness: Int, CaseIterable { case exact, equivalent, otherCase }

    /// - Throws: SQLite's errors; `StoreError` if the user asked to stop.
    init(_ name: String, in store: InspectedStore, _ settings: SettingsTable, _ database: Database) throws {
        let wanted = WhiteSpace.trimmed(name)
        let folded = wanted.lowercased()
        var found = Likeness.allCases.map { _ in Set<MACAddress>() }
        try settings.forEachRow(database) { row in
            if row.row & 0x3FF == 0 { try Interruption.check(store.path) }
            guard case .usable(let address, _) = row.address, !row.isEmpty(.meterName),
                let text = row[.meterName].text
            else { return }
            let name = WhiteSpace.trimmed(text)
            if name.utf8.elementsEqual(wanted.utf8) {
                found[Likeness.exact.rawValue].insert(address)
            } else if name == wanted {
                found[Likeness.equivalent.rawValue].insert(address)
            } else if name.lowercased() == folded {
                found[Likeness.otherCase.rawValue].insert(address)
            }
        }
        addresses = (found.first { !$0.isEmpty } ?? []).sorted()
    }
}
