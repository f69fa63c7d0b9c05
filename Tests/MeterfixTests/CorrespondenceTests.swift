import JSON
import MeterTestSupport
import Testing

/// What tests of `redact` compare two answers with: a difference that it does not see, they would not see.
@Suite("the comparison of a store's answers with those of its copy")
struct CorrespondenceTests {
    private static let document = """
        {"command": "meters", "meters": [
          {"mac": "A4:C1:38:0B:7E:21", "address": "a4-c1-38-0b-7e-21", "name": "Lab", "unit": "celsius", "rows": [3, 7],
           "updatedAt": "2026-11-20T12:00:00.500Z", "lastSeenAt": "2026-11-19T12:00:00.000Z", "waiting": true},
          {"mac": "A4:C1:38:5D:02:9F", "address": "A4:C1:38:5D:02:9F", "name": " Lab", "unit": "kelvin", "rows": [4],
           "updatedAt": "2026-11-21T12:00:00.500Z", "lastSeenAt": null, "waiting": false}],
         "findings": [{"id": "name-shared", "rows": [3, 4], "message": "the name \\"Lab\\" is on 2 meters, A4:C1:38:0B:7E:21 and A4:C1:38:5D:02:9F"}]}
        """

    /// The same of a copy whose addresses are in another order.
    private static let copy = """
        {"command": "meters", "meters": [
          {"mac": "0C:DE:71:2A:11:39", "address": "0C:DE:71:2A:11:39", "name": " Fig", "unit": "rankine", "rows": [4],
           "updatedAt": "2026-11-21T12:00:00.500Z", "lastSeenAt": null, "waiting": false},
          {"mac": "E5:D0:71:1A:3C:99", "address": "e5-d0-71-1a-3c-99", "name": "Fig", "unit": "celsius", "rows": [7, 3],
           "updatedAt": "2026-11-20T12:00:00.500Z", "lastSeenAt": "2026-11-19T12:00:00.000Z", "waiting": true}],
         "findings": [{"id": "name-shared", "rows": [4, 3], "message": "the name \\"Fig\\" is on 2 meters, 0C:DE:71:2A:11:39 and E5:D0:71:1A:3C:99"}]}
        """

    private func contradictions(_ copy: String) throws -> [String] {
        var correspondence = Correspondence()
        correspondence.compare(
            try JSONValue(parsing: Array(Self.document.utf8)), try JSONValue(parsing: Array(copy.utf8)), at: "meters")
        correspondence.finish()
        return correspondence.contradictions
    }

    @Test("finds nothing wrong with a copy in which every text stands for one of the original")
    func same() throws { #expect(try contradictions(Self.copy) == []) }

    @Test(
        "finds each difference in what stays, and each text that stands for two",
        arguments: [
            ("\"waiting\": true", "\"waiting\": false"), ("[7, 3]", "[7]"), ("[7, 3]", "[7, 5]"),
            ("\"id\": \"name-shared\"", "\"id\": \"name-missing\""), ("is on 2 meters", "is on 3 meters"),
            // Another name for one of two equal ones, and the same for two.
            ("\\\"Fig\\\" is", "\\\"Gif\\\" is"), ("\"name\": \" Fig\"", "\"name\": \"Fig\""),
            ("\"name\": \" Fig\"", "\"name\": \"\""),
            // An address that is none, is written in another way, or is not the one of the other text.
            ("\"address\": \"e5-d0-71-1a-3c-99\"", "\"address\": \"not one\""),
            ("\"address\": \"e5-d0-71-1a-3c-99\"", "\"address\": \"E5-D0-71-1A-3C-99\""),
            ("\"address\": \"e5-d0-71-1a-3c-99\"", "\"address\": \"e5:d0:71:1a:3c:99\""),
            ("\"address\": \"e5-d0-71-1a-3c-99\"", "\"address\": \"0c-de-71-2a-11-39\""),
            ("9 and E5:D0:71:1A:3C:99", "9 and E5:D0:71:1A:3C:98"),
            ("\"unit\": \"rankine\"", "\"unit\": \"celsius\""), ("\"unit\": \"celsius\"", "\"unit\": \"fahrenheit\""),
            ("2026-11-19T12", "2026-11-18T12"), ("2026-11-20T12", "2026-12-20T12"),
            ("\"lastSeenAt\": null", "\"lastSeenAt\": \"2026-11-21T12:00:00.500Z\""),
            ("\"waiting\": false", "\"waiting\": false, \"more\": 1"),
        ])
    func different(_ old: String, _ new: String) throws {
        let text = Self.copy.replacing(old, with: new)
        #expect(text != Self.copy)
        #expect(try contradictions(text) != [])
    }

    @Test("finds that two stores are not the same")
    func rows() throws {
        let samples = ["healthy", "check-lock-ttl"].map { "\(PackageFolder.samples)/\($0).sqlite" }
        var other = Correspondence()
        try other.compareRows(samples[0], samples[1])
        other.finish()
        #expect(!other.contradictions.isEmpty)
        var same = Correspondence()
        try same.compareRows(samples[0], samples[0])
        same.finish()
        #expect(same.contradictions == [])
    }

    @Test(
        "finds one value of a store that changed",
        arguments: [
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = NULL WHERE Z_PK = 1", "DELETE FROM ZDEVICESETTINGS WHERE Z_PK = 2",
            "UPDATE ZDEVICESETTINGS SET ZMACADDRESS = lower(ZMACADDRESS) WHERE Z_PK = 3",
            "UPDATE ZDEVICESETTINGS SET ZLASTSEENBYDEVICEID = 'x' WHERE Z_PK = 2",
            "UPDATE ZDEVICESETTINGS SET ZUPDATEDAT = ZUPDATEDAT - 5 WHERE Z_PK = 2",
            "UPDATE ZDEVICESETTINGS SET ZID = (SELECT ZID FROM ZDEVICESETTINGS WHERE Z_PK = 1) WHERE Z_PK = 2",
            "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE Z_PK = 1", "UPDATE Z_PRIMARYKEY SET Z_MAX = 99",
            "UPDATE ATRANSACTION SET ZBUNDLEIDTS = 2 WHERE Z_PK = 1", "DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX",
            "UPDATE ZDEVICESETTINGS SET ZMETERNAME = ZMETERNAME || ' ' WHERE Z_PK = 1",
        ])
    func change(_ sql: String) throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.copySampleFile("healthy.sqlite", as: "copy.sqlite")
        try folder.execute(sql, in: "copy.sqlite")
        var correspondence = Correspondence()
        try correspondence.compareRows(folder.path + "/healthy.sqlite", folder.path + "/copy.sqlite")
        correspondence.finish()
        #expect(!correspondence.contradictions.isEmpty)
    }
}
