package import CoreDataStore
internal import Texts

/// One error in a message of a log.
package struct LoggedError: Hashable {
    package let domain: String
    package let code: Int64
    package let fault: MirrorFault
    /// How much the text tells: words without a code, domain and code alone, with a text, or a text that decided between
    /// several causes. From -1.
    let detail: Int

    /// That of a request which failed without telling why.
    static let hiddenReason = LoggedError(domain: "", code: 0, fault: .hiddenReason, detail: -1)
    /// That of records which could not be read.
    static let brokenLog = LoggedError(domain: "", code: 0, fault: .brokenLog, detail: -1)
    /// Whether it is no error, and has no code either.
    var isNoteInWords: Bool { domain.isEmpty && fault.kind == .note }
    /// Whether it is only a line that says that it is an error, in words that nobody knows.
    var isUnknownLine: Bool { domain.isEmpty && fault == .unknownError }
}

/// What the log says of an error beside its code, where it is told for the first time.
package struct LogDetail {
    /// What CloudKit's server says.
    package let message: String?
    /// After how many seconds CloudKit lets the device try again.
    package let retry: String?
    /// How many records it is about.
    package internal(set) var records = 0
    /// Why, in Core Data's words, and about which attribute: `DeviceSettings.shelf`.
    package private(set) var reason: String?
    package private(set) var attribute: String?

    /// - Parameter text: what a message says of the error.
    init(in text: LogPart) {
        func value(after key: StaticString, _ isIn: (UInt8) -> Bool) -> String? {
            let value = text.after(key)?.prefix(400).prefix(while: isIn)
            return value.flatMap { $0.isEmpty ? nil : $0.text }
        }
        message = value(after: "server message = \"") { $0 != UInt8(ascii: "\"") }
        retry = value(after: "Retry after ", \.isDigit)
        add(reasonIn: text)
    }

    /// - Parameter words: those of a message that nobody knows.
    init(words: LogPart) {
        (message, retry) = (nil, nil)
        reason = words.prefix(400).text
    }

    mutating func add(reasonIn text: LogPart) {
        if reason == nil, let words = text.after("reason : ") ?? text.after("reason=") {
            reason = words.prefix(400).prefix { $0 != UInt8(ascii: "}") && $0 != UInt8(ascii: ";") }.text
        }
        if attribute == nil, let entity = text.after("entity="), let name = entity.prefix(200).after("attribute=") {
            attribute = "\(entity.prefix(while: \.isOfWord).text).\(name.prefix(while: \.isOfWord).text)"
        }
    }
}

/// Finds the errors in a message: `<CKError 0x…: "NAME" (CODE/…); …>`, `CKError "NAME" (CODE/…)`,
/// `Error Domain=… Code=…`, `DOMAIN:CODE`, SQLite's, and what apps print of them (``PrintedError``).
struct LoggedErrors {
    struct Found {
        let error: LoggedError
        /// What the message says of it.
        let text: LogPart
    }

    /// Bytes of one error that are looked at, and errors of a message: CloudKit takes 400 records at a time.
    private static let (longest, most) = (1 << 16, 1_000)

    private let text: LogPart
    /// Whether the message lists several errors; of any other message only the first one counts, or what follows on one
    /// that only carries others.
    private let isList: Bool
    private var isOver: Bool {
        let isCarried = found.first?.error.fault.isCarrier ?? false
        return found.count >= (isList ? Self.most : isCarried ? 10 : 1)
    }
    /// Whether names of `CKError.Code` alone are errors.
    private let hasNames: Bool
    private var found: [Found] = []
    /// One of CKInternalErrorDomain, which is below another error and counts only where that is not to be seen.
    private var inner: Found?
    /// Behind the code of the last one, and behind all of it.
    private var (head, end) = (0, 0)

    static func all(in message: LogMessage) -> [Found] {
        if message.isOfServer, let name = PrintedError.serverName(in: message.text) {
            let fault = MirrorFault.of(
                domain: MirrorFault.cloudKit, code: name.code, text: UnsafeBufferPointer(rebasing: message.text))
            let error = LoggedError(domain: MirrorFault.cloudKit, code: name.code, fault: fault, detail: 0)
            return [Found(error: error, text: message.text)]
        }
        let hasNames = message.isPrinted && PrintedFailure.isAboutRequest(message.text)
        guard message.has(.code) || hasNames else { return [] }
        var errors = LoggedErrors(text: message.text, isList: message.has(.list), hasNames: hasNames)
        errors.scan()
        return errors.found.isEmpty ? errors.inner.map { [$0] } ?? [] : errors.found
    }

    private init(text: LogPart, isList: Bool, hasNames: Bool) {
        (self.text, self.isList, self.hasNames) = (text, isList, hasNames)
    }

    /// What an error begins with; `Domain` is in the middle of it.
    private static let headTexts = [
        ["CKError"], ["Domain", "DOMAIN"], ["SQLite error code:"], ["error: ("], ["Cocoa"],
    ]
    private static let heads = WordFilter(headTexts)
    private static let headsAndNames = WordFilter(headTexts + [PrintedError.names])

    private mutating func scan() {
        var place = text.startIndex
        let heads = hasNames ? Self.headsAndNames : Self.heads
        while !isOver,
            let (offset, form) = heads.firstWord(in: UnsafeBufferPointer(rebasing: text[place...]), from: 0)
        {
            let start = place + offset
            place =
                switch form {
                case 0: readCKError(at: start)
                case 1: text[..<start].suffix(6).begins("Error ") ? readNSError(from: start + 6) : readPair(at: start)
                case 4: readCocoa(at: start)
                case 5: readName(at: start)
                default: found.isEmpty ? readSQLite(from: start + (form == 2 ? 18 : 8)) : start + 1
                }
        }
    }

    /// - Parameter place: of `CKError`.
    /// - Returns: where to look on.
    private mutating func readCKError(at place: Int) -> Int {
        var rest = text[(place + 7)...]
        let isBracketed = text[..<place].last == UInt8(ascii: "<")
        let start = isBracketed ? place - 1 : place
        guard isBracketed || rest.begins(" \"") || rest.begins(": \"") else {
            guard let error = PrintedError(behindCKError: rest) else { return rest.startIndex }
            add(MirrorFault.cloudKit, error, at: start)
            return error.end
        }
        let name = rest.prefix(40).after("\"")?.startIndex
        if let name, let behind = rest[name...].prefix(120).after("\"") { rest = rest[behind.startIndex...] }
        guard let bracket = rest.prefix(60).after("(") else { return start + 8 }
        rest = rest[bracket.startIndex...]
        guard let code = rest.takeNumber() else { return start + 8 }
        // What is below it, such as 2035 or NSURLErrorDomain:-1009, does not count.
        let head = rest.prefix(80).firstIndex(of: UInt8(ascii: ")")) ?? rest.startIndex
        add(
            MirrorFault.cloudKit, code, at: start, head: head,
            end: closing(start, UInt8(ascii: "<"), UInt8(ascii: ">")))
        return head
    }

    /// - Parameter place: behind `Error Domain`.
    private mutating func readNSError(from place: Int) -> Int {
        var rest = text[place...]
        guard rest.begins("=") else { return place }
        let domain = rest.dropFirst().prefix(while: \.isOfWord)
        rest = rest[domain.endIndex...]
        guard !domain.isEmpty, rest.begins(" Code=") else { return place }
        rest = rest.dropFirst(6)
        guard let code = rest.takeNumber() else { return place }
        let (start, head) = (place - 12, rest.startIndex)
        // What is under another error is told by that one, unless that one only carries it.
        if let last = found.last, !last.error.fault.isCarrier, text[..<start].suffix(48).contains("NSUnderlyingError") {
            return head
        }
        let open = rest.prefix(2000).firstIndex(of: UInt8(ascii: "{"))
        let end = isList ? open.map { closing($0, UInt8(ascii: "{"), UInt8(ascii: "}")) } ?? head : text.endIndex
        add(domain.text, code, at: start, head: head, end: end)
        return head
    }

    /// `DOMAIN:CODE`, `DOMAIN Code=CODE`, `(DOMAIN error CODE.)` in any language, and what apps print.
    private mutating func readPair(at place: Int) -> Int {
        let after = place + 6
        var start = place
        while start > text.startIndex, text[start - 1].isOfWord { start -= 1 }
        guard start < place else { return after }
        return readCode(of: text[start..<after].text, from: start, behind: after)
    }

    /// `(Cocoa error 134400.)`, as the system describes an error of NSCocoaErrorDomain.
    private mutating func readCocoa(at place: Int) -> Int {
        let near = text[(place + 5)...].prefix(24).drop { !$0.isDigit }
        let isAlone = !(text[..<place].last?.isOfWord ?? false)
        // Others are those of other parts of the system.
        guard isAlone, near.begins("133000") || near.begins("134000") else { return place + 5 }
        return readCode(of: MirrorFault.cocoa, from: place, behind: place + 5)
    }

    /// - Parameter place: of a name of `CKError.Code`.
    private mutating func readName(at place: Int) -> Int {
        let isWord = text[..<place].last.map { $0.isOfWord && $0 != UInt8(ascii: ".") } ?? false
        guard hasNames, !isWord, let error = PrintedError(named: text[place...]),
            !([": false", " = false", "=false", ": NO", ": 0"] as [StaticString]).contains(
                where: text[error.end...].begins)
        else { return place + 1 }
        add(MirrorFault.cloudKit, error, at: place)
        return error.end
    }

    /// - Parameters:
    ///   - start: of the domain, which ends at `after`.
    private mutating func readCode(of domain: String, from start: Int, behind after: Int) -> Int {
        var rest = text[after...]
        if rest.begins(":") {
            rest = rest.dropFirst()
        } else if rest.begins(" Code=") {
            rest = rest.dropFirst(6)
        } else if text[..<start].last == UInt8(ascii: "(")
            || rest.begins("-") && rest.dropFirst().first?.isLetter == true
        {
            let word = rest.prefix(24).prefix { !$0.isDigit && $0 != UInt8(ascii: ")") }
            rest = rest[word.endIndex...]
            // The hyphen of `CKErrorDomain-Fehler` is none of a number.
            if word.last == UInt8(ascii: "-") { rest = text[(rest.startIndex - 1)...] }
        }
        guard let code = rest.takeNumber() else {
            if let error = PrintedError(behindDomain: text[after...], before: text[..<start]) {
                add(domain, error, at: start)
            }
            return after
        }
        add(domain, code, at: start, head: rest.startIndex, end: rest.startIndex, isBare: true)
        return rest.startIndex
    }

    private mutating func readSQLite(from start: Int) -> Int {
        var rest = text[start...]
        guard let code = rest.takeNumber(), !text.contains("Error Domain=") else { return start }
        // An extended code has the plain one in its lowest byte.
        add(MirrorFault.sqlite, code & 0xFF, at: start, head: rest.startIndex, end: text.endIndex)
        return rest.startIndex
    }

    private mutating func add(_ domain: String, _ error: PrintedError, at start: Int) {
        add(domain, error.code, at: start, head: error.end, end: error.end, isBare: true)
    }

    private mutating func add(
        _ domain: String, _ code: Int64, at start: Int, head: Int, end: Int, isBare: Bool = false
    ) {
        guard domain != Self.innerDomain else { return addInner(code, at: start) }
        // Somebody may have changed its letters.
        let domain = domain.lowercased() == "ckerrordomain" ? MirrorFault.cloudKit : domain
        // The name of the record, which is before its error, belongs to it.
        let floor = found.isEmpty ? start : self.end <= start ? self.end : self.head
        let own =
            isList
            ? max(floor, start - 200)..<max(end, start)
            : (domain == MirrorFault.sqlite ? text.startIndex : start)..<text.endIndex
        let fault = MirrorFault.of(domain: domain, code: code, text: UnsafeBufferPointer(rebasing: text[own]))
        let detail = isBare ? 0 : fault.condition == nil ? 1 : 2
        found.append(
            Found(
                error: LoggedError(domain: domain, code: code, fault: fault, detail: detail),
                text: text[start..<max(end, start)]))
        (self.head, self.end) = (head, end)
    }

    private static let innerDomain = "CKInternalErrorDomain"

    private mutating func addInner(_ code: Int64, at start: Int) {
        guard inner == nil else { return }
        let known = PrintedError.internalCodes[code]
        let domain = known == nil ? Self.innerDomain : MirrorFault.cloudKit
        let fault = MirrorFault.of(
            domain: domain, code: known ?? code, text: UnsafeBufferPointer(rebasing: text[start...]))
        inner = Found(
            error: LoggedError(domain: domain, code: known ?? code, fault: fault, detail: 0), text: text[start...])
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
