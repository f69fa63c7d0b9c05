internal import CoreDataStore
internal import JSON

/// Cuts what `log show --style ndjson` or `--style json` writes, or another program that reads Apple's logs, into objects,
/// one after the other, so that neither a file nor an array has to be in memory whole.
struct LogObjects: LogCutter {
    /// Bytes of one object; a longer one is none that the system writes.
    private static let longest = 1 << 22

    /// Objects, each of which is a line where there is one on each.
    private(set) var lines = 0
    private(set) var unread = 0
    private var text: [UInt8] = []
    /// Where the object begins, and where the next byte to look at is.
    private var start: Int?
    private var place = 0
    private var depth = 0
    private var isInString = false
    /// Lists of objects that are not closed.
    private var lists = 0
    /// What stands between two objects: lines of the program that wrote them.
    private var between: [UInt8] = []
    /// The log of which Docker keeps each line in an object, `{"log": "…\n", "stream": "stdout"}`.
    private var inner: LogLines?

    mutating func add(_ chunk: [UInt8]?, _ found: (LogRecord) -> Void) {
        text += chunk ?? []
        let text = text
        text.withUnsafeBufferPointer { bytes in
            while place < bytes.count {
                switch bytes[place] {
                case 0x0A:
                    // No string has a line end in it: after a broken object, the next line is read as if it began anew.
                    if isInString { giveUp() }
                case UInt8(ascii: "\\") where isInString: place += 1
                case UInt8(ascii: "\""): isInString = !isInString && depth > 0
                case UInt8(ascii: "{") where !isInString:
                    if depth == 0 {
                        start = place
                        readBetween(found)
                    }
                    depth += 1
                case UInt8(ascii: "}") where !isInString && depth > 0:
                    depth -= 1
                    if depth == 0, let begin = start.take() {
                        lines += 1
                        read(UnsafeBufferPointer(rebasing: bytes[begin...place]), found)
                    }
                case UInt8(ascii: "[") where depth == 0: lists += 1
                case UInt8(ascii: "]") where depth == 0: lists = max(0, lists - 1)
                default: break
                }
                if depth == 0, place < bytes.count, bytes[place] != UInt8(ascii: "}"), between.count < Self.longest {
                    between.append(bytes[place])
                }
                place += 1
            }
        }
        if chunk == nil {
            readBetween(found)
            inner?.add(nil, found)
        }
        if let start, chunk == nil || place - start > Self.longest { giveUp() }
        // A list that breaks off between two objects.
        if chunk == nil, lists > 0, unread == 0 { unread = 1 }
        var kept = start ?? place
        // An escape may have led one byte beyond.
        kept = min(kept, text.count)
        self.text.removeSubrange(..<kept)
        place -= kept
        start = start.map { $0 - kept }
    }

    private mutating func readBetween(_ found: (LogRecord) -> Void) {
        // Mostly a line end or a comma.
        if between.count > 7 { Self.records(inLinesOf: between + [0x0A]).forEach(found) }
        between.removeAll(keepingCapacity: true)
    }

    /// Passes over an object that breaks off.
    private mutating func giveUp() {
        unread += 1
        (isInString, depth, start) = (false, 0, nil)
    }

    private mutating func read(_ object: UnsafeBufferPointer<UInt8>, _ found: (LogRecord) -> Void) {
        // Of such a log, any line may go on with a message.
        let mayBeLine = inner != nil || object[...].contains("\"log\":")
        guard mayBeLine || LogRecord.words.firstWord(in: object, from: 0) != nil else { return }
        guard let value = try? JSONTree(parsing: Array(object), limits: nil).top.value else {
            unread += 1
            return
        }
        if mayBeLine, let line = value["log"]?.string, value["stream"] != nil {
            let bytes = Array(line.utf8)
            if inner == nil { inner = LogLines(LogLayout(bytes)) }
            inner?.add(bytes, found)
            return
        }
        let records = Self.records(in: value, hasErrors: object[...].contains("ErrorDomain\""))
        lines += max(0, records.reduce(0) { $0 + $1.lines } - 1)
        // What an app itself writes has no message: all of it is one.
        if records.isEmpty { found(LogFields(of: value).record(orElse: object[...])) }
        for record in records { found(record) }
    }

    /// The records in an object: itself, where it has a message, and those in lists. A text of several lines in an object
    /// without a message is a log of its own.
    /// - Parameters:
    ///   - isInRecord: whether an object around it is a record, whose texts are parts of its message.
    ///   - hasErrors: whether the domain of an error may be a value of its own.
    private static func records(in value: JSONValue, isInRecord: Bool = false, hasErrors: Bool) -> [LogRecord] {
        func inner(_ value: JSONValue, _ isInRecord: Bool) -> [LogRecord] {
            records(in: value, isInRecord: isInRecord, hasErrors: hasErrors)
        }
        switch value {
        case .null, .bool, .integer, .unsigned, .double: return []
        case .string(let text): return isInRecord ? [] : records(inLinesOf: Array(text.utf8))
        case .array(let elements): return elements.flatMap { inner($0, isInRecord) }
        case .object(let members):
            let fields = LogFields(of: value)
            let error = hasErrors ? LogFields.error(in: value) : nil
            guard fields.hasMessage else {
                // Services that collect failures have one as an object without a message.
                if let error, isInRecord || members.allSatisfy({ $0.value.string != nil }) {
                    return [fields.record(orElse: nil, error: error)]
                }
                return members.flatMap { inner($0.value, isInRecord) }
            }
            // A message in an object of this one is this one's.
            let lists = members.filter { if case .array = $0.value { true } else { false } }
            return [fields.record(orElse: nil, error: error)] + lists.flatMap { inner($0.value, true) }
        }
    }

    private static func records(inLinesOf text: [UInt8]) -> [LogRecord] {
        let hasWord = text.withUnsafeBufferPointer { LogRecord.words.firstWord(in: $0, from: 0) != nil }
        guard text.contains(0x0A), hasWord else { return [] }
        var records: [LogRecord] = []
        var lines = LogLines(LogLayout(text))
        lines.add(text) { records.append($0) }
        lines.add(nil) { records.append($0) }
        return records
    }
}
