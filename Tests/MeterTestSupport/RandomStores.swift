internal import MeterModel

/// Record sets nobody thought of: the same ones for the same seed.
package enum RandomStores {
    /// Records of up to `meters` meters, 1 to 6 records each, and now and then records that are no meter's.
    /// Row numbers are 1, 2, 3 … in no order of meters.
    package static func records(seed: UInt64, meters: Int = 8) -> [FixtureRecord] {
        var maker = Maker(seed: seed)
        return maker.records(meters: meters)
    }

    /// The same records with other row numbers and in another order. Everything synced stays as it is.
    package static func shuffledRows(_ records: [FixtureRecord], seed: UInt64) -> [FixtureRecord] {
        var generator = SeededGenerator(seed: seed)
        var numbers: Set<Int64> = []
        while numbers.count < records.count {
            numbers.insert(Int64.random(in: 1...Int64(4 * records.count + 8), using: &generator))
        }
        let rows = numbers.sorted().shuffled(using: &generator)
        return zip(rows, records).map { row, record in record.with { $0.row = row } }.shuffled(using: &generator)
    }

    /// Where the mirror's token is in a store of this many transactions: nowhere, where all is exported, where nothing is,
    /// or anywhere between. Wherever it is, its transaction is there.
    package static func historyToken(seed: UInt64, transactions: Int) -> StoreFixture.HistoryToken {
        guard transactions > 0 else { return .lastExported }
        var generator = SeededGenerator(seed: seed &+ 0x70CE)
        return switch Int.random(in: 0..<4, using: &generator) {
        case 0: .none
        case 1: .lastExported
        case 2: .transaction(Int64(transactions))
        default: .transaction(Int64.random(in: 1...Int64(transactions), using: &generator))
        }
    }
}

/// What is drawn while one record set is made.
private struct Maker {
    private var generator: SeededGenerator
    private let seed: UInt64
    private var count: UInt64 = 0
    /// Few and shared, so that clocks tie often.
    private var times: [Double]

    private static let names = [
        "Kitchen charger", "Bench UM34C", "Lab TC66", "Încărcător birou", "Зарядка в машине", "机架电源", "Ladegerät",
        "iPad", "Lab TC66 ", "🔌 travel",
    ]
    private static let types = ["UM25C", "UM34C", "UM24C", "TC66C"]
    private static let blanks = ["", " ", "\t", "\u{00A0}", " \n "]
    private static let notMeters: [String?] = [
        nil, "", "  ", "00:00:00:00:00:00", "FF-FF-FF-FF-FF-FF", "020000000000", "UM25C", "A4:C1:38:0B:7E",
        "A4:C1:38:0B:7E:2G", "A4:C1-38:0B:7E:21", "A4:C1:38:0B:7E:21:00",
    ]
    private static let devices: [FixtureDevice] = [.anasPhone, .bogdansMac, .chloesPad]

    init(seed: UInt64) {
        self.seed = seed
        var generator = SeededGenerator(seed: seed)
        let now = FixtureClock.now
        times = (0..<12).map { _ in now - Double(Int.random(in: 0...400_000, using: &generator)) * 64 }
        times += [now - 0.125, now - 60, now + 2 * FixtureClock.day]
        self.generator = generator
    }

    mutating func records(meters: Int) -> [FixtureRecord] {
        var records: [FixtureRecord] = []
        for _ in 0..<max(1, Int.random(in: 1...max(1, meters), using: &generator)) {
            let octets = (0..<6).map { _ in UInt8.random(in: 1...0xFE, using: &generator) }
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                records.append(record(address: spelled(octets)))
            }
        }
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            records.append(record(address: pick(Self.notMeters) ?? nil))
        }
        records.shuffle(using: &generator)
        return records.enumerated().map { index, record in record.with { $0.row = Int64(index + 1) } }
    }

    private mutating func record(address: String?) -> FixtureRecord {
        count += 1
        var record = FixtureRecord(row: 0, macAddress: address)
        // Some records of a set have no id, and some two have the same one.
        record.id = chance(8) ? nil : FixtureUUID(seed &* 1000 &+ (chance(10) ? 1 : count)).bytes
        record.meterName = text(Self.names)
        record.tc66TemperatureUnit = text(["celsius", "fahrenheit"])
        record.modelType = text(Self.types)
        record.createdAt = chance(6) ? nil : pick(times)
        record.updatedAt = chance(8) ? nil : pick(times)
        if chance(3) { lock(&record) }
        if chance(2) { discover(&record) }
        if chance(3) { record.cloudKitRecordID = FixtureUUID(seed &* 1000 &+ count &+ 500).text }
        if !chance(4) {
            record.cloudRecordName = FixtureUUID(seed &* 1000 &+ count &+ 500).text
            record.needsUpload = chance(6)
        }
        return record
    }

    private mutating func lock(_ record: inout FixtureRecord) {
        guard let device = pick(Self.devices), let time = pick(times) else { return }
        record = record.locked(by: device, at: time, for: chance(5) ? 7 * FixtureClock.day : 120)
        guard chance(4) else { return }
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: record.connectedByDeviceID = nil
        case 1: record.connectedByDeviceName = nil
        case 2: record.connectedAt = nil
        default: record.connectedExpiryAt = nil
        }
    }

    private mutating func discover(_ record: inout FixtureRecord) {
        guard let device = pick(Self.devices), let time = pick(times) else { return }
        record = record.seen(by: device, at: time)
        if chance(6) { record.lastSeenByDeviceName = nil }
        if chance(9) { record.lastSeenAt = nil }
    }

    /// One of the ways to write an address that mean the same meter.
    private mutating func spelled(_ octets: [UInt8]) -> String {
        let uppercase = chance(2)
        let pairs = octets.map { octet in
            let hex = Hexadecimal.text(of: [octet])
            return uppercase ? hex.uppercased() : hex
        }
        let text =
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: pairs.joined()
            case 1: pairs.joined(separator: "-")
            case 2:
                stride(from: 0, to: 6, by: 2).map { pairs[$0] + pairs[$0 + 1] }.joined(separator: ".")
            default: pairs.joined(separator: ":")
            }
        return chance(10) ? " \(text)\n" : text
    }

    /// Nothing, white space, or one of `choices`.
    private mutating func text(_ choices: [String]) -> String? {
        if chance(4) { return nil }
        return chance(6) ? pick(Self.blanks) : pick(choices)
    }

    private mutating func pick<Element>(_ choices: [Element]) -> Element? { choices.randomElement(using: &generator) }

    /// True once in `times` on average.
    private mutating func chance(_ times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }
}
