import CoreDataStore
import JSON
import MeterModel
import Testing

@testable import MirrorLogs

@Suite("the layout of a log")
struct LogLayoutTests {
    private func log(_ text: String) throws -> MirrorLog { try MirrorLog(bytes: Array(text.utf8), name: "console.log") }

    @Test("does not change what it says", arguments: LogWriter.all)
    func same(_ writer: LogWriter) throws {
        let log = try log(writer.text(of: LogSentence.story))
        let summary = LogSummary(log)
        #expect(summary.entries == [LogSummary.Entry(id: "quota-exceeded", count: 1, isOvercome: false)])
        #expect(summary.cause == "quota-exceeded")
        #expect(summary.container == "iCloud.ro.xdev.USB-Meter")
        #expect(summary.events == ["setup succeeded": 1, "export failed": 1, "import succeeded": 1])
        #expect(log.story.details["quota-exceeded"]?.records == 2)
        #expect(log.otherProcesses == (writer.hasProcesses ? ["Planner"] : []))
        guard writer.hasTimes else { return }
        #expect(log.story.first?.iso8601 == "2026-11-20T07:14:00.250000Z")
        #expect(log.story.last?.iso8601 == "2026-11-20T07:14:02.500000Z")
        let export = log.events.first { $0.kind == "export" }
        #expect(export?.from?.iso8601 == "2026-11-20T07:14:01.250000Z")
        #expect(export?.to?.iso8601 == "2026-11-20T07:14:01.750000Z")
    }

    /// Each with a process before its message, and a way to write the first line.
    private static let prefixes: [@Sendable (String, Int) -> String] = [
        { "Nov 20 08:00:00.137031 \($0)(CoreData)[\($1)] <Notice>: " },
        { "Nov 20 08:00:00 \($0)[\($1)] <Notice>: " },
        { "[2026-11-20 08:00:00.137] [Error] \($0)[\($1)]: " },
        { name, _ in "[2026-11-20 08:00:00.137] [Error] \(name): " },
        { "[2026-11-20 08:00:00.137] \($0)[\($1)]: " },
    ]

    @Test("tells two apps apart, whatever is before a process and its number", arguments: prefixes.indices)
    func apps(_ index: Int) throws {
        let words = "CoreData+CloudKit: -[NSCloudKitMirroringDelegate export:](1): <X: 0x1>: "
        let (app, other) = (Self.prefixes[index]("USB Meter", 523), Self.prefixes[index]("Notes", 99))
        let failed = "\(words)Export failed with error:\n<CKError 0x6: \"Quota Exceeded\" (25/2035)>\n"
        let log = try log("\(app)\(failed)\(other)\(words)Finished export: <X: 0x1>\n")
        #expect(log.cause?.error.fault.id == "quota-exceeded" && log.otherProcesses == ["Notes"])
    }

    @Test("does not change what it says in a block of code of a page")
    func codeOfPage() throws {
        let words = "CoreData+CloudKit: -[NSCloudKitMirroringDelegate export:](1): <X: 0x1>: "
        func line(_ second: Int, _ process: String, _ text: String) -> String {
            "2026-11-20 08:00:0\(second).1+0100  localhost \(process)[5]: (CoreData) [com.apple.coredata:CloudKit] "
                + words + text
        }
        let failed = line(0, "USB Meter", "Export failed with error:\n<CKError 0x6: \"Quota Exceeded\" (25/2035)>")
        for tag in ["<pre>", "<pre class=\"log\"><code>"] {
            let log = try log("\(tag)\(failed)\n\(line(1, "Notes", "Finished export: <X: 0x1>"))</pre>\n")
            #expect(log.cause?.error.fault.id == "quota-exceeded" && log.otherProcesses == ["Notes"], "\(tag)")
        }
    }

    @Test("does not change what it says where the parts end in which it is read", arguments: LogWriter.all)
    func parts(_ writer: LogWriter) throws {
        let bytes = Array(writer.text(of: LogSentence.story).utf8)
        for size in [1, 97] {
            var place = 0
            let log = try MirrorLog(name: "console.log") {
                defer { place += size }
                return place < bytes.count ? Array(bytes[place..<min(place + size, bytes.count)]) : nil
            }
            #expect(LogSummary(log).cause == "quota-exceeded")
            #expect(LogSummary(log).events == ["setup succeeded": 1, "export failed": 1, "import succeeded": 1])
        }
    }

    @Test("does not change what it says where somebody has written above and below it", arguments: LogWriter.all)
    func surroundings(_ writer: LogWriter) throws {
        let text = writer.text(of: LogSentence.story)
        for (above, below) in [
            ("```\n", "```\n"), ("Filtering the log data using \"x == 1\"\n", ""), ("", "ana@mac ~ %\n"),
        ] {
            let log = try log(above + text + (text.hasSuffix("\n") ? "" : "\n") + below)
            #expect(LogSummary(log).cause == "quota-exceeded", "\(above)")
            #expect(LogSummary(log).events == ["setup succeeded": 1, "export failed": 1, "import succeeded": 1])
            #expect(log.otherProcesses == (writer.hasProcesses ? ["Planner"] : []))
        }
    }

    @Test("may be a table that has no line feeds")
    func returns() throws {
        for writer in LogWriter.all where !writer.heading.isEmpty && writer.heading.contains("rocess") {
            let text = writer.text(of: LogSentence.story.filter { !$0.text.contains("\n") })
            let below = try log("Hello,\n\n" + text.replacing("\n", with: "\r"))
            #expect(LogSummary(below).events == LogSummary(try log(text)).events, "\(writer.name)")
            #expect(
                LogSummary(try log(text.replacing("\n", with: "\r"))) == LogSummary(try log(text)), "\(writer.name)")
        }
    }

    @Test("may have the newest message first, or a newer part above an older one")
    func order() throws {
        for writer in LogWriter.all where writer.hasTimes && writer.separator == "\n" {
            let rows = LogSentence.story.map { [$0] }
            for order in [Array(rows.reversed()), Array(rows[7...] + rows[..<7])] {
                let shuffled = try log(writer.text(of: order.flatMap(\.self)))
                #expect(
                    LogSummary(shuffled).events == ["setup succeeded": 1, "export failed": 1, "import succeeded": 1])
                #expect(LogSummary(shuffled).cause == "quota-exceeded", "\(writer.name)")
            }
        }
    }

    @Test("in which the failure comes last in time, and first in the file, is no all-clear")
    func newest() throws {
        func sentence(_ second: Double, _ succeeded: Bool) -> LogSentence {
            LogSentence(
                second: second, process: "USB Meter", level: "CloudKit",
                text: """
                    CoreData+CloudKit: -[X y:](1): Finished request: <NSCloudKitMirroringExportRequest: 0x1> \
                    00000000-AAAA-4BBB-8CCC-00000000000\(Int(second)) with result: <NSCloudKitMirroringResult: 0x1> success: \
                    \(succeeded ? 1 : 0) error: \(succeeded ? "(null)" : "Error Domain=CKErrorDomain Code=25 \"x\"")
                    """)
        }
        let writer = try #require(LogWriter.all.first)
        let newest = try log(writer.text(of: [sentence(8, false), sentence(1, true)]))
        #expect(newest.cause?.error.fault.id == "quota-exceeded" && newest.isSorted)
        let oldest = try log(writer.text(of: [sentence(8, true), sentence(1, false)]))
        #expect(oldest.cause == nil && oldest.entries.map(\.isOvercome) == [true])
    }

    @Test("of a log too long to be sorted is no all-clear, however small its steps back are")
    func long() throws {
        let writer = try #require(LogWriter.all.first)
        func sentence(_ second: Double, _ words: String) -> LogSentence {
            LogSentence(
                second: second, process: "USB Meter", level: "CloudKit", text: "CoreData+CloudKit: -[X y:](1): \(words)"
            )
        }
        // Each as long as a message may be; nine seconds in steps of less than a tenth.
        let padding = "Observing store: " + String(repeating: "x", count: 200_000)
        let idle = (1..<100).map { sentence(9 - Double($0) / 12, padding) }
        let failed = sentence(9, "Export failed with error: Error Domain=CKErrorDomain Code=25 \"x\"")
        let newest = try log(writer.text(of: [failed] + idle + [sentence(0, "Finished export: <X: 0x1>")]))
        #expect(newest.cause?.error.fault.id == "quota-exceeded" && newest.story.isOutOfOrder)
        let oldest = try log(
            writer.text(
                of: [failed] + (1..<100).map { _ in sentence(9, padding) } + [sentence(9.5, "Finished export: <X>")]))
        #expect(oldest.cause == nil && !oldest.story.isOutOfOrder)
    }

    @Test("without days in which the time runs back is no all-clear")
    func clocks() throws {
        let writer = try #require(LogWriter.all.first { $0.name == "Console" })
        func line(_ minute: Int, _ words: String) -> String {
            writer.record(LogSentence(second: 0, process: "USB Meter", level: "CloudKit", text: words))
                .replacing("08:14", with: "08:\(minute)")
        }
        let failed = "CoreData+CloudKit: -[X y:](1): Export failed with error: Error Domain=CKErrorDomain Code=25 \"x\""
        let good = "CoreData+CloudKit: -[X y:](1): Finished export: <X: 0x1>"
        let lines = [line(30, failed), line(31, failed), line(32, failed), line(20, good), line(21, good)]
        let log = try log(lines.joined(separator: "\n"))
        #expect(log.cause?.error.fault.id == "quota-exceeded" && log.story.isOutOfOrder)
        #expect(log.next.contains { $0.description.contains("run backwards") })
    }

    @Test("in which lines with and without a day alternate is no all-clear where those with one run back")
    func alternating() throws {
        func log(_ seconds: [Int]) throws -> MirrorLog {
            let words = seconds.enumerated().map { number, second in
                let result =
                    number == 0
                    ? "Export failed with error: Error Domain=CKErrorDomain Code=25" : "Finished export: <X>"
                return """
                    2026-11-20 08:14:0\(second).000000+0100  localhost USB Meter[523]: (CoreData) CoreData+CloudKit: -[X y:](1): \
                    \(result)
                    info\t08:14:0\(number).000000+0100\tUSB Meter\tCoreData+CloudKit: -[X y:](1): Observing store: <X>
                    """
            }
            return try self.log(words.joined(separator: "\n"))
        }
        let back = try log([9, 5, 1])
        #expect(back.cause?.error.fault.id == "quota-exceeded" && back.story.isOutOfOrder)
        let on = try log([1, 5, 9])
        #expect(on.cause == nil && !on.story.isOutOfOrder)
    }
}
