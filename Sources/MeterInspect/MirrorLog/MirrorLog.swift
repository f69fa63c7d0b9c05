package import CoreDataStore
internal import JSON
internal import MeterModel

/// What a log of Console, Xcode or a sysdiagnose says about CloudKit's mirror.
package struct MirrorLog {
    /// The app whose log it is where several apps write into one.
    private static let app = (process: "USB Meter", container: "iCloud.ro.xdev.USB-Meter")

    /// What it is called in answers.
    package let name: String
    /// Of the whole log.
    package let lines: Int
    package let story: LogStory
    /// Each error with how often, since when and until when, in the order in which they came.
    package let entries: [LogEntry]
    /// Processes whose lines were left out, because they are of other apps.
    package let otherProcesses: [String]

    /// Reads a log once, from start to end.
    /// - Parameter path: of a file or a pipe; `-` for standard input.
    /// - Throws: `StoreError`; `damaged` for what is no text, with the command that makes text of it.
    package init(path: String) throws(StoreError) {
        let isInput = path == "-"
        let input: FileInput
        if isInput {
            input = try FileInput(standardInput: "standard input")
        } else {
            guard let status = try FileStatus.named(path) else {
                throw StoreError(.notFound, at: path, "no such file", hint: "check the path of the log")
            }
            if let refusal = Self.refusal(of: path) { throw refusal }
            guard !status.isDirectory else {
                throw StoreError(.damaged, at: path, "a directory, not a log", hint: "name the file with the log")
            }
            input = try FileInput(path)
        }
        try self.init(name: isInput ? "standard input" : path) { () throws(StoreError) in
            try input.nextChunk(upTo: 1 << 20)
        }
    }

    /// Reads a log that is in memory.
    /// - Throws: `StoreError`, likewise.
    package init(bytes: [UInt8], name: String) throws(StoreError) {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        try self.init(name: name) { () throws(StoreError) in rest.take() }
    }

    private init(name: String, _ read: @escaping () throws(StoreError) -> [UInt8]?) throws(StoreError) {
        self.name = name
        var text = try LogText(name: name, read)
        var reading = Reading()
        var chunk = try text.next()
        let layout = LogLayout(chunk ?? [])
        if layout.isJSON {
            var objects = LogObjects()
            while let next = chunk {
                objects.add(next) { reading.add($0) }
                chunk = try text.next()
            }
            objects.add(nil) { reading.add($0) }
            lines = objects.lines
        } else {
            var cutter = LogLines(layout)
            while let next = chunk {
                cutter.add(next) { reading.add($0) }
                chunk = try text.next()
            }
            cutter.add(nil) { reading.add($0) }
            lines = cutter.lines
        }
        // The app's own lines alone, where there are any.
        story = reading.hasApp ? reading.ofApp : reading.ofAll
        entries = story.entries
        otherProcesses = reading.hasApp ? reading.ofAll.processes.filter { $0 != Self.app.process } : []
    }

    private struct Reading {
        /// What the app's lines tell, and what all lines tell: only as long as there are none of the app.
        var ofApp = LogStory()
        var ofAll = LogStory()
        var hasApp = false
        /// The last messages without a date: Xcode shows each error twice, once with `CoreData: ` before it.
        private var twins: [(text: [UInt8], isLong: Bool)] = []

        mutating func add(_ joined: LogJoinedLines) {
            joined.bytes.withUnsafeBufferPointer { bytes in
                let message = LogMessage(joined, bytes)
                if message.time != nil || !isTwin(message.text) { add(message) }
            }
        }

        private mutating func isTwin(_ text: LogPart) -> Bool {
            let isLong = text.begins("CoreData: ")
            let text = text.dropFirst(isLong ? 10 : 0)
            if twins.contains(where: { $0.isLong != isLong && $0.text.elementsEqual(text) }) { return true }
            if twins.count == 4 { twins.removeFirst() }
            twins.append((Array(text), isLong))
            return false
        }

        mutating func add(_ message: LogMessage) {
            var message = message
            guard message.read() else { return }
            let (process, container) = (message.process, message.container)
            let isApp = process == MirrorLog.app.process
            if isApp, message.isOfCoreData || message.has(.coreData) { hasApp = true }
            let isOurs = isApp || process.map(LogStory.daemons.contains) ?? true
            if isOurs, container == nil || container == MirrorLog.app.container { ofApp.add(message) }
            if !hasApp { ofAll.add(message) } else if let process { ofAll.add(process: process) }
        }
    }
}

/// What people send in place of the text of a log.
extension MirrorLog {
    private static let predicate =
        #"'subsystem == "com.apple.coredata" OR process == "cloudd" AND eventMessage CONTAINS "iCloud.ro.xdev.USB-Meter"'"#

    /// The command that makes text of an archive.
    private static func command(_ archive: String = "system_logs.logarchive") -> String {
        "log show --archive \(archive) --info --debug --style ndjson --predicate \(predicate)"
    }

    /// How to get a log that can be read: on the Mac itself, and from another device.
    static let howTo = """
        on a Mac, log show --last 1d --info --debug --style syslog --predicate \(predicate); from another device, install \
        Apple's CloudKit logging profile, let it happen again, take a sysdiagnose, and on a Mac \(command())
        """

    /// What it is, and how to make text of it; nil for what may be text.
    /// - Parameter start: the first bytes of the file.
    static func refusal(of name: String, beginning start: [UInt8] = []) -> StoreError? {
        func refusal(_ what: String, _ hint: String) -> StoreError { StoreError(.damaged, at: name, what, hint: hint) }
        func isA(_ ending: String, begunBy beginnings: [UInt8]...) -> Bool {
            name.lowercased().hasSuffix(ending) || beginnings.contains { start.starts(with: $0) }
        }
        if isA(".logarchive") {
            let path = ShellWord.quoted(name.hasSuffix("/") ? String(name.dropLast()) : name)
            return refusal("a log archive, not text", "make text of it, on a Mac: \(command(path))")
        }
        if isA(".tracev3", begunBy: [0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00]) {
            return refusal(
                "a part of a log archive, not text", "make text of the .logarchive it is from, on a Mac: \(command())")
        }
        if isA(".ips", begunBy: Array(#"{"app_name":"#.utf8), Array(#"{"bug_type":"#.utf8)) {
            return refusal("the report of a crash, not a log", "the log of that moment, on a Mac: \(command())")
        }
        guard let kind = FileKind(of: start), kind.isArchive || kind.isForLooking else { return nil }
        return refusal(
            "\(kind.name), not the text of a log",
            kind.isForLooking
                ? "send the log as text: copy its lines in Console, or \(howTo)"
                : "unpack it; of the log in a sysdiagnose, \(command()) makes text, on a Mac")
    }
}
