import CoreDataStore
import MeterModel
import Testing

@testable import MirrorLogs

@Suite("what Core Data says of a store that does not open")
struct OpeningReportTests {
    private static let refused = [
        "addPersistentStoreWithType:configuration:URL:options:error: returned error NSCocoaErrorDomain (134110)",
        "userInfo:",
        "\treason : Cannot migrate store in-place: Validation error missing attribute values on mandatory destination attribute",
        "\tNSUnderlyingError : UserInfo={entity=DeviceSettings, attribute=shelf, reason=Validation error}",
        "storeType: SQLite",
    ]
    private static let burst = [
        "Failed to stat path '/x/CKModel.sqlite', errno 2 / No such file or directory.",
        "Executing as effective user 501.",
        "\tSandbox access to file-write-create denied",
        "addPersistentStoreWithType:configuration:URL:options:error: returned error NSCocoaErrorDomain (512)",
        "storeType: SQLite",
        """
        <NSPersistentStoreCoordinator: 0x1>: Attempting recovery from error encountered during addPersistentStore: 0x2 Error \
        Domain=NSCocoaErrorDomain Code=512 "The file couldn’t be saved." UserInfo={reason=Failed to create file; code = 2}
        """,
    ]
    private static let opened =
        "Recovery attempt while adding <NSPersistentStoreDescription: 0x2> (type: SQLite, url: file:///x) was successful!"

    /// As Xcode shows it, as a test tool does, each line twice, and as `log show` does.
    private static let layouts: [@Sendable (String) -> String] = [
        { "CoreData: error: \($0)\n" },
        {
            "2026-11-20 07:14:00.000000+0000 USB Meter[5231:22116] [error] CoreData: error: \($0)\nCoreData: error: \($0)\n"
        },
        { "2026-11-20 07:14:00.000 E  USB Meter[1:2] [com.apple.coredata:error] CoreData: error: \($0)\n" },
    ]

    private func log(_ lines: [String], _ layout: (String) -> String) throws -> MirrorLog {
        try MirrorLog(bytes: Array(lines.map(layout).joined().utf8), name: "console.log")
    }

    @Test("is one error, with the attribute that is to blame", arguments: layouts)
    func refused(_ layout: @Sendable (String) -> String) throws {
        let log = try log(Self.refused, layout)
        #expect(log.entries.map(\.error.fault.id) == ["migration-failed"] && log.entries.map(\.count) == [1])
        #expect(log.story.details["migration-failed"]?.attribute == "DeviceSettings.shelf")
        #expect(log.next.first?.description.contains("(here DeviceSettings.shelf)") == true)
        #expect(log.next.first?.description.contains("meterfix migrate") == false)
        #expect(try self.log([Self.refused[0]], layout).cause?.error.fault.id == "migration-failed")
    }

    @Test("is of the store that it names: another one that opened does not stand for it", arguments: layouts)
    func otherStore(_ layout: @Sendable (String) -> String) throws {
        let other = Self.burst.map { $0.replacing("CKModel", with: "Cache") }
        let opened = Self.opened.replacing("file:///x", with: "file:///x/Cache.sqlite")
        for lines in [Self.burst + other + [opened], other + Self.burst + [opened], other + [opened] + Self.burst] {
            #expect(try log(lines, layout).cause?.error.fault.id == "store-open-failed")
        }
    }

    @Test("means nothing where it opened after all, as at the first start of an app", arguments: layouts)
    func firstLaunch(_ layout: @Sendable (String) -> String) throws {
        let opened = try log(Self.burst + [Self.opened], layout)
        #expect(opened.entries.isEmpty && opened.cause == nil && opened.noise == ["first launch"])
        let closed = try log(Self.burst, layout)
        #expect(closed.cause?.error.fault.id == "store-open-failed" && closed.entries.map(\.count) == [1])
        #expect(try log([Self.burst[0], Self.opened], layout).cause == nil)
    }
}
