import Foundation
import JSON
import MeterModel
import Testing

/// A message of a log, before any program has put it into a layout.
struct LogSentence: Sendable {
    /// Seconds after 08:14:00 on 20 November 2026, one hour ahead of UTC.
    let second: Double
    let process: String
    let level: String
    let text: String

    /// Setup, an export that fails for want of room, and an import; between them, another app whose schema is missing.
    static let story: [LogSentence] = [
        began(0.25, "DelegateSetup", 1),
        LogSentence(
            second: 0.5, process: own, level: "warning",
            text: "\(words)Successfully set up CloudKit integration for store (\(store)): <NSSQLCore: 0x1>"),
        finished(0.75, "DelegateSetup", 1, error: nil),
        LogSentence(
            second: 1, process: "Planner", level: "error",
            text: """
                \(words)Export failed with error: \
                <CKError 0x1: "Invalid Arguments" (12/2006); server message = "Cannot create new type CD_Plan in \
                production schema"; container ID = "iCloud.org.example.planner">
                """),
        began(1.25, "Export", 2),
        LogSentence(
            second: 1.5, process: own, level: "error",
            text: """
                \(words)Export failed with error:
                <CKError 0x600000c3bb00: "Partial Failure" (2/1011); "Failed to modify some records"; container ID = \
                "iCloud.ro.xdev.USB-Meter"; partial errors: {
                \tA1111111:(com.apple.coredata.cloudkit.zone:__defaultOwner__) = <CKError 0x1: "Quota Exceeded" \
                (25/2035); server message = "Quota exceeded">
                \tA1111112:(com.apple.coredata.cloudkit.zone:__defaultOwner__) = <CKError 0x2: "Quota Exceeded" \
                (25/2035); server message = "Quota exceeded">
                }>
                """),
        finished(1.75, "Export", 2, error: "<CKError 0x3: \"Partial Failure\" (2/1011)>"),
        began(2.25, "Import", 3),
        finished(2.5, "Import", 3, error: nil),
    ]

    private static let own = "USB Meter"
    private static let store = "3E7C1D40-1111-4222-8333-6F5A4B3C2D1E"
    private static let words = """
        CoreData+CloudKit: -[NSCloudKitMirroringDelegate someMethod:](1492): <NSCloudKitMirroringDelegate: 0x60000311c240>: \

        """

    private static func id(_ number: Int) -> String { "0000000\(number)-AAAA-4BBB-8CCC-00000000000\(number)" }

    private static func began(_ second: Double, _ kind: String, _ number: Int) -> LogSentence {
        LogSentence(
            second: second, process: own, level: "CloudKit",
            text: "\(words)Executing: <NSCloudKitMirroring\(kind)Request: 0x1> \(id(number))")
    }

    private static func finished(_ second: Double, _ kind: String, _ number: Int, error: String?) -> LogSentence {
        LogSentence(
            second: second, process: own, level: "CloudKit",
            text: """
                \(words)Finished request: <NSCloudKitMirroring\(kind)Request: 0x1> \(id(number)) with result: \
                <NSCloudKitMirroringResult: 0x1> storeIdentifier: \(store) success: \(error == nil ? 1 : 0) madeChanges: 1 \
                error: \(error ?? "(null)")
                """)
    }
}

/// A program's way to write a log.
struct LogWriter: CustomTestStringConvertible, Sendable {
    let name: String
    /// Whether it says when with day and zone, and whose a message is.
    var hasTimes = true
    var hasProcesses = true
    var heading = ""
    var separator = "\n"
    var end = "\n"
    let record: @Sendable (LogSentence) -> String

    var testDescription: String { name }

    func text(of sentences: [LogSentence]) -> String {
        let own = hasProcesses ? sentences : sentences.filter { $0.process == "USB Meter" }
        return heading + own.map(record).joined(separator: separator) + end
    }

    static let all: [LogWriter] = [
        LogWriter(name: "log show", heading: "Timestamp                       Thread     Type        Activity\n") {
            "\(local($0))  0x1a2b3    \(type($0))       0x0                  523    0    \($0.process): (CoreData) \(own($0))"
        },
        LogWriter(name: "log show --style syslog") {
            "\(local($0)) localhost \($0.process)[523]: (CoreData) \(own($0))"
        },
        LogWriter(name: "log show --style compact", hasTimes: false) {
            "2026-11-20 \(clock($0).dropLast(3)) \($0.level == "error" ? "E " : "Df") \($0.process)[523:1a2b3] \(own($0))"
        },
        LogWriter(name: "NSLog") { "\(local($0)) \($0.process)[523:9911] [CloudKit] \($0.text)" },
        LogWriter(name: "Xcode", hasTimes: false, hasProcesses: false) { "CoreData: \($0.level): \($0.text)" },
        LogWriter(name: "Xcode, each error twice", hasTimes: false, hasProcesses: false) {
            ($0.level == "error" ? "error: \($0.text)\n" : "") + "CoreData: \($0.level): \($0.text)"
        },
        LogWriter(name: "Xcode with metadata") {
            """
            \($0.text)
            Type: \(type($0)) | Timestamp: 2026-11-20 \(clock($0))+01:00 | Process: \($0.process) | Library: CoreData | Subsystem: \
            com.apple.coredata | Category: CloudKit | TID: 0x1a2b3
            """
        },
        LogWriter(name: "Console", hasTimes: false) {
            "\($0.level == "error" ? "error" : "default")\t\(clock($0))+0100\t\($0.process)\t\($0.level): \($0.text)"
        },
        LogWriter(name: "idevicesyslog", hasTimes: false) {
            "Nov 20 \(clock($0)) \($0.process.replacing("Planner", with: "iPhone Planner"))(CoreData)[523] <\(type($0))>: \($0.text)"
        },
        LogWriter(name: "a device's relay", hasTimes: false) {
            "Nov 20 \(clock($0).prefix(8)) iPhone \($0.process)(CoreData)[523] <\(type($0))>: \($0.text)"
        },
        LogWriter(name: "pymobiledevice3", hasTimes: false) {
            "2026-11-20 \(clock($0)) \($0.process){CoreData}[523] <\(type($0).uppercased())>: \($0.text)"
        },
        LogWriter(name: "log show --style ndjson") { sentence in
            json([
                ("timestamp", local(sentence)), ("eventMessage", sentence.text), ("subsystem", "com.apple.coredata"),
                ("messageType", type(sentence)), ("processImagePath", "/x/\(sentence.process).app/\(sentence.process)"),
            ])
        },
        LogWriter(name: "log show --style json", heading: "[", separator: ",", end: "]\n") { sentence in
            json([
                ("timestamp", local(sentence)), ("eventMessage", sentence.text), ("subsystem", "com.apple.coredata"),
                ("messageType", type(sentence)), ("processImagePath", "/x/\(sentence.process).app/\(sentence.process)"),
            ])
        },
        LogWriter(name: "a reader of archives, JSON") { sentence in
            let nanoseconds = 1_795_158_840 * 1_000_000_000 + Int64(sentence.second * 1e9)
            let message = JSONValue.string(sentence.text).text(pretty: false)
            return """
                {"subsystem": "com.apple.coredata", "time": \(nanoseconds), "log_type": "\(type(sentence))", "process": \
                "/x/\(sentence.process).app/\(sentence.process)", "message": \(message)}
                """
        },
        LogWriter(
            name: "a reader of archives, CSV", heading: "Timestamp,Event Type,Log Type,Subsystem,Process,Message\n"
        ) {
            """
            \(utc($0)),Log,\(type($0)),com.apple.coredata,/x/\($0.process).app/\($0.process),\
            "\($0.text.replacing("\"", with: "\"\""))"
            """
        },
        LogWriter(name: "a reader of archives, tabs", heading: "message\tprocess\tdatetime\n") {
            "\"\($0.text.replacing("\"", with: "\"\""))\"\t\($0.process)\t\(utc($0))"
        },
        LogWriter(name: "a table with names of its own", heading: "time;app;what it says\n") {
            "\(utc($0));\($0.process);\"\($0.text.replacing("\"", with: "\"\""))\""
        },
        LogWriter(
            name: "a table in which all is quoted",
            heading: "\"Timestamp\",\"Process\",\"Subsystem\",\"Message\"\n"
        ) {
            "\"\(utc($0))\",\"\($0.process)\",\"com.apple.coredata\",\"\($0.text.replacing("\"", with: "\"\""))\""
        },
        LogWriter(name: "Docker") { sentence in
            let text = "\(local(sentence)) localhost \(sentence.process)[523]: (CoreData) \(own(sentence))"
            return text.split(separator: "\n", omittingEmptySubsequences: false).map {
                json([("log", "\($0)\n"), ("stream", "stdout"), ("time", "2026-11-25T10:00:00.123456789Z")])
            }.joined(separator: "\n")
        },
        LogWriter(name: "a framework around it") { sentence in
            let message = JSONValue.string(sentence.text).text(pretty: false)
            return """
                {"datetime": "\(utc(sentence).dropLast())+00:00", "message": \(message), "data": {"subsystem": \
                "com.apple.coredata", "process": "/x/\(sentence.process)", "raw_message": "%{public}@"}}
                """
        },
        LogWriter(name: "a date in brackets") { "[\(local($0))] \($0.process)[523:9911] \($0.level): \($0.text)" },
        LogWriter(name: "a terminal's colours") {
            "\u{1B}[32m\(local($0))\u{1B}[0m \u{1B}[1m\($0.process)\u{1B}[0m[523:9911] \u{1B}[31m\($0.level)\u{1B}[0m: \($0.text)"
        },
        LogWriter(name: "a test tool", hasTimes: false, hasProcesses: false) {
            "    t =     \($0.second)s CoreData: \($0.level): \($0.text)"
        },
        LogWriter(name: "one line", hasProcesses: true, separator: " ") {
            "\(local($0)) \($0.process)[523:9911] [CloudKit] \($0.text.replacing("\n", with: " "))"
        },
    ]

    private static func clock(_ sentence: LogSentence) -> String {
        let micros = Int(sentence.second * 1e6)
        return "08:14:0\(micros / 1_000_000).\(String(1_000_000 + micros % 1_000_000).dropFirst())"
    }

    private static func local(_ sentence: LogSentence) -> String { "2026-11-20 \(clock(sentence))+0100" }

    private static func utc(_ sentence: LogSentence) -> String { "2026-11-20T07\(clock(sentence).dropFirst(2))Z" }

    private static func type(_ sentence: LogSentence) -> String { sentence.level == "error" ? "Error" : "Default" }

    private static func own(_ sentence: LogSentence) -> String {
        "[com.apple.coredata:CloudKit] \(sentence.level): \(sentence.text)"
    }

    private static func json(_ members: [(String, String)]) -> String {
        JSONValue.object(members.map { JSONValue.Member($0.0, $0.1) }).text(pretty: false)
    }
}
