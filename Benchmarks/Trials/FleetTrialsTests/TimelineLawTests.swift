import CoreDataStore
import FleetTrials
import Foundation
import GRDB
import MeterInspect
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

@testable import FleetSimulation

/// A simulation knows who did what. Its devices' stores are written with the histories that they would have.
@Suite("one timeline of several devices")
struct TimelineLawTests {
    /// What happened to one record on one device.
    private struct Happening {
        enum Kind { case made, written, received, changed, deleted }
        let kind: Kind
        let device: Int
        /// Since the beginning of the simulation. Seconds.
        let time: Double
        /// Its name in CloudKit.
        let record: String
        var isImport: Bool { kind == .received || kind == .changed || kind == .deleted }
    }

    /// A fleet after a day, and everything that happened on it.
    private struct Life {
        let simulation: Simulation
        let happenings: [Happening]
        /// By device: how many records it had at the beginning.
        let firstRows: [[String: Int64]]

        /// - Parameter isNew: whether the devices begin without a record, so that their histories are whole.
        init(seed: UInt64, isNew: Bool) {
            let random = RandomFleet(seed: seed)
            let fleet =
                isNew
                ? random.fleet.with(devices: random.fleet.devices.map { $0.with(records: []) }, zone: []) : random.fleet
            var options = Simulation.Options(policy: .lastWriteWins)
            options.isNarrated = true
            options.seed = seed
            simulation = Simulation(fleet, options)
            firstRows = simulation.devices.map { device in
                Dictionary(
                    uniqueKeysWithValues: device.replica.numbers.map {
                        (device.replica.register.name(of: $0), device.replica[$0]!.row)
                    })
            }
            let steps = simulation.run(random.before).steps
            let register = simulation.register
            let names = (0..<register.count).map { register.name(of: RecordNumber(index: $0)) }
            happenings = steps.flatMap { step in
                step.text.split(separator: "; ").compactMap { part in Self.happening(String(part), step, names) }
            }
        }

        private static func happening(_ text: String, _ step: Outcome.Step, _ names: [String]) -> Happening? {
            let kinds: [(String, Happening.Kind)] = [
                ("creates record ", .made), ("writes record ", .written), ("receives record ", .received),
                ("receives a change of record ", .changed), ("merges two versions of record ", .changed),
                ("receives the deletion of record ", .deleted), ("deletes record ", .deleted),
            ]
            guard let device = step.device, !text.hasSuffix("in the cloud"),
                let (start, kind) = kinds.first(where: { text.hasPrefix($0.0) })
            else { return nil }
            let short = text.dropFirst(start.count).prefix(8)
            guard let name = names.first(where: { $0.hasPrefix(short) }) else { return nil }
            return Happening(kind: kind, device: device, time: step.time, record: name)
        }

        func clock(_ device: Int, _ time: Double) -> Double {
            simulation.fleet.start.secondsSince2001 + time + simulation.fleet.devices[device].clockError
        }

        /// Whether the device had the record just before its happening of that number.
        func had(_ record: String, on device: Int, before place: Int) -> Bool {
            var isThere = firstRows[device][record] != nil
            for happening in happenings[..<place] where happening.device == device && happening.record == record {
                switch happening.kind {
                case .made, .received: isThere = true
                case .deleted: isThere = false
                case .written, .changed: break
                }
            }
            return isThere
        }
    }

    /// Writes the store of one device.
    private func write(_ life: Life, device: Int, to folder: TemporaryFolder, isNew: Bool) throws -> String {
        let replica = life.simulation.devices[device].replica
        let layout = replica.layout
        let records = replica.numbers.sorted { replica[$0]!.row < replica[$1]!.row }.map { number in
            let record = replica[number]!
            return FixtureRecord(row: record.row).with {
                for (field, value) in zip(layout.fields, record.values) {
                    $0.overrides["Z" + field.name.uppercased()] = Self.fixture(value)
                }
                if record.tag != Replica.Record.new { $0.cloudRecordName = replica.register.name(of: number) }
            }
        }
        var rows = life.firstRows[device]
        var next = (rows.values.max() ?? 0) + 1
        // Without its beginning, a history does not begin with the first transaction.
        var number: Int64 = isNew ? 0 : 7
        var statements: [String] = ["DELETE FROM ACHANGE; DELETE FROM ATRANSACTION"]
        var last: (time: Double, isImport: Bool)?
        let fixture = StoreFixture(records: records).with {
            $0.mirror = .current
            $0.storeUUID = FixtureUUID(UInt64(100 + device)).text
        }
        let entity = try #require(fixture.model[entity: SettingsTable.entityName])
        for happening in life.happenings where happening.device == device {
            if happening.kind == .made || happening.kind == .received {
                rows[happening.record] = next
                next += 1
            }
            guard let row = rows[happening.record] else { continue }
            let time = life.clock(device, happening.time)
            if !(happening.isImport && last?.time == time && last?.isImport == true) {
                number += 1
                statements.append(
                    """
                    INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS, ZBUNDLEIDTS, ZPROCESSIDTS)
                    VALUES (\(number), 16002, \(time), \(happening.isImport ? "99" : "NULL"), 1, 2)
                    """)
            }
            last = (time, happening.isImport)
            var columns = "NULL"
            let type: Int
            switch happening.kind {
            case .made, .received: type = 0
            case .deleted: type = 2
            case .written, .changed:
                type = 1
                var fields: Set<String> = ["updatedAt"]
                let present = replica.register[happening.record].flatMap { replica[$0] }
                func isNow(_ field: SettingsField) -> Bool {
                    present?.values[layout.position(of: field)!].timestamp?.secondsSince2001 == time
                }
                if happening.isImport || isNow(.lastSeenAt) {
                    fields.formUnion(["lastSeenAt", "lastSeenByDeviceID", "lastSeenByDeviceName"])
                }
                if happening.isImport || isNow(.connectedAt) {
                    fields.formUnion(SettingsField.flatLock.map(\.rawValue))
                }
                let bits = try #require(fixture.model.changedColumns(fields, of: entity))
                columns = "X'" + bits.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() + "'"
            }
            statements.append(
                """
                INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
                VALUES (16001, \(type), \(fixture.settingsNumber), \(row), \(number), \(columns))
                """)
        }
        // What the simulation tells is all that happened.
        for number in replica.numbers { #expect(rows[replica.register.name(of: number)] == replica[number]!.row) }
        statements += [
            "INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (99, 16003, 'NSCloudKitMirroringDelegate.import')",
            "INSERT OR IGNORE INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (1, 16003, 'app'), (2, 16003, 'USB')",
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 100000 WHERE Z_NAME IN ('CHANGE', 'TRANSACTION', 'TRANSACTIONSTRING')",
        ]
        return try folder.store(
            fixture.damaged(statements.joined(separator: ";\n")), named: "device\(device).sqlite")
    }

    private static func fixture(_ value: FieldValue) -> FixtureValue {
        switch value {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let text): .text(text)
        case .blob(let bytes): .blob(bytes)
        case .malformedText: .null
        }
    }

    private static let seeds = LawSeeds.first(2)

    @Test(
        "puts no change on the wrong device, and says nothing of a duplicate that is not so", arguments: [true, false])
    func law(isNew: Bool) throws {
        var (told, known, origins, owners) = (0, 0, 0, 0)
        var words: Set<String> = []
        for seed in Self.seeds {
            let life = Life(seed: seed, isNew: isNew)
            let folder = try TemporaryFolder()
            let paths = try life.simulation.devices.indices.map {
                try write(life, device: $0, to: folder, isNew: isNew)
            }
            let now = Timestamp(secondsSince2001: FixtureClock.now + 100_000)
            let timeline = try Timeline.of(paths, ChangeLog.Request(), now: now)
            for (device, source) in timeline.sources.enumerated() where source.device != nil {
                owners += 1
                #expect(source.device?.id == life.simulation.fleet.devices[device].identity.id, "seed \(seed)")
            }
            for entry in timeline.entries {
                guard let origin = entry.origin, let record = entry.cloudRecord else { continue }
                origins += 1
                let made = life.happenings.contains {
                    $0.record == record && $0.device == origin.source && ($0.kind == .made || $0.kind == .written)
                }
                #expect(made && origin.source != entry.source, "seed \(seed): \(record)")
                if entry.change.kind == .insert {
                    let maker = life.happenings.first { $0.record == record && $0.kind == .made }
                    #expect(maker?.device == origin.source, "seed \(seed): \(record)")
                }
            }
            for story in timeline.duplicates {
                for (record, sentence) in zip(story.records.dropFirst(), story.sentences) {
                    told += 1
                    if check(sentence.description, story.records[0], record, life, timeline, seed, &words) {
                        known += 1
                    }
                }
            }
        }
        // It says something.
        #expect(told > 0 && owners > 0)
        if isNew { #expect(known > 0 && origins > 0 && words.contains("before"), "\(words)") }
    }

    /// - Returns: whether the sentence says how the second record came about.
    private func check(
        _ sentence: String, _ first: DuplicateExplanation.Record, _ second: DuplicateExplanation.Record, _ life: Life,
        _ timeline: Timeline, _ seed: UInt64, _ words: inout Set<String>
    ) -> Bool {
        // One that CloudKit does not have is known by when it was made.
        func birth(_ record: DuplicateExplanation.Record) -> Int? {
            life.happenings.firstIndex { happening in
                guard happening.kind == .made else { return false }
                guard record.cloudRecord == nil else { return happening.record == record.cloudRecord }
                return happening.device == record.maker
                    && life.clock(happening.device, happening.time) == record.time?.secondsSince2001
            }
        }
        let births = [birth(first), birth(second)]
        for (record, birth) in zip([first, second], births) {
            if let maker = record.maker {
                #expect(birth.map { life.happenings[$0].device } == maker, "seed \(seed): \(sentence)")
            }
        }
        guard let one = first.maker, let other = second.maker, let early = births[0], let late = births[1] else {
            #expect(sentence.contains("do not say"), "seed \(seed): \(sentence)")
            return false
        }
        func label(_ device: Int) -> String { timeline.sources[device].label }
        func had(_ record: DuplicateExplanation.Record, _ device: Int, _ place: Int) -> Bool {
            life.had(birth(record).map { life.happenings[$0].record } ?? "", on: device, before: place)
        }
        if sentence.contains("made both records") {
            words.insert("both")
            #expect(one == other && sentence.hasPrefix(label(one)), "seed \(seed): \(sentence)")
        } else if sentence.contains("before it had imported") {
            words.insert("before")
            #expect(!had(first, other, late), "seed \(seed): \(sentence)")
            #expect(sentence.hasPrefix(label(other)) && sentence.contains("that \(label(one)) made"), "\(sentence)")
            let arrival = life.happenings.first {
                $0.device == other && $0.record == life.happenings[early].record && $0.kind == .received
            }
            if sentence.contains("not come there yet") { #expect(arrival == nil, "seed \(seed): \(sentence)") }
            if let came = sentence.components(separatedBy: "; it came on ").dropFirst().first {
                let time = arrival.map { Timestamp(secondsSince2001: life.clock(other, $0.time)).description }
                #expect(time == came, "seed \(seed): \(sentence)")
            }
        } else if sentence.contains("although it had") {
            words.insert("although")
            let isSecond = sentence.hasPrefix(label(other)) && had(first, other, late)
            let isFirst = sentence.hasPrefix(label(one)) && had(second, one, early)
            #expect(isSecond || isFirst, "seed \(seed): \(sentence)")
        } else {
            #expect(sentence.contains("does not say"), "seed \(seed): \(sentence)")
            return false
        }
        return true
    }
}
