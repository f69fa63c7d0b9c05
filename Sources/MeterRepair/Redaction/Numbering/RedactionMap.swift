internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterJournal
internal import MeterModel
internal import Texts

/// Who is who, for the person who redacted the store and for nobody else; with it the stores of one ticket agree.
struct RedactionMap: Sendable {
    struct Entry: Sendable {
        let kind: RedactedKind
        let number: Int
        /// An address in canonical text.
        let original: String
        let replacement: String
        /// Where it was found first.
        let place: String
    }

    /// The store that was redacted last, as the user gave it.
    var store: String?
    private(set) var entries: [Entry] = []
    private var known: [RedactedKind: Set<Int>] = [:]

    mutating func add(
        _ kind: RedactedKind, _ number: Int, _ original: [UInt8], _ replacement: [UInt8], in place: String
    ) {
        // A text that is not UTF-8 could not be found again.
        guard known[kind, default: []].insert(number).inserted, original.withUnsafeBufferPointer(UTF8Check.isValid)
        else { return }
        entries.append(
            Entry(
                kind: kind, number: number, original: String(decoding: original, as: UTF8.self),
                replacement: String(decoding: replacement, as: UTF8.self), place: place))
    }
}

/// The document of `--map` in Documentation/json.md.
extension RedactionMap: JSONWritable {
    func write(to writer: inout JSONWriter) {
        let order = RedactedKind.allCases.enumerated().reduce(into: [:]) { $0[$1.element] = $1.offset }
        writer.object { writer in
            writer.members(JSONDocument.head(command: "redact", store: store))
            let sorted = entries.sorted { (order[$0.kind]!, $0.number) < (order[$1.kind]!, $1.number) }
            writer.member("values", each: sorted) { entry, writer in
                let value: JSONValue = [
                    "kind": entry.kind.rawValue, "number": entry.number, "original": entry.original,
                    "replacement": entry.replacement, "place": entry.place,
                ]
                value.write(to: &writer)
            }
        }
    }
}

/// A map's file, as it was found.
struct RedactionMapFile {
    let path: String
    let map: RedactionMap
    /// Nil where there was no file.
    private let bytes: [UInt8]?

    var isNew: Bool { bytes == nil }

    /// - Throws: `StoreError`, `cannotCreate` where there is a file that is not a map.
    init(_ path: String) throws(StoreError) {
        self.path = path
        let input: FileInput
        do throws(StoreError) {
            input = try FileInput(regular: path)
        } catch {
            if error.kind == .notFound {
                (bytes, map) = (nil, RedactionMap())
                return
            }
            // A folder, for instance.
            throw error.kind == .damaged ? Self.refusal(path) : error
        }
        guard let bytes = try input.bytes(limit: Self.longest), let map = RedactionMap(document: bytes) else {
            throw Self.refusal(path)
        }
        (self.bytes, self.map) = (bytes, map)
    }

    /// Bytes: more than a million values have.
    private static let longest = 1 << 28

    private static func refusal(_ path: String) -> StoreError {
        StoreError(
            .cannotCreate, at: path, "this file exists already, and it is not a map of `meterfix redact`",
            hint: "name the map of an earlier redaction, or a new file")
    }

    /// Writes the map to a new file (mode 0600), or in place of the one that was read.
    /// - Throws: `StoreError`; `inUse` where the file has changed since.
    func write(_ map: RedactionMap) throws(StoreError) {
        guard let bytes else { return try FileOutput.write(map.line(pretty: true), to: path) }
        guard try FileInput(regular: path).bytes(limit: Self.longest) == bytes else {
            throw StoreError(
                .inUse, at: path, "another redaction has written to this map meanwhile", hint: "try again")
        }
        try FileReplacement.write(map.line(pretty: true), to: path)
    }
}

extension RedactionMap {
    /// Nil for what is not such a document.
    init?(document: [UInt8]) {
        guard let json = try? JSONValue(parsing: document), json["command"] == "redact",
            case .array(let values)? = json["values"]
        else { return nil }
        var originals: [RedactedKind: Set<String>] = [:]
        for value in values {
            guard case .string(let word)? = value["kind"], let kind = RedactedKind(rawValue: word),
                case .integer(let number)? = value["number"], (1...Self.most).contains(number),
                case .string(let original)? = value["original"],
                case .string(let replacement)? = value["replacement"], case .string(let place)? = value["place"],
                originals[kind, default: []].insert(original).inserted,
                known[kind, default: []].insert(Int(number)).inserted
            else { return nil }
            entries.append(
                Entry(
                    kind: kind, number: Int(number), original: original, replacement: replacement, place: place))
        }
    }

    /// More than there can be; an address has room for them.
    private static let most: Int64 = 1 << 39
}
