import CoreDataStore
import Foundation
import JSON
import MeterModel
import Testing

@testable import MeterInspect

@Suite("a log that gives no all-clear")
struct NoAllClearTests {
    private func log(_ text: String, _ name: String = "console.log") throws -> MirrorLog {
        try MirrorLog(bytes: Array(text.utf8), name: name)
    }

    /// The text of each error as the system hides it, as it writes none, and cut away.
    private static let hidden: [@Sendable (String) -> String] = [
        { $0.replacing(error, with: "<private>") }, { $0.replacing(error, with: "(null)") },
        { $0.replacing(error, with: "") },
    ]
    private static var error: Regex<Substring> {
        /(?:<CKError [^\n]*|Error Domain=[^\n]*)(?:\n\t[^\n]*)*(?:\n}>)?/
    }

    @Test("stays one where the text of its errors is hidden or deleted", arguments: LogCase.all)
    func law(_ sample: LogCase) throws {
        guard sample.wanted["exit"]?.number == 1, let bytes = try? sample.bytes(),
            String(validating: bytes, as: UTF8.self) != nil
        else { return }
        for hide in Self.hidden {
            let log = try log(hide(String(decoding: bytes, as: UTF8.self)))
            let last = Dictionary(log.events.compactMap { event in event.kind.map { ($0, event.outcome) } }) { $1 }
            #expect(log.cause != nil || !last.values.contains(.failed))
        }
    }

    @Test("is one in which the last request of its kind failed, and says how to see why")
    func hiddenReason() throws {
        for result in ["<private>", "<X: 0x1> success: 0 error: (null)", "<X: 0x1> success: 0 error: <private>"] {
            let line = "CoreData: CloudKit: CoreData+CloudKit: -[X y:](1): "
            let finished =
                "Finished request: <NSCloudKitMirroringExportRequest: 0x1> 00000000-AAAA-4BBB-8CCC-000000000001 with result: "
            let failed = try log("\(line)\(finished)\(result)\n")
            #expect(failed.cause?.error.fault == .hiddenReason)
            #expect(failed.next.contains { $0.description.contains("`meterfix explain LOG STORE`") })
            let overcome = try log("\(line)\(finished)\(result)\n\(line)Finished export: <X: 0x1>\n")
            #expect(overcome.cause == nil && overcome.entries.contains { $0.isOvercome })
        }
        let event = """
            <NSPersistentCloudKitContainerEvent: 0x1> { type: Import store: 3E7C1D40-1111-4222-8333-6F5A4B3C2D1E started: \
            2026-11-20 07:14:00 +0000 ended: 2026-11-20 07:14:01 +0000 succeeded: NO error: (null):0 }
            """
        #expect(try log(event).cause?.error.fault == .hiddenReason)
    }

    @Test("is one in which a time without a zone would make a success the later one")
    func zones() throws {
        func line(_ time: String, _ result: String) -> String {
            """
            2026-11-20 \(time) 0x1 Default 0x0 523 0 USB Meter: (CoreData) [com.apple.coredata:CloudKit] CoreData+CloudKit: -[X y:](1): \
            Finished request: <NSCloudKitMirroringExportRequest: 0x1> \(UUID().uuidString) with result: \
            <NSCloudKitMirroringResult: 0x1> \(result)

            """
        }
        let good = "success: 1 error: (null)"
        let bad = "success: 0 error: <CKError 0x1: \"Quota Exceeded\" (25/2035)>"
        let start = ["08:00", "08:01", "08:02"].map { line("\($0):00.000000", good) }.joined()
        let mixed = try log(start + line("09:00:03.000000", good) + line("09:30:00.000000+0100", bad))
        #expect(mixed.cause?.error.fault.id == "quota-exceeded" && !mixed.isSorted)
        let sorted = try log(line("09:40:03.000000+0100", good) + line("09:30:00.000000+0100", bad))
        #expect(sorted.cause == nil && sorted.isSorted)
    }

    @Test(
        "is one with an error of the mirror in words that nobody knows",
        arguments: [
            "CoreData: error: CoreData+CloudKit: -[X y:](1): words of a new system",
            "CoreData: fault: CoreData+CloudKit: -[X y:](1): words of a new system",
            "2026-11-20 08:14:00.000000+0100 0x1 Fault 0x0 1 0 USB Meter: (CoreData) [a:b] CoreData+CloudKit: -[X y](1): words",
            "2026-11-20 08:14:00.000 E  USB Meter[1:2] [a:b] CoreData+CloudKit: -[X y](1): words of a new system",
            #"{"message": "CoreData+CloudKit: -[X y](1): words", "level": "ERROR", "time": 1795158840}"#,
            "CoreData: error: a report of Core Data itself that nobody knows",
            "CloudKit: CKErrorDomain came back with the number 25",
        ])
    func unknown(_ line: String) throws {
        let log = try log("\(line)\n")
        #expect(log.cause?.error.fault == .unknownError)
        // A log of JSON is nothing else.
        guard !line.hasPrefix("{") else { return }
        let good =
            "CoreData: CloudKit: CoreData+CloudKit: -[NSCloudKitMirroringDelegate someMethod:](1492): Finished export: <X: 0x1>\n"
        #expect(try self.log(good + line + "\n").cause?.error.fault == .unknownError)
    }

    @Test("tells nothing where no request succeeded, and all is well where one did")
    func evidence() throws {
        let line = "CoreData: CloudKit: CoreData+CloudKit: -[X y:](1): "
        let idle = try log("\(line)Observing store: <X: 0x1>\n")
        #expect(idle.cause == nil && !idle.hasSuccess)
        #expect(try log("\(line)Finished export: <X: 0x1>\n").hasSuccess)
    }

    @Test("is one of which the reader of the archive has left lines out")
    func incomplete() throws {
        let reader = "[ERROR] [macos-unifiedlogs] Incorrect compression signature expected bv41, got: 206389850\n"
        let good = "CoreData: CloudKit: CoreData+CloudKit: -[X y:](1): Finished export: <X: 0x1>\n"
        let log = try log(reader + good)
        #expect(log.cause?.error.fault.id == "log-incomplete")
        #expect(log.next.contains { $0.description.contains("macOS 26.2") })
    }

    @Test("is one that breaks off in a record, or has a damaged one", arguments: Broken.allCases)
    func broken(_ broken: Broken) throws {
        let good = "CoreData+CloudKit: -[X y:](1): Finished export: <X: 0x1>"
        let whole = broken.log(good)
        #expect(try log(whole).cause == nil && log(whole).hasSuccess)
        let log = try log(broken.damaged(whole))
        #expect(log.cause?.error.fault == .brokenLog && log.cause?.count == 1)
        #expect(log.next == [Sentence(MirrorFault.brokenLog.advice)])
    }

    enum Broken: CaseIterable {
        case inText, behindText, betweenObjects, inQuotedField, inTheMiddle, notJSON

        func log(_ message: String) -> String {
            let object =
                #"{"eventMessage": "\#(message)", "process": "USB Meter", "timestamp": "2026-11-20 08:14:00.000000+0000"}"#
            return switch self {
            case .inText, .behindText, .inTheMiddle, .notJSON: String(repeating: "\(object)\n", count: 20)
            case .betweenObjects: "[\(object),\n\(object)]\n"
            case .inQuotedField:
                "Timestamp,Process,Message\n2026-11-20 08:14:00,USB Meter,\"\(message)\"\n".appending(
                    "2026-11-20 08:14:01,USB Meter,\"\(message)\"\n")
            }
        }

        func damaged(_ log: String) -> String {
            switch self {
            case .inText: String(log.dropLast(90))
            case .behindText: String(log.dropLast(3))
            case .betweenObjects: String(log.dropLast(2))
            case .inQuotedField: String(log.dropLast(9))
            case .inTheMiddle: log.replacingLast(of: "Finished", with: "Fini\nshed")
            case .notJSON: log.replacingLast(of: "{", with: "{,")
            }
        }
    }
}

extension String {
    /// A text with the last place of another one replaced.
    fileprivate func replacingLast(of text: String, with other: String) -> String {
        guard let place = range(of: text, options: .backwards) else { return self }
        return replacingCharacters(in: place, with: other)
    }
}
