import CoreDataStore
import Testing

@testable import MirrorLogs

@Suite("a line that an app prints without a date, between dated lines")
struct PrintedLineTests {
    private func log(_ lines: [String]) throws -> MirrorLog {
        try MirrorLog(bytes: Array((lines.joined(separator: "\n") + "\n").utf8), name: "console.log")
    }

    private static let good = """
        2026-11-20 08:14:03.699837+0100  localhost USB Meter[523]: (CoreData) [com.apple.coredata:CloudKit] \
        CoreData+CloudKit: -[X y:](1): Finished request: <NSCloudKitMirroringExportRequest: 0x1> \
        00000000-AAAA-4BBB-8CCC-000000000001 with result: <NSCloudKitMirroringResult: 0x1> storeIdentifier: \
        3E7C1D40-1111-4222-8333-6F5A4B3C2D1E success: 1 madeChanges: 1 error: (null)
        """
    private static let other =
        "2026-11-20 08:15:01.000000+0100  localhost SpringBoard[77]: (FrontBoard) [com.apple.FrontBoard:Process] state change"
    private static func event(_ minute: Int, _ result: String) -> String {
        """
        <NSPersistentCloudKitContainerEvent: 0x1> { type: Export store: 3E7C1D40-1111-4222-8333-6F5A4B3C2D1E started: \
        2026-11-20 07:\(minute):03 +0000 ended: 2026-11-20 07:\(minute):04 +0000 succeeded: \(result) }
        """
    }

    private static let failures = [
        (event(44, "NO error: CKErrorDomain:25"), "quota-exceeded"), (event(44, "NO"), "reason-hidden"),
        ("export failed: The operation couldn’t be completed. (CKErrorDomain error 25.)", "quota-exceeded"),
        ("Event: export finished, succeeded: NO, error: CKErrorDomain:25", "quota-exceeded"),
        ("Error Domain=CKErrorDomain Code=25 \"Quota exceeded\"", "quota-exceeded"),
    ]

    @Test("is no part of the success before it, whatever is between them", arguments: failures)
    func failure(_ line: String, _ id: String) throws {
        let isRest = line.hasPrefix("Error Domain=")
        for lines in [[Self.good, line], [Self.good, "", line]] + (isRest ? [] : [[Self.good, Self.other, line]]) {
            let log = try log(lines)
            #expect(log.cause?.error.fault.id == id, "\(lines.count)")
        }
    }

    @Test("keeps the times of its event, and is overcome by a later success")
    func times() throws {
        let failed = Self.event(44, "NO error: CKErrorDomain:25")
        let log = try log([Self.good, failed])
        #expect(log.events.map(\.outcome) == [.succeeded, .failed])
        #expect(log.events.last?.from?.iso8601 == "2026-11-20T07:44:03.000000Z")
        let later = Self.good.replacing("08:14:03", with: "08:50:00").replacing(
            "CC-000000000001", with: "CC-000000000002")
        #expect(try self.log([Self.good, failed, later]).cause == nil)
    }

    @Test("is the twin of the request that it is about, and of no other one")
    func twin() throws {
        let bad = Self.good.replacing(
            "success: 1 madeChanges: 1 error: (null)",
            with: "success: 0 madeChanges: 0 error: Error Domain=CKErrorDomain Code=25 \"x\"")
        let twin = try log([bad, Self.event(14, "NO error: CKErrorDomain:25")])
        #expect(twin.entries.map(\.count) == [1])
        let other = try log([bad, Self.event(44, "NO error: CKErrorDomain:25")])
        #expect(other.entries.map(\.count) == [2])
    }

    @Test("is a part of the message before it where that is not complete, or where a mail has broken it")
    func parts() throws {
        let open = Self.good.replacing(
            "success: 1 madeChanges: 1 error: (null)",
            with: "success: 0 error: <CKError 0x1: \"Partial Failure\" (2/1011); partial errors: {")
        let list = try log([
            open, "com.apple.coredata.cloudkit.zone:__defaultOwner__ = <CKError 0x2: \"Zone Busy\" (23/2024)>", "}>",
        ])
        #expect(list.entries.map(\.error.fault.id) == ["zone-busy"])
        #expect(list.events.map(\.process) == ["USB Meter"])
        let mail = try log([
            "> 2026-11-20 08:14:03.699837+0100 USB Meter[523:9911] [Sync] the export failed",
            "> again: The operation of CloudKit couldn't be completed. (CKErrorDomain error 25.)",
            "> 2026-11-20 08:15:03.699837+0100 USB Meter[523:9911] [Sync] nothing more",
        ])
        #expect(mail.entries.first?.first != nil)
    }

    @Test("says of a success that it failed where it has an error")
    func contradiction() throws {
        #expect(try log([Self.event(14, "YES error: CKErrorDomain:25")]).cause?.error.fault.id == "quota-exceeded")
        let success = Self.good.replacing("error: (null)", with: "error: <CKError 0x1: \"Quota Exceeded\" (25/2035)>")
        #expect(try log([success]).cause?.error.fault.id == "quota-exceeded")
    }

    @Test("of a log that names the app elsewhere leaves each event in what happened")
    func events() throws {
        let start = try #require(LogCase.named("03")).bytes()
        let own = try #require(LogCase.named("42")).bytes()
        let apart = try MirrorLog(bytes: own, name: "events.log"),
            both = try MirrorLog(bytes: start + own, name: "a.log")
        let first = try MirrorLog(bytes: start, name: "console.log")
        #expect(both.events.count { $0.kind != nil } >= first.events.count { $0.kind != nil } + 3)
        #expect(both.story.details["quota-exceeded"]?.records == first.story.details["quota-exceeded"]?.records)
        #expect(apart.cause?.error.fault.id == both.cause?.error.fault.id)
    }
}
