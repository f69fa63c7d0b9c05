internal import JSON
internal import MeterModel

/// What a record of a log says under names that each program chooses for itself.
struct LogFields {
    /// What a name tells, in whatever spelling: `Event Message` is `eventMessage`. The first one counts.
    private enum Meaning: CaseIterable {
        case message, time, process, processID, subsystem, level

        var names: [String] {
            switch self {
            case .message: ["eventmessage", "composedmessage", "message", "msg"]
            case .time: ["timestamp", "datetime", "time", "date", "machtimestamputc"]
            case .process:
                [
                    "processimagepath", "process", "processname", "processpath", "filename", "label", "imagename",
                    "processimage", "proc", "app", "appname", "executable", "binary", "command", "program", "image",
                ]
            case .processID: ["processid", "pid"]
            case .subsystem: ["subsystem"]
            case .level: ["messagetype", "logtype", "levelname", "level"]
            }
        }
    }

    private static let meanings = Dictionary(
        uniqueKeysWithValues: Meaning.allCases.flatMap { meaning in
            meaning.names.enumerated().map { ($0.element, (meaning: meaning, rank: $0.offset)) }
        })

    /// Each with its rank among the names for the same: the smallest is kept.
    private var values: [Meaning: (rank: Int, value: JSONValue)] = [:]

    private static func known(_ name: String) -> (meaning: Meaning, rank: Int)? {
        meanings[name.lowercased().filter { $0.isLetter || $0.isNumber }]
    }

    /// Whether these are the columns of a log: by whom, and something else that is known, or a message and when. Any other
    /// may be the message.
    static func areColumns(_ names: [String]) -> Bool {
        let meanings = Set(names.compactMap { known($0)?.meaning })
        return meanings.count > 1 && (meanings.contains(.process) || meanings.isSuperset(of: [.message, .time]))
    }

    private mutating func add(_ name: String, _ value: JSONValue) {
        guard let (meaning, rank) = Self.known(name), values[meaning].map({ rank < $0.rank }) ?? true else { return }
        values[meaning] = (rank, value)
    }

    /// - Parameter columns: names and values of a row.
    init(of columns: [(name: String, value: String)]) {
        for (name, value) in columns { add(name, .string(value)) }
        takeMessage(from: columns.map { .string($0.value) })
    }

    /// Whatever its name is: what Core Data's mirror writes is a message.
    private mutating func takeMessage(from others: [JSONValue]) {
        guard !hasMessage else { return }
        for value in others where value.string?.contains(LogRecord.sign.description) ?? false {
            values[.message] = (0, value)
        }
    }

    /// - Parameter object: of JSON; a name in an object in it counts where it is not outside.
    init(of object: JSONValue) {
        guard case .object(let members) = object else { return }
        for member in members where member.value.isText { add(member.key, member.value) }
        for member in members {
            guard case .object(let inner) = member.value else { continue }
            for one in inner where one.value.isText && Self.known(one.key).map({ values[$0.meaning] == nil }) ?? false {
                add(one.key, one.value)
            }
        }
        takeMessage(from: members.map(\.value))
    }

    var hasMessage: Bool { values[.message]?.value.string != nil }

    /// The error whose domain and code an object has as members, or one in it, as the system prints it: `{"domain":
    /// "CKErrorDomain", "code": 25}`, `{"type": "CKErrorDomain", "value": "Code: 25, …"}`.
    static func error(in object: JSONValue) -> String? {
        guard case .object(let members) = object else { return nil }
        var (domain, code): (String?, String?)
        for member in members {
            if let text = member.value.string {
                if text.hasSuffix("ErrorDomain"), !text.contains(" ") { domain = text }
                if let place = text.firstRange(of: "Code: ") { code = String(text[place.upperBound...]) }
            } else if let number = member.value.number, member.key.lowercased().hasSuffix("code") {
                code = Int64(exactly: number).map(String.init)
            }
        }
        guard let domain, let code = code?.prefix(while: { $0.isNumber || $0 == "-" }), !code.isEmpty else {
            return members.lazy.compactMap { error(in: $0.value) }.first
        }
        return "(\(domain) error \(code).)"
    }

    /// - Parameters:
    ///   - whole: what the message is where none of the names says so.
    ///   - error: that of the record, which its message may lack.
    func record(orElse whole: LogPart?, error: String? = nil) -> LogRecord {
        var joined = LogJoinedLines()
        if var message = values[.message]?.value.string ?? error {
            if let error, !message.contains("Domain") { message += " \(error)" }
            LogSigns.mended(Array(message.utf8)).withUnsafeBufferPointer { joined.add($0[...]) }
        } else if let whole {
            LogSigns.mended(Array(whole)).withUnsafeBufferPointer { joined.add($0[...]) }
        }
        let level = values[.level]?.value.string?.lowercased() ?? ""
        return LogRecord(
            bytes: joined.bytes, text: 0..<joined.bytes.count, time: time, hasOwnTime: time != nil,
            owner: LogProcess(
                name: values[.process]?.value.string?.split(separator: "/").last.map(String.init), number: processID,
                host: nil),
            isOfCoreData: values[.subsystem]?.value.string == "com.apple.coredata",
            isComplaint: level == "error" || level == "fault", lines: 1)
    }

    private var processID: Int64? {
        guard let value = values[.processID]?.value else { return nil }
        return value.string.flatMap { Int64($0) } ?? value.number.flatMap { Int64(exactly: $0) }
    }

    private var time: LogMoment? {
        guard let value = values[.time]?.value else { return nil }
        if let number = value.number ?? value.string.flatMap({ Double($0) }) { return Self.moment(since1970: number) }
        return Array((value.string ?? "").utf8).withUnsafeBufferPointer { stamp in
            var stamp = stamp[...]
            return LogMoment(takenFrom: &stamp)
        }
    }

    /// - Parameter number: seconds, or thousandths, millionths or billionths of them.
    private static func moment(since1970 number: Double) -> LogMoment? {
        guard number.isFinite, number > 1e9, number < 1e19 else { return nil }
        let unit = number < 1e11 ? 1 : number < 1e14 ? 1e3 : number < 1e17 ? 1e6 : 1e9
        return LogMoment(secondsSince2001: number / unit - Timestamp.unixEpochOffset)
    }
}

extension JSONValue {
    fileprivate var isText: Bool { string != nil || number != nil }
}
