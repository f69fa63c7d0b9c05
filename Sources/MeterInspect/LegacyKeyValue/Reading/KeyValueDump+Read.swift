package import CoreDataStore
internal import Digests
internal import JSON
internal import MeterModel

extension KeyValueDump {
    /// Reads a dump of any format, which is detected from the contents.
    /// - Throws: `StoreError`; `damaged` if it is not a dump, is too large, or has neither dictionary.
    package init(_ source: KeyValueSource, identifier: String? = nil) throws(StoreError) {
        switch source {
        case .bytes(let bytes, let name): try self.init(bytes, name: name, identifier: identifier)
        case .standardInput:
            let bytes = try Self.contents(of: FileInput(standardInput: source.name), name: source.name)
            try self.init(bytes, name: source.name, identifier: identifier)
        case .file(let path):
            guard !path.isEmpty, let status = try FileStatus.named(path) else {
                throw StoreError(.notFound, at: path, "no such file", hint: "check the path of the dump")
            }
            guard !status.isDirectory else {
                throw StoreError(
                    .damaged, at: path, "a directory, not a dump", hint: "name the file with the old names in it")
            }
            if status.isRegular, try Self.isDatabase(path) {
                try self.init(database: path, name: path, identifier: identifier)
            } else {
                let bytes = try Self.contents(of: FileInput(path), expected: status.size, name: path)
                try self.init(bytes, name: path, identifier: identifier)
            }
        }
    }

    private init(_ bytes: [UInt8], name: String, identifier: String?) throws(StoreError) {
        let text = try Self.text(of: bytes, name: name)
        guard Mail.begins(text) else {
            try self.init(document: bytes, name: name, identifier: identifier)
            return
        }
        self = try DumpError.located(at: name) { () throws(DumpError) in
            try KeyValueDump(Mail(text), identifier: identifier, sha256: Self.digest(of: bytes)) {
                bytes throws(StoreError) in
                try KeyValueDump(document: bytes, name: name, identifier: identifier)
            }
        }
    }

    /// Text in UTF-8; a binary format as it is.
    private static func text(of bytes: [UInt8], name: String) throws(StoreError) -> [UInt8] {
        let isBinary = ["bplist", "SQLite format 3"].contains { bytes.starts(with: $0.utf8) }
        return try DumpError.located(at: name, hint: DumpSyntax.fileItself) { () throws(DumpError) in
            isBinary ? bytes : try DumpText.utf8(of: bytes)
        }
    }

    private static func digest(of bytes: [UInt8]) -> String {
        var hash = SHA256Hasher()
        bytes.withUnsafeBytes { hash.update($0) }
        return Hexadecimal.text(of: hash.finalize())
    }

    private init(document bytes: [UInt8], name: String, identifier: String?) throws(StoreError) {
        let text = try Self.text(of: bytes, name: name)
        guard let syntax = DumpSyntax(of: text) else { throw Self.unrecognized(bytes).storeError(at: name) }
        if let instead = syntax.instead { throw DumpError(syntax.rawValue, hint: instead).storeError(at: name) }
        if syntax == .database {
            let copy = try PrivateCopy(holding: bytes)
            try self.init(database: copy.path, name: name, identifier: identifier)
            return
        }
        let sha256 = Self.digest(of: bytes)
        self = try DumpError.located(at: name, in: text, hint: DumpSyntax.fileItself) { () throws(DumpError) in
            try Self.read(text, as: syntax, identifier: identifier, sha256: sha256)
        }
    }

    private static func read(
        _ text: [UInt8], as syntax: DumpSyntax, identifier: String?, sha256: String
    ) throws(DumpError) -> KeyValueDump {
        func dump(
            _ dictionaries: LegacyDictionaries, _ warnings: [String] = [], isSheet: Bool = false
        ) -> KeyValueDump {
            KeyValueDump(
                entries: dictionaries.entries, format: Format(isSheet ? .sheet : syntax, dictionaries.place),
                ignoredKeys: dictionaries.ignoredKeys,
                warnings: warnings + dictionaries.warnings + warningOnLostLetters(dictionaries.entries),
                keepsBlanks: isSheet, sha256: sha256)
        }
        func dump(_ node: some DumpNode, _ warnings: [String] = []) throws(DumpError) -> KeyValueDump {
            try DumpError.checkInterruption()
            return dump(try LegacyDictionaries(in: node, identifier: identifier), warnings)
        }
        /// A keyed archive has its objects in a list of their own.
        func dump(_ list: PropertyList) throws(DumpError) -> KeyValueDump {
            try dump(list.unarchived ?? list, [])
        }
        switch syntax {
        case .binaryPropertyList: return try dump(PropertyList(binaryDump: text))
        case .xmlPropertyList: return try dump(PropertyList(xml: text))
        case .textPropertyList: return try dump(PropertyList(oldStyle: text))
        case .list:
            let list = try TypedList(text)
            let dictionaries = try LegacyDictionaries(
                typed: list.entries, ignoredColumns: list.ignoredColumns.count, identifier: identifier)
            return dump(dictionaries, list.warnings, isSheet: list.isSheet)
        case .lines:
            let lines = try TypedLines(text)
            return dump(try LegacyDictionaries(typed: lines.entries, identifier: identifier), lines.warnings)
        case .swift:
            let (tree, _) = try json(SwiftPrintReader.json(of: text))
            return try dump(tree.top)
        case .json:
            let (tree, warnings) = try json(text)
            return try dump(tree.top, warnings)
        case .database, .sheet, .printedPropertyList, .debugger, .python, .html, .bars:
            throw DumpError("\(syntax) is not read as text")
        }
    }

    /// What another program could not read, it replaced: nothing brings it back.
    private static func warningOnLostLetters(_ entries: [DumpEntry]) -> [String] {
        let count = entries.count { $0.value.text?.unicodeScalars.contains("\u{FFFD}") ?? false }
        guard count > 0 else { return [] }
        return ["\(Phrase.count(count, "name")) with \u{FFFD}, the sign for letters that were lost before"]
    }

    private static func json(_ text: [UInt8]) throws(DumpError) -> (JSONTree, warnings: [String]) {
        func tree(_ text: [UInt8]) throws(JSONError) -> JSONTree {
            try JSONTree(parsing: text, limits: DumpLimits.json, keepsUnpairedSurrogates: true)
        }
        try DumpText.validate(text)
        do {
            return (try tree(text), [])
        } catch {
            // What is over a limit is not read again.
            if text.count <= DumpLimits.inputBytes {
                if let lines = TypedText.jsonOfLines(text, isValue: { (try? tree($0)) != nil }) {
                    do {
                        return (try tree(lines), [])
                    } catch {
                        throw DumpError(json: error, at: max(0, error.offset - 1))
                    }
                }
                if let mended = TypedText.mendedJSON(text), let tree = try? tree(mended.text) {
                    return (tree, mended.warnings)
                }
            }
            let isAboutAll = error.offset == 0 && !text.isEmpty
            throw DumpError(json: error, at: isAboutAll ? nil : error.offset)
        }
    }

    private static func unrecognized(_ bytes: [UInt8]) -> DumpError {
        guard !bytes.isEmpty else { return DumpError("an empty file, 0 bytes", hint: "ask for the dump again") }
        let text = String(decoding: bytes, as: UTF8.self)
        if let workbook = workbooks.first(where: { text.contains($0.mark) }) {
            return DumpError(
                "a spreadsheet as \(workbook.program) saves it, not a list of its cells",
                hint: "save it there as CSV UTF-8, with a line for each meter, \(DumpSyntax.example)")
        }
        let kind = FileKind(of: bytes)
        return DumpError(
            "not a dump\(kind.map { " but \($0.name)" } ?? ""): "
                + "neither a property list nor JSON nor a list nor a key-value database",
            hint: kind?.isArchive == true
                ? "unpack it first"
                : "the old names come as a property list or JSON with MeterNames in it, or as a list with an address and a "
                    + "name in each line, \(DumpSyntax.example)")
    }

    /// Names of files in the archives that spreadsheets are.
    private static let workbooks: [(mark: String, program: String)] = [
        ("xl/workbook", "Excel"), ("opendocument.spreadsheet", "LibreOffice"), ("Index/Document.iwa", "Numbers"),
    ]

    /// Whether it is a database, which is not read as a whole; also one whose contents are all in its WAL.
    private static func isDatabase(_ path: String) throws(StoreError) -> Bool {
        guard let head = try FileInput(path).nextChunk(upTo: 16) else {
            return (try FileStatus.named(path + "-wal")?.size ?? 0) > 0
        }
        return DumpSyntax(of: head) == .database
    }

    private static func contents(
        of input: FileInput, expected: Int = 0, name: String
    ) throws(StoreError) -> [UInt8] {
        guard let bytes = try input.bytes(limit: DumpLimits.inputBytes, expected: expected) else {
            throw StoreError(
                .damaged, at: name, "more than \(DumpLimits.inputBytes >> 20) MiB",
                hint: "the app's key-value store holds 1 MB at most: is this the right file?")
        }
        return bytes
    }
}

extension DumpError {
    fileprivate init(json error: JSONError, at offset: Int?) {
        self.init(
            "the JSON cannot be read: \(error.reason)", at: offset,
            hint: error.isAboutEnd
                ? "its end is missing: ask for the whole file"
                : "send it as JSON.stringify and json.dumps write it, each key once, keys and texts in double quotes, and "
                    + "nothing else in the file; or send a line for each meter, \(DumpSyntax.example)")
    }
}

extension PropertyList {
    init(binaryDump bytes: [UInt8]) throws(DumpError) {
        do {
            try self.init(binary: bytes, limits: DumpLimits.binary)
        } catch {
            throw DumpError("the property list cannot be read: \(error)")
        }
    }
}

package enum KeyValueSource: Hashable, Sendable {
    /// A file, or anything else that can be opened and read to the end.
    case file(String)
    case standardInput
    /// Bytes that were already read, and their name in messages.
    case bytes([UInt8], name: String)

    /// `-` is standard input.
    package init(argument: String) { self = argument == "-" ? .standardInput : .file(argument) }

    package var name: String {
        switch self {
        case .file(let path): path
        case .standardInput: "standard input"
        case .bytes(_, let name): name
        }
    }
}
