package import CoreDataStore
package import MeterInspect

/// What a log of Console, Xcode or a sysdiagnose says about CloudKit's mirror.
package struct MirrorLog {
    /// That of the app whose log it is where several apps write into one.
    private static let appContainer = "iCloud.ro.xdev.USB-Meter"

    /// What it is called in answers.
    package let name: String
    /// Of the whole log.
    package let lines: Int
    package let story: RequestTimeline
    /// Each error with how often, since when and until when, in the order in which they came.
    package let entries: [LogEntry]
    /// Parts of a mail that were not read.
    package let unread: UnreadParts
    /// Whether the log's messages were put in the order of their times.
    package let isSorted: Bool
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
            if let refusal = LogText.refusal(of: path) { throw refusal }
            guard !status.isDirectory else {
                throw StoreError(.damaged, at: path, "a directory, not a log", hint: "name the file with the log")
            }
            input = try FileInput(path)
        }
        try self.init(name: isInput ? "standard input" : path) { () throws(StoreError) in
            // Of a long log, somebody may have seen enough.
            try Interruption.check(path)
            return try input.nextChunk(upTo: 1 << 20)
        }
    }

    /// Reads a log that is in memory.
    /// - Throws: `StoreError`, likewise.
    package init(bytes: [UInt8], name: String) throws(StoreError) {
        var rest: [UInt8]? = bytes.isEmpty ? nil : bytes
        try self.init(name: name) { () throws(StoreError) in rest.take() }
    }

    /// - Parameter read: the next bytes; nil at the end.
    init(name: String, _ read: @escaping () throws(StoreError) -> [UInt8]?) throws(StoreError) {
        self.name = name
        var text = try LogText(name: name, read)
        var reading = Reading()
        let start = try text.next() ?? []
        var mending = LogMending(start)
        var chunk: [UInt8]? = mending.text(of: start)
        let layout = LogLayout(chunk ?? [], isOfMail: mending.wasQuoted)
        var cutter: any LogCutter =
            if layout.isJSON { LogObjects() } else if let table = layout.table { table } else { LogLines(layout) }
        while let next = chunk {
            cutter.add(next) { reading.add($0) }
            chunk = try text.next().map { mending.text(of: $0) }
        }
        cutter.add(mending.text(of: nil)) { reading.add($0) }
        cutter.add(nil) { reading.add($0) }
        lines = cutter.lines + mending.missing
        reading.finish()
        reading.ofApp.unread = cutter.unread
        reading.ofAll?.unread = cutter.unread
        unread = text.unread
        // The app's own lines alone, where there are any.
        story = reading.hasApp ? reading.ofApp : reading.ofAll ?? reading.ofApp
        isSorted = reading.order.isSorted
        entries = story.entries
        otherProcesses = reading.hasApp ? reading.ofAll?.processes.filter { !LogProcess.isOfApp($0) } ?? [] : []
    }

    private struct Reading {
        /// What the app's lines tell, and what all lines tell: only as long as there are none of the app, and nil as long as
        /// it is the same.
        var ofApp = RequestTimeline()
        var ofAll: RequestTimeline?
        var hasApp = false
        private(set) var order = LogOrder()
        /// The last errors: Xcode shows each one twice, once with `CoreData: ` or its date before it.
        private var twins: [Twin] = []

        private struct Twin {
            let text: [UInt8]
            let isLong: Bool
            let isDated: Bool
        }

        mutating func add(_ record: LogRecord) {
            for due in order.add(record) { read(due) }
        }

        mutating func finish() {
            for due in order.finish() { read(due) }
            ofApp.isOutOfOrder = order.isBroken
            ofAll?.isOutOfOrder = order.isBroken
        }

        private mutating func read(_ record: LogRecord) {
            record.bytes.withUnsafeBufferPointer { bytes in
                if !isTwin(record, bytes[record.text]) { add(LogMessage(record, bytes)) }
            }
        }

        private mutating func isTwin(_ record: LogRecord, _ text: LogPart) -> Bool {
            let isDated = record.hasOwnTime
            let prefix = text.prefix(60).after("CoreData: ")?.startIndex
            let (words, isLong) = (text[(prefix ?? text.startIndex)...], prefix != nil)
            guard !isDated || isLong && words.begins("error: ") else { return false }
            let isTwin = twins.contains {
                !isDated && ($0.isDated || $0.isLong != isLong) && $0.text.elementsEqual(words)
            }
            if isTwin { return true }
            if twins.count == 4 { twins.removeFirst() }
            twins.append(Twin(text: Array(words), isLong: isLong, isDated: isDated))
            return false
        }

        mutating func add(_ message: LogMessage) {
            var message = message
            guard message.read() else { return }
            let (process, container) = (message.process, message.container)
            let isApp = message.owner.isOfApp
            if isApp, message.isOfCoreData || message.has(.coreData) { hasApp = true }
            let isOurs =
                isApp || container == MirrorLog.appContainer || process.map(RequestTimeline.daemons.contains) ?? true
            let isOfApp = isOurs && (container == nil || container == MirrorLog.appContainer)
            if ofAll == nil, hasApp || !isOfApp { ofAll = ofApp }
            if isOfApp { ofApp.add(message) }
            if !hasApp { ofAll?.add(message) } else if let process { ofAll?.add(process: process) }
        }
    }
}
