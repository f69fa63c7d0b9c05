import MeterModel
import MeterTestSupport
import Testing

@Suite struct WinnerOrderTests {
    typealias Step = WinnerStep

    static let allSteps = steps(.mostComplete)
    enum Side { case better, same, worse }

    static func steps(_ policy: WinnerPolicy) -> [Step] {
        switch policy {
        case .mostComplete:
            [.pendingDelete, .mark, .completeness, .updatedAt, .cloudRecord, .recordName, .createdAt, .id, .row]
        case .newest:
            [.pendingDelete, .mark, .updatedAt, .completeness, .cloudRecord, .recordName, .createdAt, .id, .row]
        }
    }

    /// A record that is better, worse or the same as another one at each step.
    private func contender(_ side: (Step) -> Side) -> DeviceSettings {
        func choose<Value>(_ step: Step, better: Value, worse: Value) -> Value {
            side(step) == .worse ? worse : better
        }
        let name = choose(.recordName, better: "a", worse: "b")
        // Only what CloudKit knows can be about to be deleted.
        let isGoing = choose(.pendingDelete, better: false, worse: true)
        let isMirrored = isGoing || choose(.cloudRecord, better: true, worse: false)
        var cloud = isMirrored ? DeviceSettings.CloudRecord(name: name) : nil
        cloud?.isAboutToBeDeleted = isGoing
        return record(
            choose(.row, better: 1, worse: 2),
            [
                .meterName: "Lab", .modelType: choose(.completeness, better: "TC66C", worse: .null),
                .updatedAt: choose(.updatedAt, better: 200, worse: 100),
                .createdAt: choose(.createdAt, better: 10, worse: 20),
                .id: choose(.id, better: .blob([1, 9]), worse: .blob([2])), .cloudKitRecordID: .text(name),
            ], extras: ["isHidden": choose(.mark, better: 0, worse: 1)], cloud: cloud)
    }

    @Test(
        "a step decides if those before it tie, whatever those after it say", arguments: WinnerPolicy.allCases,
        allSteps)
    func stepByStep(policy: WinnerPolicy, step: Step) {
        let steps = Self.steps(policy)
        let place = steps.firstIndex(of: step)!
        func side(_ decisive: Side, _ rest: Side) -> (Step) -> Side {
            { other in
                let index = steps.firstIndex(of: other)!
                return index < place ? .same : index == place ? decisive : rest
            }
        }
        let better = contender(side(.better, .worse))
        let worse = contender(side(.worse, .better))
        #expect(WinnerKey(better, policy: policy) < WinnerKey(worse, policy: policy))
        #expect(!(WinnerKey(worse, policy: policy) < WinnerKey(better, policy: policy)))
        for merge in [merge([better, worse], policy: policy), merge([worse, better], policy: policy)] {
            #expect(merge.winner == better)
            #expect(merge.advantages == [step])
        }
    }

    private func expect(
        _ winner: DeviceSettings, beats loser: DeviceSettings, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for policy in WinnerPolicy.allCases {
            #expect(merge([loser, winner], policy: policy).winner == winner, sourceLocation: sourceLocation)
        }
    }

    @Test(
        "a missing updatedAt is the oldest, and a date that no clock says is a missing one",
        arguments: [
            "not a date", .integer(-978_307_200), .real(-63_114_076_800), .real(63_113_904_000), .real(189_302_399.5),
        ] as [FieldValue])
    func missingUpdatedAt(none: FieldValue) {
        let oldest = record(2, [.updatedAt: .real(189_302_400)])
        expect(oldest, beats: record(1))
        expect(oldest, beats: record(1, [.updatedAt: none]))
    }

    @Test("a mark is a Boolean that is true or a real date, under one of the names in any letter case")
    func marks() {
        func isMarked(_ name: String, _ kind: FieldKind, _ value: FieldValue) -> Bool {
            let layout = RecordLayout(fields: [.init(name: name, kind: kind)])
            return DeviceSettings(row: 1, layout: layout, values: [value]).isMarked
        }
        for name in ["isHidden", "ISDELETED", "deduplicatedDate", "removedAt"] {
            #expect(isMarked(name, .boolean, 1) && isMarked(name, .date, 400_000_000.5), "\(name)")
            #expect(!isMarked(name, .boolean, 0) && !isMarked(name, .boolean, .null) && !isMarked(name, .date, .null))
            #expect(!isMarked(name, .date, .real(63_113_904_000)), "Date.distantFuture is never")
            #expect(!isMarked(name, .integer, 1) && !isMarked(name, .text, "yes"), "\(name)")
        }
        #expect(!isMarked("deletedSampleCount", .integer, 5) && !isMarked("shownAt", .date, 400_000_000))
    }

    @Test("a missing createdAt is last")
    func missingCreatedAt() {
        expect(record(2, [.createdAt: 9e9]), beats: record(1))
    }

    @Test("a missing record name or id is last")
    func missingNameOrID() {
        expect(record(2, cloud: .init(name: "z")), beats: record(1, cloud: .init(name: nil)))
        expect(record(2, [.id: .blob([0xFF])]), beats: record(1))
        expect(record(2, [.id: .blob([0xFF])]), beats: record(1, [.id: .blob([])]))
    }

    @Test("record names and ids are in byte order, not in alphabetical order")
    func byteOrder() {
        expect(record(2, cloud: .init(name: "B")), beats: record(1, cloud: .init(name: "a")))
        expect(record(2, cloud: .init(name: "z")), beats: record(1, cloud: .init(name: "\u{E4}")))
        expect(record(2, cloud: .init(name: "a")), beats: record(1, cloud: .init(name: "aa")))
        expect(record(2, cloud: .init(name: "A10")), beats: record(1, cloud: .init(name: "A9")))
        expect(record(2, [.id: .blob([0x7F, 0xFF])]), beats: record(1, [.id: .blob([0x80, 0])]))
        expect(record(2, [.id: .blob([1])]), beats: record(1, [.id: .blob([1, 0])]))
    }

    @Test("a whole date stored as INTEGER ties with the same one stored as REAL")
    func wholeDates() {
        expect(record(1, [.updatedAt: 100, .createdAt: 7.0]), beats: record(2, [.updatedAt: 100.0, .createdAt: 7]))
        expect(record(1, [.updatedAt: 100.0, .createdAt: 7]), beats: record(2, [.updatedAt: 100, .createdAt: 7.0]))
    }

    @Test("white space is not user data")
    func whiteSpace() {
        let blank = record(1, [.meterName: " \u{A0}", .tc66TemperatureUnit: "", .modelType: "\t", .updatedAt: 100])
        expect(record(2, [.updatedAt: 100, .modelType: "x"]), beats: blank)
        #expect(blank.completeness == 0)
    }

    @Test("lock and discovery are not user data")
    func lockAndDiscovery() {
        #expect(record(1, [.connectedByDeviceName: "iPhone", .lastSeenByDeviceName: "iPad"]).completeness == 0)
    }

    @Test("the app's own copy of the record name counts if the mirror has none")
    func appsOwnRecordName() {
        expect(record(2, [.cloudKitRecordID: "a"]), beats: record(1, [.cloudKitRecordID: "b"]))
        expect(record(2, [.cloudKitRecordID: "z"]), beats: record(1))
        expect(
            record(2, [.cloudKitRecordID: "z"], cloud: .init(name: "a")),
            beats: record(1, [.cloudKitRecordID: "a"], cloud: .init(name: "b")))
    }

    @Test("the order is strict and total on random records", arguments: WinnerPolicy.allCases)
    func strictAndTotal(policy: WinnerPolicy) {
        for seed in UInt64(0)..<250 {
            var random = SeededGenerator(seed: seed)
            // Rows of several groups meet here, so they are numbered anew.
            let layout = RecordLayout.whole
            let records = (random.group() + random.group()).filter { $0.layout == layout }.enumerated()
                .map { index, record in
                    DeviceSettings(
                        row: Int64(index), layout: layout, values: record.values, cloudRecord: record.cloudRecord)
                }
            let keys = records.map { WinnerKey($0, policy: policy) }
            for (index, one) in keys.enumerated() {
                for (otherIndex, other) in keys.enumerated() {
                    let isFirst = one < other
                    let isLast = other < one
                    guard isFirst != isLast || index == otherIndex && !isFirst, (one == other) == (index == otherIndex)
                    else {
                        Issue.record("seed \(seed): \(index) and \(otherIndex)")
                        return
                    }
                    guard isFirst else { continue }
                    for (thirdIndex, third) in keys.enumerated() where other < third && !(one < third) {
                        Issue.record("seed \(seed): \(index), \(otherIndex), \(thirdIndex)")
                        return
                    }
                }
            }
        }
    }
}
