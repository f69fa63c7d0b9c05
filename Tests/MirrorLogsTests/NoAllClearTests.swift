import CoreDataStore
import Foundation
import JSON
import MeterModel
import Testing

@testable import MirrorLogs

@Suite("a log that gives no all-clear")
struct NoAllClearTests {
    private func log(_ text: String, _ name: String = "console.log") throws -> MirrorLog {
        try MirrorLog(bytes: Array(text.utf8), name: name)
    }

    /// The text of each error as the system hides it, as it writes none, and cut away.
    private static let hidden: [@Sendable (String) -> String] = [
        { $0.replacing(error, with: "<private>") }, { $0.replacing(error, with: "(null)") },
        { $0.replacing(error, with: "") },
        { $0.replacing(/Code=-?[0-9]+/, with: "Code=<private>") },
        { $0.replacing(/Code=-?[0-9]+/, with: "Code=<decode: missing data>") },
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

    @Test("is one whose mirror never started, whatever the log has of the error")
    func neverStarted() throws {
        let line = "CoreData: CloudKit: CoreData+CloudKit: -[X y:](1): <X: 0x1>: "
        for words in [
            "Never successfully initialized and cannot execute request '<NSCloudKitMirroringImportRequest: 0x1>' due to error:",
            "resetting internal state after error:",
        ] {
            #expect(try log("\(line)\(words) (null)\n").cause?.error.fault == .hiddenReason, "\(words)")
        }
        // A store that is gone is no error that is not told.
        let gone = try log(
            "\(line)Failed to set up CloudKit integration for store: (null)\nError Domain=NSCocoaErrorDomain Code=134400 \"(CKAccountStatusNoAccount)\"\n"
        )
        #expect(gone.entries.map(\.error.fault.id) == ["not-signed-in"])
        #expect(try log("\(line)Fetch finished with error: (null)\n").cause == nil)
    }

    private static let words = "CoreData+CloudKit: -[X y:](1): "
    private static let finished =
        "\(words)Finished request: <NSCloudKitMirroringExportRequest: 0x1> with result: <NSCloudKitMirroringResult: 0x1> "
        + "storeIdentifier: 3E7C1D40-1111-4222-8333-6F5A4B3C2D1E success: "
    private static let failed = "\(finished)0 madeChanges: 0 error: Error Domain=CKErrorDomain Code=25 \"x\""
    private static let good = "\(finished)1 madeChanges: 0 error: (null)"

    /// A record of `log show` in a second of one minute.
    private static func record(_ second: Int, _ message: String, of process: Int = 523) -> String {
        "2026-11-20 08:14:\(second).000000+0100  localhost USB Meter[\(process)]: (CoreData) \(message)"
    }

    @Test(
        "is one with an error of the mirror that the system hid, whatever succeeded before",
        arguments: [
            "error: <private>", "fault: <private>", "error: <decode: missing data>",
            "error: Error Domain=NSCocoaErrorDomain Code=<private>",
            "error: Error Domain=NSSQLiteErrorDomain Code=<private>",
        ])
    func hiddenError(_ words: String) throws {
        let log = try log(
            [Self.record(20, Self.good), Self.record(30, "[com.apple.coredata:CloudKit] \(words)")].joined(
                separator: "\n"))
        #expect(log.cause != nil)
    }

    @Test("is one in which SQLite says that the app's database is damaged, or was moved while it was open")
    func damagedDatabase() throws {
        for words in [
            "database corruption at line 71247 of [0c1fcf4711]",
            "BUG IN CLIENT OF libsqlite3.dylib: database integrity compromised by API violation: vnode unlinked while in "
                + "use: /p/CKModel.sqlite",
        ] {
            let line = Self.record(30, words).replacing(
                "(CoreData) ", with: "(libsqlite3.dylib) [com.apple.libsqlite3:logging] ")
            let log = try log([Self.record(20, Self.good), line].joined(separator: "\n"))
            #expect(log.cause?.error.fault.id == "store-corrupt", "\(words)")
        }
    }

    @Test("is one whose error only carries another, and that one is the cause", arguments: [134_404, 134_409, 134_410])
    func carried(_ code: Int) throws {
        let error = """
            Error Domain=NSCocoaErrorDomain Code=\(code) "x" UserInfo={NSUnderlyingError=0x1 {Error Domain=CKErrorDomain Code=25 \
            "Quota" UserInfo={}}}
            """
        let log = try log(Self.record(20, "\(Self.words)Export failed with error: \(error)"))
        #expect(log.cause?.error.fault.id == "quota-exceeded")
    }

    @Test("is none where what is carried is no failure", arguments: [134_407, 134_417, 134_419])
    func carriedNote(_ code: Int) throws {
        let error = """
            Error Domain=NSCocoaErrorDomain Code=134410 "x" UserInfo={NSUnderlyingError=0x1 {Error Domain=NSCocoaErrorDomain \
            Code=\(code) "y"}}
            """
        let result = "<NSCloudKitMirroringResult: 0x6> success: 0 madeChanges: 0 error: \(error)"
        let log = try log(Self.record(20, "\(Self.words)Finished automatic export - A - with result: \(result)"))
        #expect(log.cause == nil && log.events.map(\.outcome) == [.putOff])
    }

    @Test("is none where an app prints that there was no error, or how many there were")
    func noCode() throws {
        for words in ["fetch finished, CKErrorDomain code=0", "last error CKErrorDomain (0)"] {
            #expect(try log(words).cause == nil, "\(words)")
        }
        let counted = try log("retry after CKErrorDomain, 3 attempts left")
        #expect(!counted.entries.contains { $0.error.fault.id == "network-unavailable" })
    }

    @Test("is one whose clock was set back while the app was started again")
    func restarted() throws {
        func log(_ later: Int) throws -> MirrorLog {
            let records = [
                Self.record(20, Self.good), Self.record(30, Self.good), Self.record(40, Self.good),
                Self.record(11, Self.failed, of: later), Self.record(12, Self.failed, of: later),
            ]
            return try self.log(records.joined(separator: "\n"))
        }
        let back = try log(700)
        #expect(back.cause?.error.fault.id == "quota-exceeded" && back.story.isOutOfOrder)
        // The number of an earlier process: somebody has put an older log below a newer one.
        let older = try log(300)
        #expect(older.cause == nil && older.isSorted)
    }

    @Test("is one that lost messages after the last success")
    func lost() throws {
        for loss in [
            "2026-11-20 08:14:30.000000+0100  localhost kernel[0]: lost >=57 unreliable messages from 08:14:20 to 08:14:29",
            "=== Messages dropped during live streaming (use `log show` to see what they were)",
            Self.record(30, "QUARANTINED DUE TO HIGH LOGGING VOLUME"),
        ] {
            let end = try log([Self.record(20, Self.good), loss].joined(separator: "\n"))
            #expect(end.cause?.error.fault.id == "messages-lost", "\(loss)")
            let middle = try log([loss, Self.record(40, Self.good)].joined(separator: "\n"))
            #expect(middle.cause == nil && middle.entries.map(\.error.fault.id) == ["messages-lost"], "\(loss)")
        }
        let event = #"{"eventType": "lossEvent", "lossCount": 57, "processID": 0}"#
        #expect(try log(event).cause?.error.fault.id == "messages-lost")
    }

    @Test("is one in which the app printed an error by itself, behind a message that asks for none")
    func printedAlone() throws {
        let idle = "\(Self.words)<NSCloudKitMirroringDelegate: 0x1>: No more requests to execute."
        for error in [
            "Error Domain=CKErrorDomain Code=25 \"Quota exceeded\"", "<CKError 0x1: \"Quota Exceeded\" (25/2035)>",
        ] {
            let log = try log("\(Self.good)\n\(idle)\n\(error)\n")
            #expect(log.cause?.error.fault.id == "quota-exceeded", "\(error)")
        }
        let asked = try log(
            "\(Self.words)Failed to set up CloudKit integration for store: <X: 0x1>\nError Domain=CKErrorDomain Code=25"
        )
        #expect(asked.events.count == 1 && asked.cause?.error.fault.id == "quota-exceeded")
    }

    @Test(
        "is one in which the mirror recovers from an error that is hidden or cut away",
        arguments: ["<private>", "<mask.hash: 'x'>", "", "…"])
    func hiddenRecovery(_ error: String) throws {
        let words = "<NSCloudKitMirroringDelegate: 0x1> - Attempting recovery from error: "
        let log = try log("\(Self.good)\n\(Self.words)\(words)\(error)\n")
        #expect(log.cause?.error.fault == .hiddenReason)
    }

    /// The success of a request of its own.
    private static func good(_ number: Int) -> String {
        good.replacing("Request: 0x1>", with: "Request: 0x\(number)> 00000000-AAAA-4BBB-8CCC-00000000000\(number)")
    }

    @Test("is one from which somebody left lines out after the last success")
    func gap() throws {
        for gap in ["[... 300 lines omitted ...]", "<snip>", "... (log truncated)", "--- 57 more lines removed ---"] {
            let (good, next) = (Self.good(1), Self.good(2))
            for (good, next) in [(Self.record(20, good), Self.record(40, next)), (good, next)] {
                let end = try log("\(good)\n\(gap)\n")
                #expect(end.cause?.error.fault == .linesLeftOut, "\(gap)")
                let middle = try log("\(good)\n\(gap)\n\(next)\n")
                #expect(middle.cause == nil && middle.hasSuccess, "\(gap)")
            }
        }
        #expect(try log(Self.record(20, Self.good) + "\n300 lines of another app\n").cause == nil)
    }

    @Test(
        "is one in which the account was gone after the last success",
        arguments: [
            ("No Account", "not-signed-in"), ("Restricted", "account-restricted"),
            ("Temporarily Unavailable", "account-unavailable"), ("Could Not Determine", "account-unavailable"),
        ])
    func account(_ status: String, _ id: String) throws {
        func info(_ status: String) -> String {
            "\(Self.words)Fetched account info for store 3E7C1D40-1111-4222-8333-6F5A4B3C2D1E: <CKAccountInfo: 0x1; "
                + "accountStatus=\(status), deviceToDeviceEncryptionAvailability=[]>"
        }
        let gone = try log([Self.record(20, Self.good), Self.record(30, info(status))].joined(separator: "\n"))
        #expect(gone.cause?.error.fault.id == id)
        let back = [Self.record(20, info(status)), Self.record(30, info("Available")), Self.record(40, Self.good)]
        #expect(try log(back.joined(separator: "\n")).cause == nil)
    }

    @Test("is one whose records are in a list in an object, or whose text is in one")
    func wrapped() throws {
        func object(_ message: String) -> JSONValue {
            ["date": "2026-11-20T08:14:00Z", "composedMessage": message, "process": "USB Meter"]
        }
        let objects: [JSONValue] = [object(Self.good), object(Self.failed)]
        let text = "CoreData: \(Self.good)\nCoreData: error: \(Self.failed)\n"
        for wrapped: JSONValue in [
            ["entries": objects], ["log": ["of": "an app", "records": objects] as JSONValue], ["log": text],
            ["message": "a log", "entries": objects], ["device": "iPhone", "texts": [text]],
        ] {
            for pretty in [true, false] {
                let log = try log(wrapped.text(pretty: pretty))
                #expect(log.entries.map(\.error.fault.id) == ["quota-exceeded"], "\(wrapped)")
                #expect(log.entries.map(\.count) == [1] && log.cause != nil, "\(wrapped)")
            }
        }
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
