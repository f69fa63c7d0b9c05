import CoreDataStore
import GRDB
import MeterStore
import MeterTestSupport
import Testing

/// Each check of locks at its limits.
@Suite("a check of locks")
struct LockCheckTests {
    private static let now = FixtureClock.now
    private static let day = FixtureClock.day

    @Test("finds what is wrong and nothing else:", arguments: locks + blobLocks + longBlobLocks + texts + blobs)
    func found(_ testCase: CheckCase) throws { try testCase.run() }

    private static func both(_ record: FixtureRecord) -> CheckCase {
        CheckCase(
            "flat and as JSON", StoreFixture(records: [record]).with { $0.lockEncoding = .both }, finds: [[5], [5]])
    }

    private static let locks = CheckCase.of([
        "lock-expired": [
            .fine("this very moment") { $0.lock(at: now - 120) },
            .wrong("a moment ago", "\"Ana's iPhone\"", "!connectionMetadata") { $0.lock(at: now - 120.25) },
            .fine("torn") {
                $0.lock(at: now - 500)
                $0.connectedByDeviceID = nil
            },
            CheckCase(
                "of a device without a name, in a store without names",
                .without("ZCONNECTEDBYDEVICENAME", Meters.healthy.locked(by: .anasPhone, at: now - 500)), finds: [[5]],
                FixtureDevice.anasPhone.id),
        ],
        "lock-ttl": [
            .fine("120 s") { $0.lock(at: now - 60) },
            .fine("half a millisecond short") { $0.lock(at: now - 60, for: 119.9995) },
            .fine("half a millisecond long") { $0.lock(at: now - 60, for: 120.0005) },
            .fine("of the year 4001, which counts as no date") { $0.lock(at: 63_113_904_000, for: 0) },
            .wrong("two milliseconds short", "instead of 120 s →", "hold") { $0.lock(at: now - 60, for: 119.998) },
            .wrong("that ends before it begins", "after -60 s instead of 120 s") { $0.lock(at: now - 60, for: -60) },
            .wrong("two milliseconds long", "!connectionMetadata", "!until then") {
                $0.lock(at: now - 60, for: 120.002)
            },
            .wrong("a day from now", "!until then", "→ connect to the meter with") { $0.lock(at: now, for: day) },
            .wrong("more than a day from now", "until then", "→ meterfix unlock A4:") {
                $0.lock(at: now - 120, for: day + 120.5)
            },
            .wrong(
                "of a device that is connected now, which unlock leaves alone", "until then",
                "→ disconnect from the meter on \"Ana's iPhone\", which is connected now"
            ) { $0.lock(at: now - 119.5, for: day + 120) },
        ],
        "lock-torn": [
            .fine("whole") { $0.lock(at: now) },
            .wrong("without its device", "but not connectedByDeviceID →") {
                $0.lock(at: now)
                $0.connectedByDeviceID = nil
            },
            .wrong("without the device's name", "but not connectedByDeviceName →") {
                $0.lock(at: now)
                $0.connectedByDeviceName = ""
            },
            .wrong("without its beginning", "but not connectedAt →") {
                $0.lock(at: now)
                $0.connectedAt = nil
            },
            .wrong("without its end", "but not connectedExpiryAt →") {
                $0.lock(at: now)
                $0.connectedExpiryAt = nil
            },
            .wrong("one field alone", "has connectedByDeviceID but") { $0.connectedByDeviceID = "ana" },
            CheckCase(
                "all that there are columns for",
                .without("ZCONNECTEDBYDEVICEID", Meters.healthy.locked(by: .anasPhone, at: now)), finds: []),
        ],
    ])

    /// A lock in JSON that begins and ends so many seconds from now, as Swift writes dates: seconds since 2001.
    private static func lock(_ begins: Double?, _ ends: Double?, device: String? = "ana") -> String {
        json([("device", device.map { "\"\($0)\"" }), ("timestamp", time(begins)), ("expiry", time(ends))])
    }

    /// As other versions of the app write it.
    private static func longLock(_ begins: Double?, _ ends: Double?, device: String? = "ana") -> String {
        json([
            ("deviceID", device.map { "\"\($0)\"" }), ("deviceName", "\"Ana's iPhone\""), ("timestamp", time(begins)),
            ("expiresAt", time(ends)),
        ])
    }

    private static func time(_ offset: Double?) -> String? { offset.map { "\(now + $0)" } }

    private static func json(_ members: [(String, String?)]) -> String {
        "{" + members.compactMap { key, value in value.map { "\"\(key)\":\($0)" } }.joined(separator: ",") + "}"
    }

    private static let longBlobLocks = CheckCase.of([
        "lock-torn": [
            .fine("whole, in the other spelling", in: .blob) { $0.connectionMetadata = longLock(-60, 60) },
            .fine("whole, in both spellings at once", in: .blob) {
                $0.connectionMetadata = #"{"deviceID":"ana","timestamp":\#(now - 60),"expiry":\#(now + 60)}"#
            },
            .wrong("without its device, in the other spelling", in: .blob, "timestamp and expiresAt but not deviceID →")
            {
                $0.connectionMetadata = longLock(-60, 60, device: nil)
            },
            .wrong("without its end, in the other spelling", in: .blob, "deviceID and timestamp but not expiresAt →") {
                $0.connectionMetadata = #"{"deviceID":"ana","timestamp":\#(now - 60),"expiresAt":null}"#
            },
        ],
        "metadata-blob-malformed": [
            .fine("in the other spelling", in: .blob) { $0.connectionMetadata = longLock(-60, 60) },
            .wrong("an end that is no date, in the other spelling", in: .blob, "`expiresAt` is not a date") {
                $0.connectionMetadata = #"{"deviceID":"ana","timestamp":\#(now - 60),"expiresAt":true}"#
            },
        ],
        "lock-ttl": [
            .wrong("less than 120 s, in the other spelling", in: .blob, "instead of 120 s to 24 h") {
                $0.connectionMetadata = longLock(-60, 59)
            },
            .fine("24 h, in the other spelling", in: .blob) { $0.connectionMetadata = longLock(-60, 86_340) },
            .wrong("more than 24 h, in the other spelling", in: .blob) {
                $0.connectionMetadata = longLock(-60, 86_341)
            },
        ],
        "lock-expired": [
            .wrong("a moment ago, in the other spelling", in: .blob, "of \"Ana's iPhone\" in connectionMetadata") {
                $0.connectionMetadata = longLock(-500, -0.5)
            }
        ],
        "clock-in-future": [
            .fine("the end, in the other spelling", in: .blob) { $0.connectionMetadata = longLock(day, day + 1) },
            .wrong(
                "both, in the other spelling", in: .blob, "connectionMetadata.timestamp", "connectionMetadata.expiresAt"
            ) { $0.connectionMetadata = longLock(day + 1, day + 121) },
        ],
    ])

    private static let blobLocks = CheckCase.of([
        "lock-ttl": [
            .fine("120 s", in: .blob) { $0.connectionMetadata = lock(-60, 60) },
            .fine("24 h", in: .blob) { $0.connectionMetadata = lock(-60, 86_340) },
            .wrong("less than 120 s", in: .blob, "instead of 120 s to 24 h", "in connectionMetadata") {
                $0.connectionMetadata = lock(-60, 59)
            },
            .wrong("more than 24 h", in: .blob) { $0.connectionMetadata = lock(-60, 86_341) },
            both(Meters.healthy.locked(by: .anasPhone, at: now, for: 2 * day)),
        ],
        "lock-expired": [
            .wrong("a moment ago", in: .blob, "of \"ana\" in connectionMetadata") {
                $0.connectionMetadata = lock(-500, -0.5)
            },
            .fine("this very moment", in: .blob) { $0.connectionMetadata = lock(-500, 0) },
            both(Meters.healthy.locked(by: .anasPhone, at: now - 500)),
        ],
        "lock-torn": [
            .fine("whole", in: .blob) { $0.connectionMetadata = lock(-60, 60) },
            .wrong("without its device", in: .blob, "timestamp and expiry but not device →") {
                $0.connectionMetadata = lock(-60, 60, device: nil)
            },
            .wrong("without its beginning", in: .blob, "device and expiry but not timestamp →") {
                $0.connectionMetadata = lock(nil, 60)
            },
            .wrong("without its end", in: .blob, "device and timestamp but not expiry →") {
                $0.connectionMetadata = lock(-60, nil)
            },
            .wrong("its device alone", in: .blob, "device but not timestamp and expiry →") {
                $0.connectionMetadata = #"{"device":"ana","timestamp":null,"expiry":""}"#
            },
            .fine("empty texts", in: .blob) { $0.connectionMetadata = #"{"device":"","timestamp":"","expiry":null}"# },
            .fine("an empty object", in: .blob) { $0.connectionMetadata = "{}" },
            both(Meters.healthy.locked(by: .anasPhone, at: now).with { $0.connectedExpiryAt = nil }),
        ],
        "clock-in-future": [
            .wrong("the beginning", in: .blob, "connectionMetadata.timestamp", "!expiry") {
                $0.connectionMetadata = lock(day + 1, day)
            },
            .fine("the end", in: .blob) { $0.connectionMetadata = lock(day, day + 1) },
            .fine("the end alone, a day and 24 h ahead", in: .blob) { $0.connectionMetadata = lock(nil, 2 * day) },
            .wrong("the end alone, later", in: .blob, "connectionMetadata.expiry", "!timestamp") {
                $0.connectionMetadata = lock(nil, 2 * day + 1)
            },
            .fine("neither", in: .blob) { $0.connectionMetadata = lock(day, day) },
        ],
    ])

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

    private static let texts = CheckCase.of([
        "metadata-blob-malformed": lockTexts.map { text, reason in
            .record("the lock \(text)", in: .blob, finds: reason != nil, [reason ?? ""]) {
                $0.connectionMetadata = text
            }
        }
    ])

    private static let blobs = CheckCase.of([
        "metadata-blob-malformed": [
            .wrong("a number", in: .blobWithBinaryDiscovery, "discoveryMetadata: a number instead") {
                $0.overrides["ZDISCOVERYMETADATA"] = 5
            },
            .fine("NULL", in: .blob),
            .wrong(
                "a discovery", in: .blobWithBinaryDiscovery, "discoveryMetadata: an object without lastSeen, seenBy"
            ) { $0.discoveryMetadata = "{\"seen\":1}" },
            .fine("a whole discovery", in: .blob) { $0.see(at: now) },
            CheckCase(
                "a lock, in a store without discoveries",
                .without("ZDISCOVERYMETADATA", Meters.healthy.with { $0.connectionMetadata = "[" })
                    .with { $0.lockEncoding = .blob }, finds: [[5]]),
            CheckCase(
                "a discovery, in a store without locks",
                .without("ZCONNECTIONMETADATA", Meters.healthy.with { $0.discoveryMetadata = "[" })
                    .with { $0.lockEncoding = .blob }, finds: [[5]]),
        ]
    ])
}
