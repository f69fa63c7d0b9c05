import MeterModel
import MeterTestSupport
import Testing

@Suite struct AddressIndexTests {
    private static let layout = RecordLayout(fields: [.init(name: "macAddress", kind: .text)])

    private func index(_ texts: [String?]) -> AddressIndex {
        AddressIndex(
            of: texts.enumerated().map { row, text in
                DeviceSettings(row: Int64(row), layout: Self.layout, values: [text.map(FieldValue.text) ?? .null])
            })
    }

    /// Each meter with its rows.
    private func rows(_ meters: [AddressIndex.Meter]) -> [MACAddress: [Int64]] {
        #expect(meters.map(\.address) == meters.map(\.address).sorted())
        return Dictionary(uniqueKeysWithValues: meters.map { ($0.address, $0.rows) })
    }

    @Test("rows of one meter are grouped, in every notation")
    func grouping() {
        let index = index(["112233445566", "aa:bb:cc:dd:ee:ff", "11:22:33:44:55:66", " AABB.CCDD.EEFF\n"])
        #expect(
            rows(index.metersNeedingRebuild(of: .lower)) == [
                MACAddress(bits: 0x1122_3344_5566): [0, 2], meter: [1, 3],
            ])
    }

    @Test("a single record needs a rebuild if its address is not canonical")
    func singleRecords() {
        let index = index(["AA:BB:CC:DD:EE:FF", "11:22:33:44:55:66", "aa:bb:cc:dd:ee:01", "Aa:bb:cc:dd:ee:02"])
        #expect(index.metersNeedingRebuild(of: .upper).map(\.rows) == [[2], [3]])
        #expect(index.metersNeedingRebuild(of: .lower).map(\.rows) == [[3], [0]])
    }

    @Test("a missing or invalid address and a placeholder are never grouped and never counted")
    func unusableAddresses() {
        let placeholders = ["00:00:00:00:00:00", "ff:ff:ff:ff:ff:ff", "02-00-00-00-00-00"]
        let index = index([nil, nil, "", "", "junk", "junk"] + placeholders + placeholders)
        #expect(index.metersNeedingRebuild(of: .upper).isEmpty)
        #expect(index.records == 12)
        #expect(index.recordsWithoutUsableAddress == 12)
        #expect(index.letterCase == .upper)
    }

    @Test("the case is that of most usable addresses")
    func letterCase() {
        #expect(index(["aa:bb:cc:dd:ee:01", "aa:bb:cc:dd:ee:02", "AA:BB:CC:DD:EE:03"]).letterCase == .lower)
        #expect(index(["aa:bb:cc:dd:ee:01", "AA:BB:CC:DD:EE:03"]).letterCase == .upper)
        #expect(
            index(["aa:bb:cc:dd:ee:01", "aabbccddee02", "AA:BB:CC:DD:EE:03", "aa-bb-cc-dd-ee-04"]).letterCase == .upper)
    }

    @Test("the meters are all there, each once with its rows")
    func allMeters() {
        let index = index(["a4:c1:38:0b:7e:22", "junk", "A4C1380B7E21", "a4:c1:38:0b:7e:22", nil, "A4:C1:38:0B:7E:20"])
        #expect(
            rows(index.meters) == [
                MACAddress(bits: 0xA4C1_380B_7E20): [5], MACAddress(bits: 0xA4C1_380B_7E21): [2],
                MACAddress(bits: 0xA4C1_380B_7E22): [0, 3],
            ])
        #expect(index.rows(of: MACAddress(bits: 0xA4C1_380B_7E22)) == [0, 3])
        #expect(index.rows(of: MACAddress(bits: 0xA4C1_380B_7E23)).isEmpty)
        #expect(self.index([nil, "junk"]).meters.isEmpty)
    }

    @Test("the meters that need a rebuild are those that merging changes")
    func metersNeedingRebuild() {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            let pool = [
                meter, MACAddress(bits: 0xA), MACAddress(bits: 0x1122_3344_5566), MACAddress(bits: random.next()),
            ]
            let texts = (0..<6).map { _ in random.text(of: random.pick(pool)) }
            let index = index(texts)
            for letterCase in LetterCase.allCases {
                var expected: [MACAddress: [Int64]] = [:]
                for address in Set(pool) {
                    let rows = texts.indices.filter { MACAddress.parse(texts[$0])?.address == address }
                    let isFine = rows.isEmpty || rows.count == 1 && texts[rows[0]] == address.text(in: letterCase)
                    if !isFine { expected[address] = rows.map(Int64.init) }
                }
                guard rows(index.metersNeedingRebuild(of: letterCase)) == expected else {
                    Issue.record("seed \(seed): \(texts)")
                    return
                }
            }
        }
    }
}
