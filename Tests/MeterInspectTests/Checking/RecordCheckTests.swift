import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport
import Testing

/// Each check of records at its limits. `FixtureClock.now` is 1,795,262,400 s after 1970.
@Suite("a check of records")
struct RecordCheckTests {
    private static let now = FixtureClock.now
    private static let day = FixtureClock.day

    @Test(
        "finds what is beyond its limit and nothing else:",
        arguments: dates + numbers)
    func clocks(_ testCase: CheckCase) throws { try testCase.run() }

    @Test("finds what is wrong and nothing else:", arguments: addresses + names + units + identities)
    func values(_ testCase: CheckCase) throws { try testCase.run() }

    private static let dates = CheckCase.of([
        "clock-in-future": [
            .fine("a day ahead") { $0.updatedAt = now + day },
            .wrong("more than a day ahead", "updatedAt", " is more") { $0.updatedAt = now + day + 0.5 },
            .wrong("createdAt as INTEGER", "createdAt", "!updatedAt") {
                $0.overrides["ZCREATEDAT"] = .integer(Int64(now) + 90_000)
            },
            .wrong("a lock and a discovery", "connectedAt", "lastSeenAt", " are more") {
                $0.lock(at: now + 2 * day)
                $0.see(at: now + 2 * day)
            },
            .fine("a lock that ends in two days") { $0.lock(at: now + day, for: 2 * day) },
            .wrong("a lock that begins in more than a day", "connectedAt", "connectedExp") {
                $0.lock(at: now + day + 0.5)
            },
            .fine("a lock without a beginning that ends in a day") { $0.connectedExpiryAt = now + day + 120 },
            .wrong("a lock without a beginning that ends later", "connectedExpiryAt", "!connectedAt") {
                $0.connectedExpiryAt = now + day + 120.5
            },
            .wrong(
                "a lock names the device, and the command that clears it",
                "; the lock is held by \"Ana's iPhone\" → meterfix unlock A4:C1:38:0B:7E:99 "
            ) { $0.lock(at: now + 2 * day) },
            .wrong("a lock of a device without a name or an id", "an unknown device → meterfix") {
                $0.lock(at: now + 2 * day)
                $0.connectedByDeviceID = nil
                $0.connectedByDeviceName = nil
            },
            .wrong("a date beside a lock that is none of its dates", "!held by", "→ set the clock of the device") {
                $0.lock(at: now - 500)
                $0.updatedAt = now + 2 * day
            },
            CheckCase(
                "a date that meterfix does not know",
                StoreFixture(records: [Meters.healthy.with { $0.extra["calibratedAt"] = .real(now + 2 * day) }]).with {
                    $0.extraAttributes = [Attribute("calibratedAt", .date)]
                }, finds: [[5]], "calibratedAt"),
        ],
        "created-after-updated": [
            .fine("a second later") { $0.createdAt = now - 399.5 },
            .wrong("more than a second later") { $0.createdAt = now - 399.25 },
        ],
        "created-missing": [
            .wrong("NULL", "no createdAt", "→ do nothing") { $0.createdAt = nil },
            .fine("a date"),
            .wrong("not a date", "\"soon\" and not a date") { $0.overrides["ZCREATEDAT"] = "soon" },
            CheckCase("no such column", .without("ZCREATEDAT"), finds: []),
        ],
        "updated-behind": [
            .fine("a second") { $0.see(at: now - 399.5) },
            .wrong("more than a second", "but last seen 2026-11-21T11:53:20.750Z") { $0.see(at: now - 399.25) },
            .wrong("a lock", "but locked 2026-11-21T12:00:00.000Z", "→ connect to") {
                $0.see(at: now - 300)
                $0.lock(at: now)
            },
            .fine("the end of a lock") { $0.lock(at: now - 400, for: day) },
            .wrong("a day ahead of now") { $0.see(at: now + day) },
            .fine("more than a day ahead of now") { $0.see(at: now + day + 0.5) },
            .fine("no updatedAt") {
                $0.see(at: now)
                $0.updatedAt = nil
            },
            .wrong("a lock in JSON", in: .blob, "but locked") { $0.lock(at: now - 398) },
            .wrong("a discovery in JSON", in: .blob, "but last seen") { $0.see(at: now - 398) },
            .fine("JSON that is older", in: .blob) {
                $0.see(at: now - 500)
                $0.lock(at: now - 500)
            },
        ],
        "updated-missing": [
            .wrong("NULL", "no updatedAt") { $0.updatedAt = nil },
            .wrong("not a date", "\"soon\" and not a date") { $0.overrides["ZUPDATEDAT"] = "soon" },
            CheckCase("no such column", .without("ZUPDATEDAT"), finds: []),
        ],
    ])

    /// A bare number in a JSON attribute is seconds since 2001 or 1970, or milliseconds since 1970.
    private static let numberTexts: [(String, Bool)] = [
        ("817041600", false), ("817041601", true), ("1199999999", true), ("1200000000", false),
        ("1795348800", false), ("1795348801", true), ("99999999999", false), ("100000000000", false),
        ("1795348800000", false), ("1795348800500", true), ("9999999999999", true),
        ("\"2026-11-22T12:00:00.000Z\"", false), ("\"2026-11-22T12:00:00.001Z\"", true), ("null", false),
    ]

    private static let numbers = CheckCase.of([
        "clock-in-future": numberTexts.flatMap { number, finds in
            [USBMeterModel.LockEncoding.blob, .blobWithBinaryDiscovery].map { encoding in
                .record(
                    "a discovery at \(number), \(encoding)", in: encoding, finds: finds,
                    finds ? ["discoveryMetadata.lastSeen"] : []
                ) { $0.discoveryMetadata = "{\"lastSeen\":\(number)}" }
            }
        }
    ])

    /// Each address with the one check that says something of it.
    private static let addressTexts: [(FixtureValue, String?)] = [
        (nil, "mac-missing"), ("", "mac-missing"), (" \t", "mac-missing"), (.blob([]), "mac-missing"),
        ("UM34C", "mac-invalid"), (5, "mac-invalid"), (0.5, "mac-invalid"), (.blob([0x41]), "mac-invalid"),
        ("A4:C1:38:0B:7E", "mac-invalid"), ("00:00:00:00:00:00", "mac-placeholder"),
        ("ff-ff-ff-ff-ff-ff", "mac-placeholder"), ("020000000000", "mac-placeholder"),
        ("A4C1380B7E99", "mac-not-canonical"), (" A4:C1:38:0B:7E:99", "mac-not-canonical"),
        ("A4:C1:38:0B:7E:99", nil), ("a4:c1:38:0b:7e:99", nil), ("10:11:12:13:14:15", nil),
    ]

    private static func addresses(_ check: String) -> [CheckCase] {
        addressTexts.map { address, other in
            .record("\(address)", finds: check == other) { $0.overrides["ZMACADDRESS"] = address }
        }
    }

    private static let addresses = CheckCase.of([
        "mac-missing": addresses("mac-missing"), "mac-invalid": addresses("mac-invalid"),
        "mac-placeholder": addresses("mac-placeholder"), "mac-not-canonical": addresses("mac-not-canonical"),
    ])

    private static func meters(_ change: (inout [FixtureRecord]) -> Void = { _ in }) -> StoreFixture {
        var records = (1...4).map { row in
            FixtureRecord(row: Int64(row), macAddress: "A4:C1:38:0B:7E:0\(row)", meterName: "Meter \(row)").with {
                $0.id = FixtureUUID(UInt64(row)).bytes
                $0.createdAt = now - 500
                $0.updatedAt = now - 400
            }
        }
        change(&records)
        return StoreFixture(records: records)
    }

    private static let names = CheckCase.of([
        "name-shared": [
            CheckCase("four names", meters(), finds: []),
            CheckCase(
                "one name on two meters, but for white space", meters { $0[0].meterName = " Meter 3\n" },
                finds: [[1, 3]], "\"Meter 3\" is on 2 meters"),
            CheckCase(
                "two names on two meters each",
                meters {
                    $0[2].meterName = "Meter 2"
                    $0[3].meterName = "Meter 1"
                }, finds: [[1, 4], [2, 3]]),
            CheckCase(
                "one name on two records of one meter",
                meters {
                    $0[1].meterName = "Meter 1"
                    $0[1].macAddress = "a4c1380b7e01"
                }, finds: []),
            CheckCase(
                "two names of one hash",
                meters {
                    $0[0].meterName = "Workshop bench 1"
                    $0[1].meterName = "bmp2JNFtUcRpjra5"
                }, finds: []),
            CheckCase(
                "empty names", meters { for index in 0..<4 { $0[index].meterName = [nil, "", " "][index % 3] } },
                finds: []),
            CheckCase(
                "on a record without an address",
                meters {
                    $0[1].meterName = "Meter 1"
                    $0[1].macAddress = nil
                }, finds: []),
        ],
        "name-machine-made": [
            .wrong("a device", "a platform's") { $0.meterName = " iPad Pro " },
            .fine("a user's") { $0.meterName = "iPad of Ana" },
            .wrong("a computer", "\"Anas-Mac.local\" is a host name →") { $0.meterName = "Anas-Mac.local" },
            .wrong("a hardware type", "is a hardware type →") { $0.meterName = "tc66C" },
            .wrong("white space", "\" \u{A0}\" is only white space →") { $0.meterName = " \u{A0}" },
            .fine("no letter") { $0.meterName = "" },
            .fine("no name") { $0.meterName = nil },
        ],
        "duplicate-mac": [
            CheckCase("four meters", meters(), finds: []),
            CheckCase(
                "two records", meters { $0[3].macAddress = "a4-c1-38-0b-7e-01" }, finds: [[1, 4]],
                "2 records of the meter A4:C1:38:0B:7E:01",
                "; the app finds row 1; row 1 has \"Meter 1\" and no unit, ", "row 4 has \"Meter 4\"",
                "→ meterfix rebuild /"),
            CheckCase(
                "three records with the same name and unit",
                meters {
                    for index in 1...3 {
                        $0[index].macAddress = $0[0].macAddress
                        $0[index].meterName = $0[0].meterName
                    }
                }, finds: [[1, 2, 3, 4]], "; the app finds row 1; all have the same name and unit"),
            CheckCase(
                "a newer record with another name and unit, and two with the same ones",
                meters {
                    for index in 1...3 { $0[index].macAddress = $0[0].macAddress }
                    $0[1].meterName = $0[0].meterName
                    $0[3].updatedAt = nil
                    $0[3].meterName = nil
                    $0[3].tc66TemperatureUnit = "F"
                    $0[2].tc66TemperatureUnit = "celsius"
                }, finds: [[1, 2, 3, 4]], "rows 1 and 2 have \"Meter 1\" and no unit, last changed ",
                "; row 3 has \"Meter 3\" and celsius, last changed ",
                "; row 4 has no name and the unit \"F\", without a date"),
            CheckCase(
                "the first nameless",
                meters {
                    $0[3].macAddress = $0[0].macAddress
                    $0[0].meterName = " "
                }, finds: [[1, 4]], "the app finds row 1, which lacks the name", "!levelled"),
            CheckCase(
                "the first without unit and name, and none that has a unit alone",
                meters {
                    $0[3].macAddress = $0[0].macAddress
                    $0[0].meterName = nil
                    $0[3].tc66TemperatureUnit = "celsius"
                }, finds: [[1, 4]], "the app finds row 1, which lacks the name and the unit"),
            CheckCase(
                "the second nameless, and written as the app does",
                meters {
                    $0[3].macAddress = $0[0].macAddress
                    $0[0].macAddress = $0[0].macAddress?.lowercased()
                    $0[3].meterName = nil
                }, finds: [[1, 4]], "the app finds row 4, which lacks the name"),
            CheckCase(
                "none written as the app does",
                meters {
                    $0[0].macAddress = "a4-c1-38-0b-7e-01"
                    $0[3].macAddress = "a4c1380b7e01"
                }, finds: [[1, 4]], "the app finds none of them, because no record has exactly this address"),
            CheckCase("one record in another notation", meters { $0[3].macAddress = "a4-c1-38-0b-7e-04" }, finds: []),
        ],
    ])

    private static let unitTexts: [(FixtureValue, Bool)] = [
        (nil, false), ("", false), (" ", false), ("celsius", false), ("fahrenheit", false), ("Celsius", true),
        ("celsiu", true), ("celsius ", true), ("celsiuS", true), ("cXXXXXX", true), (3, true),
        (.blob(Array("celsius".utf8)), true), (.blob([]), false),
    ]

    private static let units = CheckCase.of([
        "unit-unknown": unitTexts.map { unit, finds in
            .record("\(unit)", finds: finds) { $0.overrides["ZTC66TEMPERATUREUNIT"] = unit }
        }
    ])

    private static func recordIDs(
        _ description: String, _ names: [String?], finds rows: [[Int64]], _ words: String...,
        change: (inout StoreFixture) -> Void = { _ in }
    ) -> CheckCase {
        var fixture = meters { records in
            for (index, name) in names.enumerated() {
                records[index].cloudKitRecordID = name
            }
        }
        change(&fixture)
        return CheckCase(description, fixture, finds: rows, words: words)
    }

    private static let identities = CheckCase.of([
        "id-duplicate": [
            CheckCase("four ids", meters(), finds: []),
            CheckCase(
                "on two meters", meters { $0[2].id = $0[0].id }, finds: [[1, 3]], "is on 2 records",
                "→ meterfix fix id-duplicate"),
            CheckCase(
                "twice, in another order",
                meters {
                    $0[2].id = $0[1].id
                    $0[3].id = $0[0].id
                }, finds: [[1, 4], [2, 3]]),
            CheckCase("on three", meters { for index in 1...2 { $0[index].id = $0[0].id } }, finds: [[1, 2, 3]]),
            CheckCase(
                "on two records of one meter",
                meters {
                    $0[2].id = $0[0].id
                    $0[2].macAddress = $0[0].macAddress
                }, finds: [[1, 3]], "→ meterfix rebuild"),
            CheckCase(
                "on one of each of two meters with two records",
                meters {
                    $0[2].id = $0[0].id
                    $0[1].macAddress = $0[0].macAddress
                    $0[3].macAddress = $0[2].macAddress
                }, finds: [[1, 3]], "→ meterfix fix id-duplicate"),
            CheckCase(
                "on two records without an address",
                meters {
                    $0[2].id = $0[0].id
                    for index in [0, 2] { $0[index].macAddress = nil }
                }, finds: [[1, 3]], "→ meterfix fix id-duplicate"),
            CheckCase("none at all", meters { for index in 0..<4 { $0[index].id = index < 2 ? nil : [] } }, finds: []),
        ],
        "id-missing": [
            .wrong("NULL", "no id → meterfix fix id-missing") { $0.id = nil },
            .wrong("no byte") { $0.id = [] },
            .wrong("white space") { $0.overrides["ZID"] = " " },
            .fine("an id"),
            CheckCase(
                "no such column",
                .without("ZID"),
                finds: []),
        ],
        "record-id-shared": [
            CheckCase("no such attribute", meters(), finds: []),
            recordIDs("four names", ["A", "B", "C", "D"], finds: []),
            recordIDs("none and empty ones", [nil, nil, "", ""], finds: []),
            recordIDs(
                "on two meters", ["A", "B", "A", nil], finds: [[1, 3]], "\"A\" is on 2 records →", "→ show the store to"
            ),
            recordIDs("on two of each", ["A", "B", "B", "A"], finds: [[1, 4], [2, 3]]),
            recordIDs(
                "that the mirror has for one of them", ["A", "B", "A", nil], finds: [[1, 3]],
                "is on 2 records; in the mirror it is the name of row 3 →"
            ) {
                $0.mirror = .current
                $0.records[2].cloudRecordName = "A"
            },
            recordIDs("on two records of one meter", ["A", "B", "A", nil], finds: [[1, 3]], "→ meterfix rebuild") {
                $0.records[2].macAddress = $0.records[0].macAddress
            },
        ],
    ])
}
