import CoreDataStore
import Foundation
import JSON
import MeterModel
import Testing

@testable import MirrorLogs

@Suite("a log")
struct MirrorLogTests {
    @Test("says what is expected of it", arguments: LogCase.all)
    func inputs(_ sample: LogCase) throws {
        guard sample.wanted["exit"]?.number != 65 else {
            let error = #expect(throws: StoreError.self) { try MirrorLog(path: sample.path) }
            #expect(error?.kind == .damaged)
            return
        }
        let log = try MirrorLog(path: sample.path)
        #expect(LogSummary(log) == LogSummary(wanted: sample.wanted))
        #expect((log.story.recognised > 0) == (sample.wanted["recognised"] == .bool(true)))
        #expect((log.cause != nil) == (sample.wanted["exit"]?.number == 1))
        guard case .array(let span)? = sample.wanted["span"] else { return }
        #expect([log.story.first, log.story.last].map { $0?.iso8601 } == span.map(\.string))
    }

    /// Logs with messages of several lines, in each form.
    private static let forms = ["03", "04", "05", "09", "10", "12", "18", "37", "38", "42"]

    @Test("says the same wherever the parts end in which it is read", arguments: forms)
    func parts(_ name: String) throws {
        let bytes = try #require(LogCase.named(name)).bytes()
        let layout = LogLayout(bytes)
        func messages(_ size: Int) -> ([[UInt8]], Int) {
            var found: [[UInt8]] = []
            let parts = stride(from: 0, to: bytes.count, by: size).map {
                Array(bytes[$0..<min($0 + size, bytes.count)])
            }
            if layout.isJSON {
                var objects = LogObjects()
                for part in parts { objects.add(part) { found.append($0.bytes) } }
                return (found, objects.lines)
            }
            var lines = LogLines(layout)
            for part in parts.map(Optional.some) + [nil] { lines.add(part) { found.append($0.bytes) } }
            return (found, lines.lines)
        }
        let whole = messages(bytes.count)
        for size in [1, 7, 64, 1_000, 4_096] { #expect(messages(size) == whole, "\(size)") }
    }

    @Test(
        "says the same where it was copied from behind the indentation of its first line",
        arguments: ["02", "03", "04", "05", "10", "12", "18", "38", "42"], [" ", "    "])
    func firstLine(_ name: String, _ indentation: String) throws {
        let sample = try #require(LogCase.named(name))
        let text = String(decoding: try sample.bytes(), as: UTF8.self).replacing("\n", with: "\n\(indentation)")
        for copy in [text, "/*\n\(indentation)\(text)\n*/"] {
            #expect(
                try LogSummary(MirrorLog(bytes: Array(copy.utf8), name: "console.log"))
                    == LogSummary(wanted: sample.wanted))
        }
    }

    @Test(
        "has errors as people shorten them",
        arguments: [
            ("CKError \"Server Rejected Request\" (15/2000)", "server-rejected"),
            ("CKErrorDomain Code=25 (CKErrorQuotaExceeded)", "quota-exceeded"),
            ("CKError … server message = \"Cannot create new type CD_A in production schema\"", "schema-not-deployed"),
        ])
    func shortened(_ text: String, _ id: String) throws {
        let log = try MirrorLog(bytes: Array("setup failed: \(text)\n".utf8), name: "mail")
        #expect(log.cause?.error.fault.id == id)
    }

    @Test("says the same in every encoding and with every kind of line end", arguments: ["03", "10", "18", "42"])
    func encodings(_ name: String) throws {
        let sample = try #require(LogCase.named(name))
        let bytes = try sample.bytes()
        let text = String(decoding: bytes, as: UTF8.self)
        let wanted = LogSummary(wanted: sample.wanted)
        func units(_ isBigEndian: Bool) -> [UInt8] {
            text.utf16.flatMap {
                isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
            }
        }
        let copies: [[UInt8]] = [
            [0xEF, 0xBB, 0xBF] + bytes, [0xFF, 0xFE] + units(false), [0xFE, 0xFF] + units(true), units(false),
            units(true),
            Array(text.replacing("\n", with: "\r\n").utf8), Array(text.replacing("\n", with: "\r").utf8),
            // What Latin-1 has in the place of letters is no UTF-8.
            [0x4D, 0xFC, 0x6C, 0x6C, 0x65, 0x72, 0x0A] + bytes + [0xE9, 0x0A],
            Array(
                text.split(separator: "\n", omittingEmptySubsequences: false).map { "> \($0)" }.joined(separator: "\n")
                    .utf8),
            Array(
                text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(
                    separator: "\n"
                ).utf8),
        ]
        for (number, copy) in copies.enumerated() {
            #expect(try LogSummary(MirrorLog(bytes: copy, name: "console.log")) == wanted, "\(number)")
        }
    }

    @Test(
        "says the same in a mail that has broken its lines",
        arguments: ["01", "02", "03", "04", "06", "12", "13", "18", "21"])
    func brokenLines(_ name: String) throws {
        let sample = try #require(LogCase.named(name))
        let text = String(decoding: try sample.bytes(), as: UTF8.self)
        var lines: [String] = ["On 20 Nov 2026 a customer wrote:"]
        for line in text.split(separator: "\n") {
            var broken = "> "
            for word in line.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
                if broken.count > 2, broken.count + word.count > 74 {
                    lines.append(broken)
                    broken = "> "
                }
                broken += (broken.count > 2 ? " " : "") + word
            }
            lines.append(broken)
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        #expect(try LogSummary(MirrorLog(bytes: bytes, name: "mail.txt")) == LogSummary(wanted: sample.wanted))
    }

    @Test("without dates is read in a mail that has broken its lines, too")
    func brokenLinesWithoutDates() throws {
        let own = """
            export failed: The operation couldn’t be completed. (CKErrorDomain error
            25.)
            export failed: The operation couldn’t be completed. (CKErrorDomain error
            25.)
            """
        let errors = try MirrorLog(bytes: Array(own.utf8), name: "mail.txt").entries
        #expect(errors.map(\.error.fault.id) == ["quota-exceeded"] && errors.map(\.count) == [2])
        let twice = """
            CoreData: debug: CoreData+CloudKit: -[NSCloudKitMirroringDelegate
            observeChangesForStore:inPersistentStoreCoordinator:](429):
            <NSCloudKitMirroringDelegate: 0x60000311c240>: Observing store: <NSSQLCore:
            0x11f80a2d0> (URL: file:///var/mobile/CKModel.sqlite)
            BUG IN CLIENT OF CLOUDKIT: Registering a handler for a CKScheduler activity
            identifier that has already been registered
            (com.apple.coredata.cloudkit.activity.export.3E7C1D40-1111-4222-8333-6F5A4B3C2D1E).
            CoreData: error: CoreData+CloudKit: -[NSCloudKitMirroringDelegate
            tearDown:]_block_invoke(806): <NSCloudKitMirroringDelegate: 0x60000311c240>:
            Told to tear down with reason: Error NSCocoaErrorDomain:134422
            """
        let entries = try MirrorLog(bytes: Array(twice.utf8), name: "mail.txt").entries
        #expect(entries.map(\.error.fault.id) == ["mirrored-twice"] && entries.map(\.count) == [2])
    }

    @Test("is the same in the source of a mail, however that is encoded", arguments: ["03", "05", "18", "42"])
    func mails(_ name: String) throws {
        let sample = try #require(LogCase.named(name))
        let log = try sample.bytes()
        var quoted = ""
        for line in log.split(separator: 0x0A, omittingEmptySubsequences: false) {
            var column = 0
            for byte in line {
                let isPlain = (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "=")
                let text = isPlain ? String(UnicodeScalar(byte)) : "=" + Hexadecimal.text(of: [byte]).uppercased()
                column += text.count
                if column > 75 { (quoted, column) = (quoted + "=\r\n", text.count) }
                quoted += text
            }
            quoted += "\r\n"
        }
        let base64 = Data(log).base64EncodedString(options: .lineLength76Characters)
        func part(_ type: String, _ encoding: String, _ text: String) -> String {
            "Content-Type: \(type)\r\nContent-Transfer-Encoding: \(encoding)\r\n\r\n\(text)\r\n"
        }
        let head = "From: Ana <ana@example.org>\r\nSubject: the log\r\nMIME-Version: 1.0\r\n"
        let page = part("text/html; charset=utf-8", "quoted-printable", quoted)
        let picture = part("image/png", "base64", "iVBORw0KGgoAAAANSUhEUgAA")
        let mixed = { (parts: [String]) in
            head + "Content-Type: multipart/mixed;\r\n boundary=\"=_b1\"\r\n\r\n--=_b1\r\n"
                + parts.joined(separator: "--=_b1\r\n") + "--=_b1--\r\n"
        }
        let wanted = LogSummary(wanted: sample.wanted)
        for mail in [
            head + part("text/plain; charset=utf-8", "quoted-printable", quoted),
            head + part("text/plain", "base64", base64),
            mixed([part("text/plain", "quoted-printable", quoted), page, picture]),
            mixed([part("text/plain", "7bit", "Here it is."), part("application/octet-stream", "base64", base64)]),
            quoted,
        ] {
            #expect(
                try LogSummary(MirrorLog(bytes: Array(mail.utf8), name: "mail.eml")) == wanted, "\(mail.prefix(300))")
        }
    }

    @Test("is read as far as it goes, wherever it was cut", arguments: ["03", "09", "20", "35", "38"])
    func cut(_ name: String) throws {
        let bytes = try #require(LogCase.named(name)).bytes()
        for end in stride(from: 0, through: bytes.count, by: 211) {
            let log = try MirrorLog(bytes: Array(bytes[..<end]), name: "console.log")
            #expect(log.lines <= bytes.count)
        }
    }

    @Test("can have lines of any length, and lines about anything else between")
    func longLines() throws {
        let sample = try #require(LogCase.named("03"))
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000)
        let other = Array("2026-11-20 08:14:00.000000+0100 0x1 Default 0x0 1 0 kernel: nothing\n".utf8)
        let bytes = long + [0x0A] + Array(repeating: other, count: 20_000).joined() + (try sample.bytes()) + long
        let log = try MirrorLog(bytes: bytes, name: "console.log")
        #expect(LogSummary(log) == LogSummary(wanted: sample.wanted))
        #expect(log.lines == 1 + 20_000 + 41 + 1)
    }

    @Test("that is no text is called what it is, with the command that makes text of it")
    func refusals() throws {
        func refusal(_ bytes: [UInt8], _ name: String) -> StoreError? {
            #expect(throws: StoreError.self) { try MirrorLog(bytes: bytes, name: name) }
        }
        let tracev3 = refusal([0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00, 0x01], "0001")
        #expect(tracev3?.message == "a part of a log archive, not text")
        #expect(tracev3?.hint?.contains("log show --archive") == true)
        #expect(refusal(Array("text".utf8), "a.tracev3")?.kind == .damaged)
        let page = refusal(
            Array("<!DOCTYPE html><pre>&lt;CKError 0x1: &quot;Quota Exceeded&quot; (25/2035)".utf8), "log.html")
        #expect(page?.message == "an HTML page, not the text of a log")
        #expect(
            refusal(Array(#"{"app_name":"USB Meter"}"#.utf8), "a.ips")?.message
                == "the report of a crash, not a log, and it says nothing of CloudKit's mirror")
        #expect(refusal([0x50, 0x4B, 0x03, 0x04, 0, 0], "a.zip")?.message == "a ZIP archive, not the text of a log")
        #expect(refusal(Array("CoreData: error\0\n".utf8), "a.log")?.message == "not text: the byte at 15 is 0")
        let missing = #expect(throws: StoreError.self) { try MirrorLog(path: "/nowhere/console.log") }
        #expect(missing?.kind == .notFound)
    }

    @Test("of another app is explained too, and the lines of several apps are told apart")
    func apps() throws {
        let text = try String(decoding: #require(LogCase.named("03")).bytes(), as: UTF8.self)
        let other = text.replacing("USB Meter", with: "Planner").replacing(
            "ro.xdev.USB-Meter", with: "org.example.planner")
        let log = try MirrorLog(bytes: Array(other.utf8), name: "console.log")
        #expect(log.cause?.error.fault.id == "quota-exceeded")
        #expect(log.story.container == "iCloud.org.example.planner")
        #expect(log.story.processes == ["Planner"])
        let own = try String(decoding: #require(LogCase.named("44")).bytes(), as: UTF8.self)
        let both = try MirrorLog(bytes: Array((other + own).utf8), name: "console.log")
        #expect(both.otherProcesses == ["Planner"])
        #expect(both.events.count == 2)
    }

    @Test("that was made to have errors and processes without number is counted whole, and kept in part")
    func different() throws {
        let lines = (0..<6_000).map {
            """
            2026-11-20 08:14:00.000000+0100 localhost App\($0)[1]: (CoreData) [com.apple.coredata:CloudKit] \
            CoreData+CloudKit: -[NSCloudKitMirroringDelegate x](1): Export failed with error: \
            Error Domain=NSCocoaErrorDomain Code=\(200_000 + $0) "x"

            """
        }
        let log = try MirrorLog(bytes: Array(lines.joined().utf8), name: "console.log")
        #expect(log.entries.map(\.count) == [6_000])
        #expect(log.story.errors.count < 5_010)
    }

    @Test("with more errors in one message than CloudKit can report is read as far as it can")
    func list() throws {
        let error = "A:(zone) = <CKError 0x1: \"Quota Exceeded\" (25/2035)>\n"
        let text = """
            2026-11-20 08:14:00.000000+0100 localhost App[1]: (CoreData) [com.apple.coredata:CloudKit] \
            CoreData+CloudKit: -[NSCloudKitMirroringDelegate x](1): Export failed with error: \
            <CKError 0x1: "Partial Failure" (2/1011); partial errors: {

            """
        let log = try MirrorLog(
            bytes: Array((text + String(repeating: error, count: 3_000) + "}>\n").utf8), name: "console.log")
        #expect(log.cause?.error.fault.id == "quota-exceeded")
        #expect(log.story.details["quota-exceeded"]?.records == 999)
    }

    @Test("of many requests keeps the last ones, and counts the others")
    func many() throws {
        let start =
            "CoreData: CloudKit: CoreData+CloudKit: -[NSCloudKitMirroringDelegate checkAndExecuteNextRequest](1): "
        let lines = (0..<50_010).map {
            "\(start)<NSCloudKitMirroringDelegate: 0x1>: Executing: <NSCloudKitMirroringExportRequest: 0x1> \(UUID(number: $0))\n"
        }
        let log = try MirrorLog(bytes: Array(lines.joined().utf8), name: "console.log")
        #expect(log.story.leftOut == 10)
        #expect(log.events.count == 50_000)
    }
}

extension UUID {
    fileprivate init(number: Int) {
        self.init(
            uuid: (
                0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(number >> 16), UInt8(number >> 8 & 0xFF),
                UInt8(number & 0xFF)
            ))
    }
}

@Suite("the lines of a message")
struct LogJoinedLinesTests {
    /// Byte by byte, what eight bytes at a time have to give, too.
    private static func joined(_ lines: [[UInt8]]) -> [UInt8] {
        lines.joined(separator: [0x20]).reduce(into: []) { joined, byte in
            let isSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
            if !isSpace || joined.last != 0x20 { joined.append(isSpace ? 0x20 : byte) }
        }
    }

    @Test("have every white space as one space", arguments: 1..<300)
    func spaces(_ seed: UInt64) {
        var state = seed
        func next(below count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        let letters: [UInt8] = [0x20, 0x20, 0x09, 0x0A, 0x61, 0x62, 0x1F, 0x21, 0xA0, 0xC3, 0x7B, 0x00]
        let lines = (0...next(below: 3)).map { _ in
            // Of many letters few are spaces.
            (0..<next(below: 60)).map { _ in letters[next(below: 2) == 0 ? 4 : next(below: letters.count)] }
        }
        var message = LogJoinedLines()
        for line in lines { line.withUnsafeBufferPointer { message.add($0[...]) } }
        #expect(message.bytes == Self.joined(lines))
        #expect(message.lines == lines.count)
        #expect(message.tabs.allSatisfy { message.bytes[$0] == 0x20 } && message.tabs.count <= 3)
    }
}
