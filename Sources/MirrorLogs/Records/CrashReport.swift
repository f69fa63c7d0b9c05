internal import CoreDataStore
internal import JSON
internal import Texts

/// What an `.ips` says of why an app ended: two JSON documents, a line about the report and the report itself.
struct CrashReport {
    /// Bytes of a report; the largest that are known have a few million.
    static let longest = 1 << 24

    /// When, as the report has it, by which process, and the sentences of the system and of the exception.
    private let time: String
    private let process: String
    let reasons: [String]

    /// Whether a file is one, as its first bytes show.
    static func begins(_ start: [UInt8]) -> Bool {
        [#"{"app_name":"#, #"{"bug_type":"#].contains { start.starts(with: $0.utf8) }
    }

    /// Nil for what is no whole report.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0x0A),
            let report = try? JSONTree(parsing: Array(bytes[(end + 1)...]), limits: nil).top.value
        else { return nil }
        var reasons: [String] = []
        if let reason = report["exceptionReason"]?["composed_message"]?.string { reasons.append(reason) }
        if case .object(let libraries)? = report["asi"] {
            for library in libraries {
                guard case .array(let sentences) = library.value else { continue }
                reasons += sentences.compactMap(\.string)
            }
        }
        if let frame = Self.frame(of: report) { reasons.append("crashed in CoreData's mirror: \(frame)") }
        self.reasons = reasons
        process = report["procName"]?.string ?? ""
        time = report["captureTime"]?.string ?? ""
    }

    /// The function of the mirror in which the app ended, or the queue; nil where that was elsewhere.
    private static func frame(of report: JSONValue) -> String? {
        func elements(_ value: JSONValue?) -> [JSONValue] {
            if case .array(let elements)? = value { elements } else { [] }
        }
        let thread = elements(report["threads"]).first { $0["triggered"] == .bool(true) }
        let frames = elements(report["lastExceptionBacktrace"]) + elements(thread?["frames"])
        return (frames.map { $0["symbol"]?.string } + [thread?["queue"]?.string]).compactMap(\.self).first { name in
            ["PFCloudKit", "NSCloudKitMirroring"].contains(where: name.contains)
        }
    }

    /// Of a line with an error that nobody may pass over.
    private static let level = "CoreData: fault: "

    /// Whether something of what it says is about the mirror.
    var isOfMirror: Bool {
        reasons.contains { reason in
            var reason = reason
            return reason.withUTF8 { LogRecord.words.firstWord(in: $0, from: 0) != nil }
        }
    }

    /// As lines of a log.
    var lines: [UInt8] {
        // A zone stands apart from the time here, and a log has it behind the fraction.
        let moment = time.replacing(" +", with: "+").replacing(" -", with: "-")
        // Whatever the words are, the app has ended for it.
        return Array(reasons.map { "\(moment) \(process)[1] \(Self.level)\($0)\n" }.joined().utf8)
    }
}
