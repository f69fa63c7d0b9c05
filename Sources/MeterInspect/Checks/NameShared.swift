internal import GRDB
internal import MeterModel
internal import MeterStore

/// Meters with the same name.
final class NameShared: GroupCheck {
    static let description = CheckDescription(
        "name-shared", .warning, "the same name on several meters",
        explanation: [
            """
            Meters with different addresses have the same name, so the user cannot tell them apart in lists and \
            exports. Records of one meter do not count here: see `duplicate-mac`.
            """,
            """
            Often it is a default name that was never changed, sometimes one meter whose address changed after a \
            firmware update or a repair.
            """,
            "A name belongs to the user and is never repaired. Have the user rename one of the meters in the app.",
        ])

    private struct Bearers {
        let name: String
        var rows: [Int64]
        var addresses: [MACAddress]

        mutating func add(_ row: Int64, _ address: MACAddress) {
            rows.append(row)
            addresses.append(address)
        }
    }

    private let store: InspectedStore
    @exclusivity(unchecked) private var sightings: DuplicateCandidates
    /// The names that several meters have.
    private var shared: [Bearers] = []

    init(_ store: InspectedStore) {
        self.store = store
        sightings = DuplicateCandidates(expecting: store.addresses.records)
    }

    func visit(_ row: RecordRow) {
        guard case .usable(let address, _) = row.address, let name = row.text(.meterName) else { return }
        let trimmed = UnsafeBufferPointer(rebasing: WhiteSpace.trim(name))
        guard !trimmed.isEmpty else { return }
        sightings.add(UnsafeRawBufferPointer(trimmed), of: address.bits, row: row.row)
    }

    func sort() { sightings.sort() }

    func finish(_ store: InspectedStore, _ database: Database) throws {
        // By the name's bytes, without white space at either end.
        var bearers: [[UInt8]: Bearers] = [:]
        try store.settings?.forEachRow(of: sightings.suspects(), database) { row in
            guard case .usable(let address, _) = row.address, var name = row[.meterName].text else { return }
            let bytes = name.withUTF8 { Array(WhiteSpace.trim($0)) }
            bearers[bytes, default: Bearers(name: String(decoding: bytes, as: UTF8.self), rows: [], addresses: [])]
                .add(row.row, address)
        }
        shared = bearers.values.filter { Set($0.addresses).count > 1 }.sorted { $0.rows[0] < $1.rows[0] }
    }

    var groups: [[Int64]] { shared.map(\.rows) }

    func finding(_ group: Int) -> Finding {
        let bearers = shared[group]
        let addresses = Set(bearers.addresses).sorted().map { $0.text(in: store.letterCase) }
        return Self.description.finding(
            "the name \"\(bearers.name)\" is on \(addresses.count) meters, \(Phrase.start(of: addresses))",
            entity: SettingsTable.entityName, rows: bearers.rows,
            cure: "have the user rename all but one of them in the app")
    }
}
