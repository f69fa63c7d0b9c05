internal import CoreDataStore
internal import MeterModel
internal import Texts

/// Reads a dump as a file of its own.
typealias DumpReading = ([UInt8]) throws(StoreError) -> KeyValueDump

extension KeyValueDump {
    /// Reads the dump that is attached to a mail, or that is its text, or the list in its text.
    /// - Throws: `DumpError` where nothing of it is read, where it is not clear what is meant, and where it is not whole.
    init(
        _ mail: Mail, identifier: String?, sha256: String, _ read: DumpReading
    ) throws(DumpError) {
        if let fault = mail.fault { throw DumpError(fault) }
        let beside = mail.parts.filter(\.isBeside)
        var letters = mail.parts.filter { !$0.isBeside && $0.isLetter }
        var (dumps, unread): ([(place: String, dump: KeyValueDump)], [UnreadPart]) = ([], [])
        for part in mail.parts where !part.isBeside && !part.isLetter {
            switch part.dump(read) {
            case .success(let dump): dumps.append(("the attachment \(part.name.shortened)", dump))
            case .failure(let fault): unread.append(fault)
            }
        }
        if dumps.isEmpty {
            if let first = unread.first(where: { !$0.isForLooking }) { throw first.refusal(with: unread) }
            var others: [Mail.Part] = []
            for letter in letters {
                if let dump = try letter.dumpInText(read) {
                    dumps.append(("the text of the mail", dump))
                } else {
                    others.append(letter)
                }
            }
            letters = others
        }
        guard let (place, dump) = dumps.first else {
            let named = beside.filter { $0.head.isFile || letters.isEmpty }.map { UnreadPart($0) }
            self = try Self.list(in: letters, unread, beside: named, identifier, sha256)
            return
        }
        guard dumps.allSatisfy({ $0.dump.entries == dump.entries }) else {
            throw DumpError(
                "several lists of meters are in this mail: \(dumps.map(\.place).listed)",
                hint: "save the one that is meant in a file, and name that file")
        }
        let lines = letters.compactMap { try? $0.lines() }.flatMap(LetterLines.withAddress)
        let warnings =
            ["\(place) was read"] + Self.warning(on: unread)
            + (lines.isEmpty ? [] : ["lines with an address in the text of the mail were not read: \(lines.listed)"])
        self.init(
            entries: dump.entries, format: dump.format, ignoredKeys: dump.ignoredKeys,
            warnings: warnings + dump.warnings, keepsBlanks: dump.keepsBlanks, sha256: sha256)
    }

    private static func warning(on unread: [UnreadPart]) -> [String] {
        unread.isEmpty ? [] : ["what else is attached was not read: \(unread.map(\.description).listed)"]
    }

    /// Reads the text of a mail to which nothing is attached that may be a dump.
    private static func list(
        in letters: [Mail.Part], _ unread: [UnreadPart], beside: [UnreadPart], _ identifier: String?, _ sha256: String
    ) throws(DumpError) -> KeyValueDump {
        var found = LetterLines()
        for letter in letters { found.add(try letter.lines()) }
        let lines = found.unread
        guard found.count > 0 else {
            let all = (unread + beside).map(\.description)
            throw DumpError(
                "a mail without a dump and without a list in its text"
                    + (lines.isEmpty ? "" : ", only with \(lines.map { "\"\($0)\"" }.listed)")
                    + (all.isEmpty ? "" : "; not read: \(all.listed)"),
                hint:
                    "save the meters in a file of their own, one in each line, \(DumpSyntax.example), and name that file"
            )
        }
        var warnings =
            ["the list \(found.areQuoted ? "that is quoted " : "")in the text of the mail was read"]
            + warning(on: unread)
        if !lines.isEmpty {
            warnings.append(
                "lines of the mail that may be a sentence, are quoted, stand alone or may go on in the next line were not read; "
                    + "what they mean can be written into a file, \(DumpSyntax.example)")
        }
        let list = try LegacyDictionaries(typed: found.entries, identifier: identifier)
        return KeyValueDump(
            entries: list.entries, format: Format(.lines, list.place), ignoredKeys: 0, warnings: warnings,
            sha256: sha256)
    }
}

/// What is attached to a mail and was not read.
private struct UnreadPart: Error, CustomStringConvertible {
    let name: String
    let reason: String
    let hint: String?
    /// Whether it is a document for a person, which is no dump whatever is in it.
    let isForLooking: Bool

    private let kind: String

    var description: String { "\(name) (\(kind))" }

    init(_ part: Mail.Part, _ reason: String? = nil, hint: String? = nil) {
        let kind = FileKind(of: part.bytes)
        name = part.name
        self.reason = reason ?? part.head.type
        self.hint = hint
        isForLooking = kind?.isForLooking ?? false || part.head.type == "text/html"
        self.kind = kind.flatMap { $0.isArchive || $0.isForLooking ? $0.name : nil } ?? self.reason
    }

    func refusal(with all: [UnreadPart]) -> DumpError {
        let others = all.map(\.name).filter { $0 != name }
        let more = others.isEmpty ? "" : "; nor can \(others.listed)"
        return DumpError(
            "the attachment \(name.shortened) cannot be read: \(reason)\(more)", hint: hint)
    }
}

extension Mail.Part {
    private static let longestLetter = 1 << 20

    /// Whether somebody wrote it into the mail itself. Some programs give names to the parts of a letter.
    fileprivate var isLetter: Bool {
        guard head.type == "text/plain", head.isFile else { return head.type == "text/plain" }
        let syntax = (try? MailCharset.utf8(of: bytes, head.charset)).flatMap(DumpSyntax.init)
        return head.disposition == "inline" && syntax == nil
    }

    fileprivate func dump(_ read: DumpReading) -> Result<KeyValueDump, UnreadPart> {
        do throws(DumpError) {
            return .success(try readDump(read))
        } catch {
            return .failure(UnreadPart(self, error.reason, hint: error.hint))
        }
    }

    private func readDump(_ read: DumpReading) throws(DumpError) -> KeyValueDump {
        let text = try text()
        guard DumpSyntax(of: text) != .database else {
            throw DumpError("a key-value database", hint: "save it and its -wal in a folder of their own, and name it")
        }
        do throws(StoreError) {
            return try read(text)
        } catch {
            throw DumpError(error.message, hint: error.hint)
        }
    }

    /// Text in UTF-8; anything else as it is.
    private func text() throws(DumpError) -> [UInt8] {
        let isText = head.type.hasPrefix("text/") || head.type == "application/json"
        do throws(MailFault) {
            if let fault { throw fault }
            return isText && !bytes.starts(with: "bplist".utf8) ? try MailCharset.utf8(of: bytes, head.charset) : bytes
        } catch {
            throw DumpError(error)
        }
    }

    /// The dump that a letter is; nil for one that is none.
    fileprivate func dumpInText(_ read: DumpReading) throws(DumpError) -> KeyValueDump? {
        let letter = try lines().map(\.text).joined(separator: "\n")
        let hasDictionary = letter.contains(/(?i)(?:MeterNames|TC66TemperatureUnits)["']?\s*[=:<{\[]/)
        let syntax = DumpSyntax(of: Array(letter.utf8))
        guard hasDictionary || syntax == .json || syntax == .swift, syntax != .lines, syntax != .list else {
            return nil
        }
        let hint = "save the dump, and nothing else, in a file of its own, and name that file"
        let dump: KeyValueDump
        do throws(StoreError) {
            dump = try read(Array(letter.utf8))
        } catch {
            guard hasDictionary else { return nil }
            throw DumpError("the text of the mail has a dump in it that cannot be read: \(error.message)", hint: hint)
        }
        if let name = dump.entries.lazy.compactMap(\.value.text).first(where: { $0.contains { $0.isNewline } }) {
            throw DumpError("the mail may have broken a name in the dump: \(name.shortened)", hint: hint)
        }
        return dump
    }

    /// Those of a letter.
    fileprivate func lines() throws(DumpError) -> [LetterLine] {
        let text: [UInt8]
        do throws(DumpError) {
            text = try self.text()
        } catch {
            throw DumpError("the text of the mail cannot be read: \(error.reason)", hint: error.hint)
        }
        guard UTF8Check.firstInvalid(in: text) == nil else {
            throw DumpError(
                "the text of the mail is not in \(head.charset ?? "us-ascii"), as it says",
                hint: "ask for the list in a file in UTF-8, attached to a mail")
        }
        guard text.count <= Self.longestLetter else {
            throw DumpError(
                "a mail whose text has more than \(Self.longestLetter >> 20) MiB", hint: "save the list in a file")
        }
        return LetterLine.all(in: text, head)
    }
}

extension DumpError {
    fileprivate init(_ fault: MailFault) { self.init(fault.reason, hint: fault.hint) }
}
