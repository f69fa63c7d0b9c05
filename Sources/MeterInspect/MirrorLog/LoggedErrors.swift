package import CoreDataStore

/// One error in a message of a log.
package struct LoggedError: Hashable {
    package let domain: String
    package let code: Int64
    package let fault: MirrorFault
    /// How much the text tells: words without a code, domain and code alone, with a text, or a text that decided between
    /// several causes. From -1.
    let detail: Int

    package static func == (left: LoggedError, right: LoggedError) -> Bool {
        left.code == right.code && left.detail == right.detail && left.domain == right.domain
            && left.fault.id == right.fault.id
    }

    /// Not of the whole row, which has long texts.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(detail)
        hasher.combine(fault.id)
    }
}

/// What the log says of an error beside its code, where it is told for the first time.
package struct LogDetail {
    /// What CloudKit's server says.
    package internal(set) var message: String?
    /// After how many seconds CloudKit lets the device try again.
    package internal(set) var retry: String?
    /// How many records it is about.
    package internal(set) var records = 0
}

/// Finds the errors in a message: `<CKError 0x…: "NAME" (CODE/…); …>`, `Error Domain=… Code=…`, `DOMAIN:CODE`,
/// `(DOMAIN error CODE.)` and SQLite's.
struct LoggedErrors {
    /// An error, and what the message says of it.
    typealias Found = (error: LoggedError, text: LogPart)

    /// Bytes of one error that are looked at, and errors of a message: CloudKit takes 400 records at a time.
    private static let (longest, most) = (1 << 16, 1_000)

    private let text: LogPart
    private var found: [(error: LoggedError, text: LogPart, head: Int, end: Int)] = []
    /// Whether the message lists several errors; of any other message only the first one counts.
    private let isList: Bool

    static func all(in message: LogMessage) -> [Found] {
        guard message.has(.code) else { return [] }
        var errors = LoggedErrors(message)
        errors.scan()
        return errors.found.map { ($0.error, $0.text) }
    }

    /// What the log says of an error in its text.
    static func detail(in text: LogPart) -> LogDetail {
        func value(after key: StaticString, _ isIn: (UInt8) -> Bool) -> String? {
            guard let start = text.range(of: key)?.upperBound else { return nil }
            let value = text[start...].prefix(400).prefix(while: isIn)
            return value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        }
        return LogDetail(
            message: value(after: "server message = \"") { $0 != UInt8(ascii: "\"") },
            retry: value(after: "Retry after ") { LogBytes.isDigit($0) })
    }

    private init(_ message: LogMessage) {
        text = message.text
        isList = message.has(.list)
    }

    /// What an error begins with; `Domain` is in the middle of it.
    private static let heads = WordFilter([
        [.init("<CKError", pair: 0)], [.init("Error Domain=", pair: 0)], [.init("Domain", pair: 0)],
        [.init("SQLite error code:", pair: 1)], [.init("error: (", pair: 6)],
    ])

    private mutating func scan() {
        var place = text.startIndex
        while found.count < (isList ? Self.most : 1), let head = head(from: place) {
            switch head.bit {
            case 1 << 0: place = readCKError(at: head.place)
            case 1 << 1: place = readNSError(at: head.place)
            case 1 << 2: place = readPair(at: head.place)
            default:
                place = found.isEmpty ? readSQLite(from: head.place + (head.bit == 1 << 3 ? 18 : 8)) : head.place + 1
            }
        }
    }

    private func head(from start: Int) -> (place: Int, bit: UInt64)? {
        let rest = UnsafeBufferPointer(rebasing: text[start...])
        return Self.heads.firstWord(in: rest, from: 0).map { ($0.place + start, $0.bit) }
    }

    /// - Returns: where to look on.
    private mutating func readCKError(at start: Int) -> Int {
        var rest = text[(start + 8)...]
        if let quote = rest.prefix(40).firstIndex(of: UInt8(ascii: "\"")),
            let end = rest[(quote + 1)...].prefix(120).firstIndex(of: UInt8(ascii: "\""))
        {
            rest = rest[(end + 1)...]
        }
        guard let bracket = rest.prefix(60).firstIndex(of: UInt8(ascii: "(")) else { return start + 8 }
        rest = rest[(bracket + 1)...]
        guard let code = LogBytes.takeNumber(&rest) else { return start + 8 }
        // What is below it, such as 2035 or NSURLErrorDomain:-1009, does not count.
        let head = rest.prefix(80).firstIndex(of: UInt8(ascii: ")")) ?? rest.startIndex
        add(
            MirrorFault.cloudKit, code, at: start, head: head,
            end: closing(start, UInt8(ascii: "<"), UInt8(ascii: ">")))
        return head
    }

    private mutating func readNSError(at start: Int) -> Int {
        var rest = text[(start + 13)...]
        let domain = rest.prefix { LogBytes.isOfWord($0) }
        rest = rest[domain.endIndex...]
        guard !domain.isEmpty, rest.begins(" Code=") else { return start + 13 }
        rest = rest.dropFirst(6)
        guard let code = LogBytes.takeNumber(&rest) else { return start + 13 }
        let head = rest.startIndex
        // What is under another error is told by that one.
        let before = text[..<start].suffix(48)
        if !found.isEmpty, before.contains("NSUnderlyingError") { return head }
        let open = rest.prefix(2000).firstIndex(of: UInt8(ascii: "{"))
        let end = isList ? open.map { closing($0, UInt8(ascii: "{"), UInt8(ascii: "}")) } ?? head : text.endIndex
        add(String(decoding: domain, as: UTF8.self), code, at: start, head: head, end: end)
        return head
    }

    /// `DOMAIN:CODE`, and `(DOMAIN error CODE.)` in any language.
    private mutating func readPair(at place: Int) -> Int {
        let after = place + 6
        var start = place
        while start > text.startIndex, LogBytes.isOfWord(text[start - 1]) { start -= 1 }
        guard start < place else { return after }
        let domain = String(decoding: text[start..<after], as: UTF8.self)
        var rest = text[after...]
        if rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
        } else if start > text.startIndex, text[start - 1] == UInt8(ascii: "(") {
            let word = rest.prefix(24).prefix { !LogBytes.isDigit($0) && $0 != UInt8(ascii: ")") }
            rest = rest[word.endIndex...]
            // The hyphen of `CKErrorDomain-Fehler` is none of a number.
            if word.last == UInt8(ascii: "-") { rest = text[(rest.startIndex - 1)...] }
        } else {
            return after
        }
        guard let code = LogBytes.takeNumber(&rest) else { return after }
        add(domain, code, at: start, head: rest.startIndex, end: rest.startIndex, isBare: true)
        return rest.startIndex
    }

    private mutating func readSQLite(from start: Int) -> Int {
        var rest = text[start...]
        guard let code = LogBytes.takeNumber(&rest), !text.contains("Error Domain=") else { return start }
        // An extended code has the plain one in its lowest byte.
        add(MirrorFault.sqlite, code & 0xFF, at: start, head: rest.startIndex, end: text.endIndex)
        return rest.startIndex
    }

    private mutating func add(
        _ domain: String, _ code: Int64, at start: Int, head: Int, end: Int, isBare: Bool = false
    ) {
        guard domain != "CKInternalErrorDomain" else { return }
        // The name of the record, which is before its error, belongs to it.
        let floor = found.last.map { $0.end <= start ? $0.end : $0.head } ?? start
        let own =
            isList
            ? max(floor, start - 200)..<max(end, start)
            : (domain == MirrorFault.sqlite ? text.startIndex : start)..<text.endIndex
        let fault = MirrorFault.of(domain: domain, code: code, text: UnsafeBufferPointer(rebasing: text[own]))
        let error = LoggedError(
            domain: domain, code: code, fault: fault, detail: isBare ? 0 : fault.condition == nil ? 1 : 2)
        found.append((error, text[start..<max(end, start)], head, end))
    }

    /// Behind the bracket that closes the one at a place; the end of the text where none does.
    private func closing(_ start: Int, _ open: UInt8, _ close: UInt8) -> Int {
        let end = min(text.endIndex, start + Self.longest)
        var depth = 0
        for place in start..<end {
            if text.base[place] == open { depth += 1 }
            if text.base[place] == close {
                depth -= 1
                if depth == 0 { return place + 1 }
            }
        }
        return end
    }
}
