package import CoreDataStore
internal import JSON

/// What a log of Console, Xcode or a sysdiagnose says about CloudKit's mirror.
package struct MirrorLog {
    /// The app whose log it is where several apps write into one.
    private static let app = (process: "USB Meter", container: "iCloud.ro.xdev.USB-Meter")

    /// Of the whole log.
    package let lines: Int
    package let story: LogStory
    /// Each error with how often, since when and until when, in the order in which they came.
    package let entries: [LogEntry]
    /// Processes whose lines were left out, because they are of other apps.
    package let otherProcesses: [String]

    /// What it is called in answers.
    package let name: String

    /// Reads a log once, from start to end.
    /// - Parameter path: of a file or a pipe; `-` for standard input.
    /// - Throws: `StoreError`; `damaged` for what is no text, with the command that makes text of it.
    package init(path: String) throws(StoreError) {
        guard path != "-" else {
            let input = try FileInput(standardInput: "standard input")
            try self.init(name: "standard input") { () throws(StoreError) in try input.nextChunk(upTo: Self.chunk) }
            return
        }
        let status: FileStatus?
        do throws(FileError) { status = try FileStatus(path: path) } catch { throw error.storeError(at: path) }
        guard let status else {
            throw StoreError(.notFound, at: path, "no such file", hint: "check the path of the log")
        }
        if let refusal = LogKind.refusal(of: path) { throw refusal }
        guard !status.isDirectory else {
            throw StoreError(.damaged, at: path, "a directory, not a log", hint: "name the file with the log")
        }
        let input = try FileInput(path)
        try self.init(name: path) { () throws(StoreError) in try input.nextChunk(upTo: Self.chunk) }
    }

    /// Bytes read at a time.
    private static let chunk = 1 << 20

    /// Reads a log that is in memory.
    /// - Throws: `StoreError`, likewise.
    package init(bytes: [UInt8], name: String) throws(StoreError) {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        try self.init(name: name) { () throws(StoreError) in
            defer { rest = nil }
            return rest
        }
    }

    private init(name: String, _ read: @escaping () throws(StoreError) -> [UInt8]?) throws(StoreError) {
        self.name = name
        if let refusal = LogKind.refusal(of: name) { throw refusal }
        var text = try LogText(name: name, read)
        var reading = Reading()
        let first = try text.next() ?? []
        let layout = LogLayout(first)
        if layout.isJSON {
            var objects = LogObjects()
            objects.add(first) { reading.add($0) }
            while let chunk = try text.next() { objects.add(chunk) { reading.add($0) } }
            objects.add(nil) { reading.add($0) }
            lines = objects.lines
        } else {
            var cutter = LogLines(layout)
            cutter.add(first) { reading.add($0) }
            while let chunk = try text.next() { cutter.add(chunk) { reading.add($0) } }
            cutter.add(nil) { reading.add($0) }
            lines = cutter.lines
        }
        // The app's own lines alone, where there are any.
        story = reading.hasApp ? reading.ofApp : reading.ofAll
        entries = story.entries
        otherProcesses = reading.hasApp ? reading.ofAll.facts.processes.filter { $0 != Self.app.process } : []
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
            guard let found = LogFinding(message) else { return }
            let process = message.process
            let isApp = process == MirrorLog.app.process
            if isApp, message.isOfCoreData || message.text.contains("CoreData") { hasApp = true }
            let isOurs = isApp || process.map(LogFacts.daemons.contains) ?? true
            if isOurs, found.container == nil || found.container == MirrorLog.app.container { ofApp.add(found) }
            if !hasApp { ofAll.add(found) } else if let process { ofAll.facts.add(process: process) }
        }
    }
}
