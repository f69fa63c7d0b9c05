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
        arguments: dates + locks + blobLocks + longBlobLocks + numbers)
    func clocks(_ testCase: CheckCase) throws { try testCase.run() }

    @Test("finds what is wrong and nothing else:", arguments: addresses + names + units + blobs + identities)
    func values(_ testCase: CheckCase) throws { try testCase.run() }

    private static let dates: [CheckCase] = [
        .record("clock-in-future", "a day ahead", finds: false) { $0.updatedAt = now + day },
        .record("clock-in-future", "more than a day ahead", finds: true, "updatedAt", " is more") {
            $0.updatedAt = now + day + 0.5
        },
        .record("clock-in-future", "createdAt as INTEGER", finds: true, "createdAt", "!updatedAt") {
            $0.overrides["ZCREATEDAT"] = .integer(Int64(now) + 90_000)
        },
        .record("clock-in-future", "a lock and a discovery", finds: true, "connectedAt", "lastSeenAt", " are more") {
            $0 = $0.locked(by: .anasPhone, at: now + 2 * day).seen(by: .anasPhone, at: now + 2 * day)
        },
        .record("clock-in-future", "a lock that ends in two days", finds: false) {
            $0 = $0.locked(by: .anasPhone, at: now + day, for: 2 * day)
        },
        .record("clock-in-future", "a lock that begins in more than a day", finds: true, "connectedAt", "connectedExp")
        {
            $0 = $0.locked(by: .anasPhone, at: now + day + 0.5)
        },
        .record("clock-in-future", "a lock without a beginning that ends in a day", finds: false) {
            $0.connectedExpiryAt = now + day + 120
        },
        .record(
            "clock-in-future", "a lock without a beginning that ends later", finds: true, "connectedExpiryAt",
            "!connectedAt"
        ) {
            $0.connectedExpiryAt = now + day + 120.5
        },
        .record(
            "clock-in-future", "a lock names the device, and the command that clears it", finds: true,
            "; the lock is held by \"Ana's iPhone\" → meterfix unlock A4:C1:38:0B:7E:99 "
        ) {
            $0 = $0.locked(by: .anasPhone, at: now + 2 * day)
        },
        .record(
            "clock-in-future", "a lock of a device without a name or an id", finds: true, "an unknown device → meterfix"
        ) {
            $0 = $0.locked(by: .anasPhone, at: now + 2 * day)
            $0.connectedByDeviceID = nil
            $0.connectedByDeviceName = nil
        },
        .record(
            "clock-in-future", "a date beside a lock that is none of its dates", finds: true,
            "!held by", "→ set the clock of the device"
        ) {
            $0 = $0.locked(by: .anasPhone, at: now - 500)
            $0.updatedAt = now + 2 * day
        },
        CheckCase(
            "clock-in-future", "a date that meterfix does not know",
            StoreFixture(records: [Meters.healthy.with { $0.extra["calibratedAt"] = .real(now + 2 * day) }]).with {
                $0.extraAttributes = [Attribute("calibratedAt", .date)]
            }, finds: [[5]], "calibratedAt"),
        .record("created-after-updated", "a second later", finds: false) { $0.createdAt = now - 399.5 },
        .record("created-after-updated", "more than a second later", finds: true) { $0.createdAt = now - 399.25 },
        .record("created-missing", "NULL", finds: true, "no createdAt", "→ do nothing") { $0.createdAt = nil },
        .record("created-missing", "a date", finds: false) { _ in },
        .record("created-missing", "not a date", finds: true, "\"soon\" and not a date") {
            $0.overrides["ZCREATEDAT"] = "soon"
        },
        CheckCase(
            "created-missing", "no such column",
            StoreFixture(records: [Meters.healthy]).damaged("ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZCREATEDAT"),
            finds: []),
        .record("updated-behind", "a second", finds: false) { $0 = $0.seen(by: .anasPhone, at: now - 399.5) },
        .record("updated-behind", "more than a second", finds: true, "but last seen 2026-11-21T11:53:20.750Z") {
            $0 = $0.seen(by: .anasPhone, at: now - 399.25)
        },
        .record("updated-behind", "a lock", finds: true, "but locked 2026-11-21T12:00:00.000Z", "→ connect to") {
            $0 = $0.seen(by: .anasPhone, at: now - 300).locked(by: .anasPhone, at: now)
        },
        .record("updated-behind", "the end of a lock", finds: false) {
            $0 = $0.locked(by: .anasPhone, at: now - 400, for: day)
        },
        .record("updated-behind", "a day ahead of now", finds: true) {
            $0 = $0.seen(by: .anasPhone, at: now + day)
        },
        .record("updated-behind", "more than a day ahead of now", finds: false) {
            $0 = $0.seen(by: .anasPhone, at: now + day + 0.5)
        },
        .record("updated-behind", "no updatedAt", finds: false) {
            $0 = $0.seen(by: .anasPhone, at: now)
            $0.updatedAt = nil
        },
        .record("updated-behind", "a lock in JSON", lockEncoding: .blob, finds: true, "but locked") {
            $0 = $0.locked(by: .anasPhone, at: now - 398)
        },
        .record("updated-behind", "a discovery in JSON", lockEncoding: .blob, finds: true, "but last seen") {
            $0 = $0.seen(by: .anasPhone, at: now - 398)
        },
        .record("updated-behind", "JSON that is older", lockEncoding: .blob, finds: false) {
            $0 = $0.seen(by: .anasPhone, at: now - 500).locked(by: .anasPhone, at: now - 500)
        },
        .record("updated-missing", "NULL", finds: true, "no updatedAt") { $0.updatedAt = nil },
        .record("updated-missing", "not a date", finds: true, "\"soon\" and not a date") {
            $0.overrides["ZUPDATEDAT"] = "soon"
        },
        CheckCase(
            "updated-missing", "no such column",
            StoreFixture(records: [Meters.healthy]).damaged("ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZUPDATEDAT"),
            finds: []),
    ]

    private static let locks: [CheckCase] = [
        .record("lock-expired", "this very moment", finds: false) { $0 = $0.locked(by: .anasPhone, at: now - 120) },
        .record("lock-expired", "a moment ago", finds: true, "\"Ana's iPhone\"", "!connectionMetadata") {
            $0 = $0.locked(by: .anasPhone, at: now - 120.25)
        },
        .record("lock-expired", "torn", finds: false) {
            $0 = $0.locked(by: .anasPhone, at: now - 500)
            $0.connectedByDeviceID = nil
        },
        CheckCase(
            "lock-expired", "of a device without a name, in a store without names",
            StoreFixture(records: [Meters.healthy.locked(by: .anasPhone, at: now - 500)]).damaged(
                "ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZCONNECTEDBYDEVICENAME"),
            finds: [[5]], FixtureDevice.anasPhone.id),
        .record("lock-ttl", "120 s", finds: false) { $0 = $0.locked(by: .anasPhone, at: now - 60) },
        .record("lock-ttl", "half a millisecond short", finds: false) {
            $0 = $0.locked(by: .anasPhone, at: now - 60, for: 119.9995)
        },
        .record("lock-ttl", "half a millisecond long", finds: false) {
            $0 = $0.locked(by: .anasPhone, at: now - 60, for: 120.0005)
        },
        .record("lock-ttl", "two milliseconds short", finds: true, "instead of 120 s →", "hold") {
            $0 = $0.locked(by: .anasPhone, at: now - 60, for: 119.998)
        },
        .record("lock-ttl", "that ends before it begins", finds: true, "after -60 s instead of 120 s") {
            $0 = $0.locked(by: .anasPhone, at: now - 60, for: -60)
        },
        .record("lock-ttl", "two milliseconds long", finds: true, "!connectionMetadata", "!until then") {
            $0 = $0.locked(by: .anasPhone, at: now - 60, for: 120.002)
        },
        .record("lock-ttl", "a day from now", finds: true, "!until then", "→ connect to the meter with") {
            $0 = $0.locked(by: .anasPhone, at: now, for: day)
        },
        .record("lock-ttl", "more than a day from now", finds: true, "until then", "→ meterfix unlock A4:") {
            $0 = $0.locked(by: .anasPhone, at: now - 120, for: day + 120.5)
        },
        .record(
            "lock-ttl", "of a device that is connected now, which unlock leaves alone", finds: true, "until then",
            "→ disconnect from the meter on \"Ana's iPhone\", which is connected now"
        ) {
            $0 = $0.locked(by: .anasPhone, at: now - 119.5, for: day + 120)
        },
        .record("lock-torn", "whole", finds: false) { $0 = $0.locked(by: .anasPhone, at: now) },
        .record("lock-torn", "without its device", finds: true, "but not connectedByDeviceID →") {
            $0 = $0.locked(by: .anasPhone, at: now)
            $0.connectedByDeviceID = nil
        },
        .record("lock-torn", "without the device's name", finds: true, "but not connectedByDeviceName →") {
            $0 = $0.locked(by: .anasPhone, at: now)
            $0.connectedByDeviceName = ""
        },
        .record("lock-torn", "without its beginning", finds: true, "but not connectedAt →") {
            $0 = $0.locked(by: .anasPhone, at: now)
            $0.connectedAt = nil
        },
        .record("lock-torn", "without its end", finds: true, "but not connectedExpiryAt →") {
            $0 = $0.locked(by: .anasPhone, at: now)
            $0.connectedExpiryAt = nil
        },
        .record("lock-torn", "one field alone", finds: true, "has connectedByDeviceID but") {
            $0.connectedByDeviceID = "ana"
        },
        CheckCase(
            "lock-torn", "all that there are columns for",
            StoreFixture(records: [Meters.healthy.locked(by: .anasPhone, at: now)]).damaged(
                "ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZCONNECTEDBYDEVICEID"), finds: []),
    ]

    private static func lock(device: String? = "\"ana\"", at: String?, until: String?) -> String {
        let members = [("device", device), ("timestamp", at), ("expiry", until)]
        return "{" + members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }.joined(separator: ",") + "}"
    }

    private static func blob(
        _ check: String, _ description: String, _ lock: String, finds: Bool, _ words: String...
    ) -> CheckCase {
        let fixture = StoreFixture(records: [Meters.healthy.with { $0.connectionMetadata = lock }])
            .with { $0.lockEncoding = .blob }
        return CheckCase(
            check, description, fixture, finds: finds ? [[5]] : [], words.first ?? "", words.dropFirst().first ?? "")
    }

    /// Seconds since 2001, as Swift writes a date in JSON.
    private static func moment(_ offset: Double) -> String { "\(now + offset)" }

    /// As other versions of the app write it.
    private static func longLock(device: String? = "\"ana\"", at: String?, until: String?) -> String {
        let members = [
            ("deviceID", device), ("deviceName", "\"Ana's iPhone\""), ("timestamp", at), ("expiresAt", until),
        ]
        return "{" + members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }.joined(separator: ",") + "}"
    }

    private static let longBlobLocks: [CheckCase] = [
        blob("lock-torn", "whole, in the other spelling", longLock(at: moment(-60), until: moment(60)), finds: false),
        blob(
            "metadata-blob-malformed", "in the other spelling", longLock(at: moment(-60), until: moment(60)),
            finds: false),
        blob(
            "lock-torn", "whole, in both spellings at once",
            #"{"deviceID":"ana","timestamp":\#(moment(-60)),"expiry":\#(moment(60))}"#, finds: false),
        blob(
            "lock-torn", "without its device, in the other spelling",
            longLock(device: nil, at: moment(-60), until: moment(60)), finds: true,
            "timestamp and expiresAt but not deviceID →"),
        blob(
            "lock-torn", "without its end, in the other spelling", longLock(at: moment(-60), until: "null"),
            finds: true, "deviceID and timestamp but not expiresAt →"),
        blob(
            "lock-ttl", "less than 120 s, in the other spelling", longLock(at: moment(-60), until: moment(59)),
            finds: true, "instead of 120 s to 24 h"),
        blob("lock-ttl", "24 h, in the other spelling", longLock(at: moment(-60), until: moment(86_340)), finds: false),
        blob(
            "lock-ttl", "more than 24 h, in the other spelling", longLock(at: moment(-60), until: moment(86_341)),
            finds: true),
        blob(
            "lock-expired", "a moment ago, in the other spelling", longLock(at: moment(-500), until: moment(-0.5)),
            finds: true, "of \"Ana's iPhone\" in connectionMetadata"),
        blob(
            "clock-in-future", "the end, in the other spelling", longLock(at: moment(day), until: moment(day + 1)),
            finds: false),
        blob(
            "clock-in-future", "both, in the other spelling", longLock(at: moment(day + 1), until: moment(day + 121)),
            finds: true, "connectionMetadata.timestamp", "connectionMetadata.expiresAt"),
        blob(
            "metadata-blob-malformed", "an end that is no date, in the other spelling",
            longLock(at: moment(-60), until: "true"), finds: true, "`expiresAt` is not a date"),
    ]

    private static let blobLocks: [CheckCase] = [
        blob("lock-ttl", "120 s", lock(at: moment(-60), until: moment(60)), finds: false),
        blob("lock-ttl", "24 h", lock(at: moment(-60), until: moment(86_340)), finds: false),
        blob(
            "lock-ttl", "less than 120 s", lock(at: moment(-60), until: moment(59)), finds: true,
            "instead of 120 s to 24 h", "in connectionMetadata"),
        blob("lock-ttl", "more than 24 h", lock(at: moment(-60), until: moment(86_341)), finds: true),
        blob(
            "lock-expired", "a moment ago", lock(at: moment(-500), until: moment(-0.5)), finds: true,
            "of \"ana\" in connectionMetadata"),
        blob("lock-expired", "this very moment", lock(at: moment(-500), until: moment(0)), finds: false),
        blob("lock-torn", "whole", lock(at: moment(-60), until: moment(60)), finds: false),
        blob(
            "lock-torn", "without its device", lock(device: nil, at: moment(-60), until: moment(60)), finds: true,
            "timestamp and expiry but not device →"),
        blob(
            "lock-torn", "without its beginning", lock(at: nil, until: moment(60)), finds: true,
            "device and expiry but not timestamp →"),
        blob(
            "lock-torn", "without its end", lock(at: moment(-60), until: nil), finds: true,
            "device and timestamp but not expiry →"),
        blob(
            "lock-torn", "its device alone", lock(at: "null", until: "\"\""), finds: true,
            "device but not timestamp and expiry →"),
        blob("lock-torn", "empty texts", lock(device: "\"\"", at: "\"\"", until: "null"), finds: false),
        blob("lock-torn", "an empty object", "{}", finds: false),
        blob(
            "clock-in-future", "the beginning", lock(at: moment(day + 1), until: moment(day)), finds: true,
            "connectionMetadata.timestamp", "!expiry"),
        blob("clock-in-future", "the end", lock(at: moment(day), until: moment(day + 1)), finds: false),
        blob(
            "clock-in-future", "the end alone, a day and 24 h ahead", lock(at: nil, until: moment(2 * day)),
            finds: false),
        blob(
            "clock-in-future", "the end alone, later", lock(at: nil, until: moment(2 * day + 1)), finds: true,
            "connectionMetadata.expiry", "!timestamp"),
        blob("clock-in-future", "neither", lock(at: moment(day), until: moment(day)), finds: false),
        CheckCase(
            "lock-expired", "flat and as JSON",
            StoreFixture(records: [Meters.healthy.locked(by: .anasPhone, at: now - 500)]).with {
                $0.lockEncoding = .both
            },
            finds: [[5], [5]]),
        CheckCase(
            "lock-ttl", "flat and as JSON",
            StoreFixture(records: [Meters.healthy.locked(by: .anasPhone, at: now, for: 2 * day)])
                .with { $0.lockEncoding = .both }, finds: [[5], [5]]),
        CheckCase(
            "lock-torn", "flat and as JSON",
            StoreFixture(
                records: [
                    Meters.healthy.locked(by: .anasPhone, at: now).with { $0.connectedExpiryAt = nil }
                ]
            ).with { $0.lockEncoding = .both }, finds: [[5], [5]]),
    ]

    /// A bare number in a JSON attribute is seconds since 2001 or 1970, or milliseconds since 1970.
    private static let numberTexts: [(String, Bool)] = [
        ("817041600", false), ("817041601", true), ("1199999999", true), ("1200000000", false),
        ("1795348800", false), ("1795348801", true), ("99999999999", false), ("100000000000", false),
        ("1795348800000", false), ("1795348800500", true), ("9999999999999", true),
        ("\"2026-11-22T12:00:00.000Z\"", false), ("\"2026-11-22T12:00:00.001Z\"", true), ("null", false),
    ]

    private static let numbers: [CheckCase] = numberTexts.flatMap { number, finds in
        [USBMeterModel.LockEncoding.blob, .blobWithBinaryDiscovery].map { encoding in
            CheckCase.record(
                "clock-in-future", "a discovery at \(number), \(encoding)", lockEncoding: encoding, finds: finds,
                finds ? "discoveryMetadata.lastSeen" : ""
            ) { $0.discoveryMetadata = "{\"lastSeen\":\(number)}" }
        }
    }

    /// Texts of a lock, each with what is wrong with it.
    private static let lockTexts: [(String, String?)] = [
        ("{}", nil), ("{\"device\":null}", nil), ("[]", "not an object"),
        ("{\"a\":1}", "without device or deviceID, timestamp, expiry or expiresAt"),
        ("{\"device\":5}", "`device` is not text"), ("{\"timestamp\":\"soon\"}", "`timestamp` is not an ISO 8601"),
        ("{\"expiry\":true}", "`expiry` is not a date"), ("{\"device\"", "not JSON"),
        ("", "not JSON"), ("5", "not an object"), ("\"{}\"", "not an object"), ("null", "not an object"),
        ("{\"device\":\"x\"} {}", "not JSON"), ("{\"timestamp\":1e999}", "`timestamp` is not a date"),
        ("{\"device\":[1]}", "`device` is not text"), (String(repeating: "[", count: 20_000), "not JSON"),
    ]

    private static let blobs: [CheckCase] =
        lockTexts.map { text, reason in
            .record(
                "metadata-blob-malformed", "the lock \(text)", lockEncoding: .blob, finds: reason != nil,
                reason ?? ""
            ) { $0.connectionMetadata = text }
        }
        + [
            .record(
                "metadata-blob-malformed", "a number", lockEncoding: .blobWithBinaryDiscovery, finds: true,
                "discoveryMetadata: a number instead"
            ) { $0.overrides["ZDISCOVERYMETADATA"] = 5 },
            .record("metadata-blob-malformed", "NULL", lockEncoding: .blob, finds: false) { _ in },
            .record(
                "metadata-blob-malformed", "a discovery", lockEncoding: .blobWithBinaryDiscovery, finds: true,
                "discoveryMetadata: an object without lastSeen, seenBy"
            ) { $0.discoveryMetadata = "{\"seen\":1}" },
            .record("metadata-blob-malformed", "a whole discovery", lockEncoding: .blob, finds: false) {
                $0 = $0.seen(by: .anasPhone, at: now)
            },
            CheckCase(
                "metadata-blob-malformed", "a lock, in a store without discoveries",
                StoreFixture(records: [Meters.healthy.with { $0.connectionMetadata = "[" }]).with {
                    $0.lockEncoding = .blob
                    $0.damage = { try $0.execute(sql: "ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZDISCOVERYMETADATA") }
                }, finds: [[5]]),
            CheckCase(
                "metadata-blob-malformed", "a discovery, in a store without locks",
                StoreFixture(records: [Meters.healthy.with { $0.discoveryMetadata = "[" }]).with {
                    $0.lockEncoding = .blob
                    $0.damage = { try $0.execute(sql: "ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZCONNECTIONMETADATA") }
                }, finds: [[5]]),
        ]

    /// Each address with the one check that says something of it.
    private static let addressTexts: [(FixtureValue, String?)] = [
        (nil, "mac-missing"), ("", "mac-missing"), (" \t", "mac-missing"), (.blob([]), "mac-missing"),
        ("UM34C", "mac-invalid"), (5, "mac-invalid"), (0.5, "mac-invalid"), (.blob([0x41]), "mac-invalid"),
        ("A4:C1:38:0B:7E", "mac-invalid"), ("00:00:00:00:00:00", "mac-placeholder"),
        ("ff-ff-ff-ff-ff-ff", "mac-placeholder"), ("020000000000", "mac-placeholder"),
        ("A4C1380B7E99", "mac-not-canonical"), (" A4:C1:38:0B:7E:99", "mac-not-canonical"),
        ("A4:C1:38:0B:7E:99", nil), ("a4:c1:38:0b:7e:99", nil), ("10:11:12:13:14:15", nil),
    ]

    private static let addresses: [CheckCase] = addressTexts.flatMap { address, check in
        ["mac-missing", "mac-invalid", "mac-placeholder", "mac-not-canonical"].map { other in
            .record(other, "\(address)", finds: other == check) { $0.overrides["ZMACADDRESS"] = address }
        }
    }

    private static func meters(_ change: (inout [FixtureRecord]) -> Void) -> StoreFixture {
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

    private static let names: [CheckCase] = [
        CheckCase("name-shared", "four names", meters { _ in }, finds: []),
        CheckCase(
            "name-shared", "one name on two meters, but for white space",
            meters { $0[0].meterName = " Meter 3\n" }, finds: [[1, 3]], "\"Meter 3\" is on 2 meters"),
        CheckCase(
            "name-shared", "two names on two meters each",
            meters {
                $0[2].meterName = "Meter 2"
                $0[3].meterName = "Meter 1"
            }, finds: [[1, 4], [2, 3]]),
        CheckCase(
            "name-shared", "one name on two records of one meter",
            meters {
                $0[1].meterName = "Meter 1"
                $0[1].macAddress = "a4c1380b7e01"
            }, finds: []),
        CheckCase(
            "name-shared", "two names of one hash",
            meters {
                $0[0].meterName = "Workshop bench 1"
                $0[1].meterName = "bmp2JNFtUcRpjra5"
            }, finds: []),
        CheckCase(
            "name-shared", "empty names",
            meters { for index in 0..<4 { $0[index].meterName = [nil, "", " "][index % 3] } },
            finds: []),
        CheckCase(
            "name-shared", "on a record without an address",
            meters {
                $0[1].meterName = "Meter 1"
                $0[1].macAddress = nil
            }, finds: []),
        .record("name-machine-made", "a device", finds: true, "a platform's") { $0.meterName = " iPad Pro " },
        .record("name-machine-made", "a user's", finds: false) { $0.meterName = "iPad of Ana" },
        .record("name-machine-made", "a computer", finds: true, "\"Anas-Mac.local\" is a host name →") {
            $0.meterName = "Anas-Mac.local"
        },
        .record("name-machine-made", "a hardware type", finds: true, "is a hardware type →") {
            $0.meterName = "tc66C"
        },
        .record("name-machine-made", "white space", finds: true, "\" \u{A0}\" is only white space →") {
            $0.meterName = " \u{A0}"
        },
        .record("name-machine-made", "no letter", finds: false) { $0.meterName = "" },
        .record("name-machine-made", "no name", finds: false) { $0.meterName = nil },
        CheckCase("duplicate-mac", "four meters", meters { _ in }, finds: []),
        CheckCase(
            "duplicate-mac", "two records", meters { $0[3].macAddress = "a4-c1-38-0b-7e-01" }, finds: [[1, 4]],
            "2 records of the meter A4:C1:38:0B:7E:01",
            "; the app finds row 1; row 1 has \"Meter 1\" and no unit, ", "row 4 has \"Meter 4\"",
            "→ meterfix rebuild /"),
        CheckCase(
            "duplicate-mac", "three records with the same name and unit",
            meters {
                for index in 1...3 {
                    $0[index].macAddress = $0[0].macAddress
                    $0[index].meterName = $0[0].meterName
                }
            }, finds: [[1, 2, 3, 4]], "; the app finds row 1; all have the same name and unit"),
        CheckCase(
            "duplicate-mac", "a newer record with another name and unit, and two with the same ones",
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
            "duplicate-mac", "the first nameless",
            meters {
                $0[3].macAddress = $0[0].macAddress
                $0[0].meterName = " "
            }, finds: [[1, 4]], "the app finds row 1, which lacks the name", "!levelled"),
        CheckCase(
            "duplicate-mac", "the first without unit and name, and none that has a unit alone",
            meters {
                $0[3].macAddress = $0[0].macAddress
                $0[0].meterName = nil
                $0[3].tc66TemperatureUnit = "celsius"
            }, finds: [[1, 4]], "the app finds row 1, which lacks the name and the unit"),
        CheckCase(
            "duplicate-mac", "the second nameless, and written as the app does",
            meters {
                $0[3].macAddress = $0[0].macAddress
                $0[0].macAddress = $0[0].macAddress?.lowercased()
                $0[3].meterName = nil
            }, finds: [[1, 4]], "the app finds row 4, which lacks the name"),
        CheckCase(
            "duplicate-mac", "none written as the app does",
            meters {
                $0[0].macAddress = "a4-c1-38-0b-7e-01"
                $0[3].macAddress = "a4c1380b7e01"
            }, finds: [[1, 4]], "the app finds none of them, because no record has exactly this address"),
        CheckCase(
            "duplicate-mac", "one record in another notation", meters { $0[3].macAddress = "a4-c1-38-0b-7e-04" },
            finds: []),
    ]

    private static let unitTexts: [(FixtureValue, Bool)] = [
        (nil, false), ("", false), (" ", false), ("celsius", false), ("fahrenheit", false), ("Celsius", true),
        ("celsiu", true), ("celsius ", true), ("celsiuS", true), ("cXXXXXX", true), (3, true),
        (.blob(Array("celsius".utf8)), true), (.blob([]), false),
    ]

    private static let units: [CheckCase] = unitTexts.map { unit, finds in
        .record("unit-unknown", "\(unit)", finds: finds) { $0.overrides["ZTC66TEMPERATUREUNIT"] = unit }
    }

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
        return CheckCase("record-id-shared", description, fixture, finds: rows, words: words)
    }

    private static let identities: [CheckCase] = [
        CheckCase("id-duplicate", "four ids", meters { _ in }, finds: []),
        CheckCase(
            "id-duplicate", "on two meters", meters { $0[2].id = $0[0].id }, finds: [[1, 3]], "is on 2 records",
            "→ meterfix fix id-duplicate"),
        CheckCase(
            "id-duplicate", "twice, in another order",
            meters {
                $0[2].id = $0[1].id
                $0[3].id = $0[0].id
            }, finds: [[1, 4], [2, 3]]),
        CheckCase(
            "id-duplicate", "on three", meters { for index in 1...2 { $0[index].id = $0[0].id } }, finds: [[1, 2, 3]]),
        CheckCase(
            "id-duplicate", "on two records of one meter",
            meters {
                $0[2].id = $0[0].id
                $0[2].macAddress = $0[0].macAddress
            }, finds: [[1, 3]], "→ meterfix rebuild"),
        CheckCase(
            "id-duplicate", "on one of each of two meters with two records",
            meters {
                $0[2].id = $0[0].id
                $0[1].macAddress = $0[0].macAddress
                $0[3].macAddress = $0[2].macAddress
            }, finds: [[1, 3]], "→ meterfix fix id-duplicate"),
        CheckCase(
            "id-duplicate", "on two records without an address",
            meters {
                $0[2].id = $0[0].id
                for index in [0, 2] { $0[index].macAddress = nil }
            }, finds: [[1, 3]], "→ meterfix fix id-duplicate"),
        .record("id-missing", "NULL", finds: true, "no id → meterfix fix id-missing") { $0.id = nil },
        .record("id-missing", "no byte", finds: true) { $0.id = [] },
        .record("id-missing", "white space", finds: true) { $0.overrides["ZID"] = " " },
        .record("id-missing", "an id", finds: false) { _ in },
        CheckCase(
            "id-missing", "no such column",
            StoreFixture(records: [Meters.healthy]).damaged("ALTER TABLE ZDEVICESETTINGS DROP COLUMN ZID"), finds: []),
        CheckCase("record-id-shared", "no such attribute", meters { _ in }, finds: []),
        recordIDs("four names", ["A", "B", "C", "D"], finds: []),
        recordIDs("none and empty ones", [nil, nil, "", ""], finds: []),
        recordIDs(
            "on two meters", ["A", "B", "A", nil], finds: [[1, 3]], "\"A\" is on 2 records →", "→ show the store to"),
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
        CheckCase(
            "id-duplicate", "none at all", meters { for index in 0..<4 { $0[index].id = index < 2 ? nil : [] } },
            finds: []),
    ]
}
