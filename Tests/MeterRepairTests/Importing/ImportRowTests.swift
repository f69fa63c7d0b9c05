import CoreDataStore
import MeterModel
import MeterStore
import MeterTestSupport
import Testing

@Suite struct ImportRowTests {
    private static let kitchen = FixtureRecord(row: 4, macAddress: "a4:c1:38:0b:7e:21").with {
        $0.id = FixtureUUID(4).bytes
        $0.meterName = " \t"
        $0.createdAt = FixtureClock.now - FixtureClock.day
        $0.updatedAt = FixtureClock.now - FixtureClock.hour
        $0.cloudRecordName = FixtureUUID(5).text
    }

    static let stores: [StoreFixture] = [USBMeterModel.Version.v1, .v2].flatMap { version in
        [USBMeterModel.LockEncoding.flat, .blob, .both].flatMap { encoding in
            [SchemaStatements.History.none, .current, .withoutStrings].flatMap { history in
                [history == .none ? StoreFixture.Mirror.none : .current].map { mirror in
                    StoreFixture(version, records: [kitchen]).with {
                        $0.lockEncoding = encoding
                        $0.history = history
                        $0.mirror = mirror
                    }
                }
            }
        }
    }

    private func imported(_ fixture: StoreFixture) throws -> TestStore {
        let bench = try TestStore(fixture)
        try bench.importing(
            names: ["A4:C1:38:0B:7E:21": "Kitchen", "D0-5F-B8-26-C3-91": "Wohnmobil"],
            units: ["d05fb826c391": "°C"])
        return bench
    }

    @Test("a new row is as Core Data writes it", arguments: stores)
    func newRow(fixture: StoreFixture) throws {
        let bench = try imported(fixture)
        let now = FixtureValue.real(FixtureClock.now)
        let rows = try bench.rows(
            """
            SELECT Z_PK, Z_ENT, Z_OPT, ZMACADDRESS, ZMETERNAME, ZTC66TEMPERATUREUNIT, ZMODELTYPE,
                CAST(ZCREATEDAT AS REAL), CAST(ZUPDATEDAT AS REAL), length(ZID), typeof(ZID)
            FROM ZDEVICESETTINGS WHERE Z_PK <> 4
            """)
        #expect(
            rows == [
                [
                    5, .integer(fixture.settingsNumber), 1, "d0:5f:b8:26:c3:91", "Wohnmobil", "celsius", nil, now, now,
                    16, "blob",
                ]
            ])
        #expect(try bench.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings'") == [[5]])
    }

    @Test("of many meters each gets its values and the new rows are numbered one by one")
    func many() throws {
        func address(_ number: Int) -> String { MACAddress(bits: 0xA4C1_3900_0000 + UInt64(number)).text(in: .upper) }
        let count = 3_000
        // Every third one has a record; of those every other one has a name.
        let known = (0..<count / 3).map { number in
            FixtureRecord(row: Int64(count - number), macAddress: address(3 * number)).with {
                $0.id = FixtureUUID(UInt64(number)).bytes
                $0.meterName = number % 2 == 0 ? "Own \(number)" : nil
                $0.createdAt = FixtureClock.now - FixtureClock.day
                $0.updatedAt = FixtureClock.now - FixtureClock.hour
            }
        }
        let bench = try TestStore(StoreFixture(records: known))
        let names = Dictionary(uniqueKeysWithValues: (0..<count).map { (address($0), "Meter \($0)") })
        let report = try bench.importing(names: names)
        #expect(report.summary.inserted == count / 3 * 2)
        #expect(report.summary.updated == count / 6)
        #expect(report.summary.conflicts == count / 6)
        let rows = try bench.rows("SELECT Z_PK, ZMACADDRESS, ZMETERNAME FROM ZDEVICESETTINGS ORDER BY ZMACADDRESS")
        var next = Int64(count)
        let expected = (0..<count).map { number -> [FixtureValue] in
            guard number % 3 > 0 else {
                let name = number % 2 == 0 ? "Own \(number / 3)" : "Meter \(number)"
                return [.integer(Int64(count - number / 3)), .text(address(number)), .text(name)]
            }
            next += 1
            return [.integer(next), .text(address(number)), .text("Meter \(number)")]
        }
        #expect(rows == expected)
        #expect(try bench.importing(names: names).outcome == .unchanged)
    }

    @Test("a changed row keeps all but what was filled", arguments: stores)
    func changedRow(fixture: StoreFixture) throws {
        let bench = try TestStore(fixture)
        let select = "SELECT * FROM ZDEVICESETTINGS WHERE Z_PK = 4"
        let before = try bench.rows(select)[0]
        let columns = try bench.rows("SELECT name FROM pragma_table_info('ZDEVICESETTINGS')").map { $0[0] }
        try bench.importing(names: ["A4C1380B7E21": "Kitchen"])
        let after = try bench.rows(select)[0]
        let changed = zip(columns, zip(before, after)).filter { $0.1.0 != $0.1.1 }.map(\.0)
        #expect(Set(changed) == ["Z_OPT", "ZUPDATEDAT", "ZMETERNAME"])
        #expect(try bench.rows("SELECT Z_OPT, ZMETERNAME FROM ZDEVICESETTINGS WHERE Z_PK = 4") == [[2, "Kitchen"]])
    }

    @Test("the history has one transaction with both changes", arguments: stores.filter { $0.history != .none })
    func historyTransaction(fixture: StoreFixture) throws {
        let bench = try imported(fixture)
        let changes = try bench.rows(
            """
            SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS, Z_OPT FROM ACHANGE WHERE Z_PK > 1
            ORDER BY ZCHANGETYPE
            """)
        let entity = FixtureValue.integer(fixture.settingsNumber)
        let settings = try #require(fixture.model[entity: SettingsTable.entityName])
        var bits = [UInt8](repeating: 0, count: (settings.attributes.count + 7) / 8)
        for (index, name) in settings.attributes.map(\.name).sorted().enumerated()
        where ["meterName", "updatedAt"].contains(name) {
            bits[index / 8] |= 0x80 >> UInt8(index % 8)
        }
        #expect(changes == [[0, entity, 5, 2, nil, nil], [1, entity, 4, 2, .blob(bits), nil]])
        let author =
            fixture.history == .current
            ? "SELECT ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = ZAUTHORTS WHERE t.Z_PK > 1"
            : "SELECT ZAUTHOR FROM ATRANSACTION WHERE Z_PK > 1"
        #expect(try bench.rows(author) == [["meterfix"]])
    }

    @Test("the mark stands beside the other keys of the metadata", arguments: stores)
    func markStands(fixture: StoreFixture) throws {
        let bench = try TestStore(fixture)
        var metadata = try bench.metadata()
        try bench.importing(names: ["A4C1380B7E21": "Kitchen"])
        metadata["legacyKeyValueImport"] = .dictionary([
            "date": .date(FixtureClock.now), "sha256": .string(String(repeating: "5a", count: 32)),
        ])
        #expect(try bench.metadata() == metadata)
    }

    @Test("row numbers that were handed out before are not used again")
    func rowNumbers() throws {
        let bench = try TestStore(
            StoreFixture(.v2, records: [Self.kitchen])
                .damaged("UPDATE Z_PRIMARYKEY SET Z_MAX = 90 WHERE Z_NAME = 'DeviceSettings'"))
        try bench.importing(names: ["D0:5F:B8:26:C3:91": "Wohnmobil", "D0:5F:B8:26:C3:92": "Boot"])
        #expect(try bench.rows("SELECT Z_PK FROM ZDEVICESETTINGS ORDER BY 1") == [[4], [91], [92]])
        #expect(try bench.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'DeviceSettings'") == [[92]])
    }

    @Test("a store whose row numbers are used up is refused and stays as it is")
    func storeRow() throws {
        let bench = try TestStore(
            StoreFixture(.v2, records: [Self.kitchen])
                .damaged("UPDATE Z_PRIMARYKEY SET Z_MAX = \(Int64.max) WHERE Z_NAME = 'DeviceSettings'"))
        let files = try bench.snapshot().contents
        #expect { try bench.importing(names: ["D0:5F:B8:26:C3:91": "Wohnmobil"]) } throws: {
            ($0 as? StoreError)?.kind == .unsuitable
        }
        #expect(try bench.snapshot().contents == files)
    }

    @Test("a store with a trigger is refused and stays as it is")
    func storeTrigger() throws {
        let bench = try TestStore(
            StoreFixture(.v2, records: [Self.kitchen])
                .damaged("CREATE TRIGGER Z_DA_x AFTER UPDATE ON ZDEVICESETTINGS BEGIN SELECT NSCoreDataX(); END"))
        let files = try bench.snapshot().contents
        #expect { try bench.importing(names: ["A4C1380B7E21": "Kitchen"]) } throws: {
            ($0 as? StoreError)?.kind == .unsuitable
        }
        #expect(try bench.snapshot().contents == files)
    }

    @Test("into a table with AUTOINCREMENT are refused where they are new, and the values of known meters are written")
    func autoincrement() throws {
        let bench = try TestStore(
            StoreFixture(.v2, records: [Self.kitchen]).damaged(StoreFixture.autoincrement("ZDEVICESETTINGS")))
        let files = try bench.snapshot().contents
        #expect { try bench.importing(names: ["D0:5F:B8:26:C3:91": "Wohnmobil"]) } throws: {
            guard let error = $0 as? StoreError else { return false }
            return error.kind == .unsuitable && error.message.contains("ZDEVICESETTINGS is declared AUTOINCREMENT")
        }
        #expect(try bench.snapshot().contents == files)
        #expect(try bench.importing(names: ["A4C1380B7E21": "Shed"]).plan.summary.updated == 1)
        // The history has new rows with each change.
        let history = try TestStore(
            StoreFixture(.v2, records: [Self.kitchen]).damaged(StoreFixture.autoincrement("ACHANGE")))
        #expect(throws: StoreError.self) { try history.importing(names: ["A4C1380B7E21": "Shed"]) }
    }
}
