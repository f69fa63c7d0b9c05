package import CoreDataStore
internal import MeterJournal
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

    /// The meter's address: looked up in the store where the user gave a name.
    /// - Throws: `StoreError`; `unsuitable` if no meter has the name, or if several have it.
    package func address(in path: String, now: Timestamp) throws(StoreError) -> MACAddress {
        switch self {
        case .address(let address): return address
        case .name: return try MeterSession.look(at: path, now: now) { try address(in: $0) }
        }
    }

    /// Whether a meter of the store has this name. An address is no name.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package func isName(in session: MeterSession) throws -> Bool {
        switch self {
        case .address: false
        case .name(let name): try !session.meters(named: name).isEmpty
        }
    }

    /// The same in a store that is open. An address is not looked up.
    /// - Throws: also `StoreError`, `unsuitable` if no meter has the name, or if several have it.
    package func address(in session: MeterSession) throws -> MACAddress {
        switch self {
        case .address(let address): return address
        case .name(let name):
            let addresses = try session.meters(named: name)
            if addresses.count == 1 { return addresses[0] }
            guard addresses.isEmpty else {
                throw Refusal.severalMeters(
                    addresses.prefix(NearMeter.most).map { NearMeter(at: $0, in: session) },
                    of: addresses.count, named: name, in: session.store)
            }
            throw Refusal.noMeter(named: name, in: session.store, near: try session.meters(near: self))
        }
    }
}

package enum RecordReference: Hashable, Sendable {
    case meter(MeterReference)
    /// `Z_PK`.
    case row(Int64)

    /// The row of the one record in whose address this very text is, and cannot be used; nil without one.
    /// - Throws: `StoreError`; `unsuitable` if there are several.
    package static func row(
        ofUnusableAddress text: String, in path: String, now: Timestamp
    ) throws(StoreError) -> Int64? {
        try MeterSession.look(at: path, now: now) { session in
            let records = try session.store.records
            let unusable = records.filter { $0.usableAddress == nil && $0[.macAddress] == .text(text) }.map(\.row)
            guard unusable.count < 2 else {
                throw Refusal.severalRecords(unusable, withAddress: text, in: session.store)
            }
            return unusable.first
        }
    }
}

extension MeterSession {
    /// The meters that have a name: the very text, or else the same by Unicode's canonical equivalence, or else in another
    /// letter case; white space around it never counts. In ascending order. A meter is named by each of its records.
    func meters(named name: String) throws -> [MACAddress] {
        let wanted = WhiteSpace.trimmed(name)
        let folded = wanted.lowercased()
        var found: (exact: Set<MACAddress>, equivalent: Set<MACAddress>, otherCase: Set<MACAddress>) = ([], [], [])
        for record in try base.store.records {
            guard let address = record.usableAddress, let text = record.shownName else { continue }
            let name = WhiteSpace.trimmed(text)
            if name.utf8.elementsEqual(wanted.utf8) {
                found.exact.insert(address)
            } else if name == wanted {
                found.equivalent.insert(address)
            } else if name.lowercased() == folded {
                found.otherCase.insert(address)
            }
        }
        return ([found.exact, found.equivalent, found.otherCase].first { !$0.isEmpty } ?? []).sorted()
    }
}

/// Which meter, or which record, and which store a command line names: the one place that says which word is which.
///
/// The meter comes before the store: an address, or else a name. `--row N` takes the place of the meter, and then the only
/// word is the store. The store may be left out if `$METERFIX_STORE` names one.
package struct MeterWords: Hashable, Sendable {
    /// Nil where none is named.
    package let record: RecordReference?
    package let store: String?

    /// The words name nothing that makes sense: lower case, no full stop.
    package struct UsageError: Error, Hashable, Sendable {
        package let message: String
    }

    /// Whether a command is about one meter.
    package enum Need: Sendable { case meter, perhapsMeter }

    /// - Parameters:
    ///   - words: the positional arguments, at most two.
    ///   - isFile: whether there is a file of this name. A single word that is one names the store.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(
        _ words: [String], row: Int64? = nil, environment: String?, need: Need, isFile: (String) -> Bool
    ) throws(UsageError) {
        precondition(words.count <= 2)
        let isAddress = words.map { MeterReference($0).isAddress }
        var (meter, store): (String?, String?) = (nil, nil)
        switch (words.count, row) {
        case (0, _): break
        case (1, .some):
            if isAddress[0], !isFile(words[0]) { throw Self.rowAndMeter }
            store = words[0]
        case (1, nil):
            // Without an address or a file, a word is a name if it can be one.
            let isStore = isFile(words[0]) || (environment == nil && need == .perhapsMeter)
            if !isAddress[0], isStore { store = words[0] } else { meter = words[0] }
        case (_, .some): throw Self.rowAndMeter
        case (_, nil):
            if !isAddress[0], isAddress[1], !isFile(words[1]) {
                throw UsageError(message: "name the meter before the store: \(words[1]) \(words[0])")
            }
            (meter, store) = (words[0], words[1])
        }
        if let meter, meter.allSatisfy(\.isWhitespace) { throw UsageError(message: "an empty name names no meter") }
        record = row.map { .row($0) } ?? meter.map { .meter(MeterReference($0)) }
        self.store = store ?? environment
        guard record != nil || need == .perhapsMeter else {
            throw UsageError(message: "name a meter by its address or its name\(store.map { ", before \($0)" } ?? "")")
        }
    }

    private static let rowAndMeter = UsageError(
        message: "--row and a meter exclude each other; beside --row name only the store")
}

extension MeterReference {
    fileprivate var isAddress: Bool { if case .address = self { true } else { false } }
}

/// The meters of a store and their names, for completing a word of a command line.
package struct NamedMeters: Sendable {
    package let letterCase: LetterCase
    package let addresses: [MACAddress]
    /// Those that name one meter, whatever the case of their letters; without white space around them.
    package let names: [String]

    /// - Throws: `StoreError` if the store cannot be read.
    package static func of(_ path: String, now: Timestamp) throws(StoreError) -> NamedMeters {
        try MeterSession.look(at: path, now: now) { session in
            var meters: [String: (name: String, addresses: Set<MACAddress>)] = [:]
            for record in try session.store.records {
                guard let address = record.usableAddress, let text = record.shownName else { continue }
                let name = WhiteSpace.trimmed(text)
                meters[name.lowercased(), default: (name, [])].addresses.insert(address)
            }
            return NamedMeters(
                letterCase: session.store.letterCase, addresses: session.store.addresses.meters.map(\.address),
                names: meters.values.filter { $0.addresses.count == 1 }.map(\.name).sorted())
        }
    }
}

/// The reasons not to work on the meter or the record that a command names.
extension Refusal {
    /// The store has no record of the meter at this address: says what nearly fits.
    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package static func noRecord(of address: MACAddress, in session: MeterSession) throws -> StoreError {
        let (store, near) = (session.store, try session.meters(near: .address(address)))
        return store.unsuitable(
            "no record of the meter \(address.text(in: store.letterCase))",
            hint: near.question(in: store.letterCase)
                ?? "check the address; the app makes a record when it first sees the meter, import-kv from a dump")
    }

    package static func noRecord(row: Int64, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "no record in row \(row)", hint: "`\(store.command("meters"))` lists the records with their rows")
    }

    static func severalRecords(_ rows: [Int64], withAddress text: String, in store: InspectedStore) -> StoreError {
        store.unsuitable(
            "\(rows.count) records have \"\(text)\" in place of an address, rows "
                + Phrase.start(of: rows.map { "\($0)" }), hint: "name one with --row")
    }

    static func noMeter(
        named name: String, in store: InspectedStore, near: [NearMeter], orHad former: [String] = []
    ) -> StoreError {
        store.unsuitable(
            "no meter is named \"\(name)\"",
            hint: near.question(in: store.letterCase, orHad: former)
                ?? "`\(store.command("meters"))` lists the meters")
    }

    static func severalMeters(
        _ meters: [NearMeter], of count: Int, named name: String, in store: InspectedStore
    ) -> StoreError {
        let some = count > meters.count ? ", and \(count - meters.count) more" : ""
        return store.unsuitable(
            "\(count) meters are named \"\(name)\"",
            hint: "name one by its address: \(meters.list(in: store.letterCase))\(some)")
    }
}
