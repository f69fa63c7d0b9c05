internal import CoreDataStore
internal import MeterModel

/// What a redacted copy must not have: every text and id of a store, read by other ways than the program's own, and what
/// is left of earlier ones in pages that no row uses any more.
package struct Originals: Sendable {
    enum Content: Hashable, Sendable {
        case text(String)
        case uuid([UInt8])
        /// 48 bits.
        case address([UInt8])
        case bytes([UInt8])
    }

    struct Original: Sendable {
        let content: Content
        let place: String
        /// Whether no row has it any more.
        var isLeftOver = false
    }

    /// Each once.
    private(set) var all: [Original] = []
    private var seen: Set<Content> = []
    let harmless: HarmlessWords

    /// Reads a copy of the store at `path`, with its `-wal`. Its folder stays as it is.
    package init(of path: String) throws {
        let values = try StoreValues(of: path)
        harmless = HarmlessWords(values: values)
        let mirrorHashes = Self.rowsOfMirrorHashes(values)
        for value in values.values {
            let table = value.table.uppercased()
            let column = value.column.uppercased()
            switch (table, column) {
            // The model is kept as it is, and which columns an update changed are bits, three bytes for the app's records.
            case ("Z_MODELCACHE", "Z_CONTENT"): continue
            case ("ACHANGE", "ZCOLUMNS") where value.bytes.count <= 4: continue
            case ("Z_METADATA", "Z_PLIST"): takeMetadata(value)
            case (_, "ZTRANSFORMEDVALUE") where mirrorHashes.contains(value.row ?? -1): continue
            default:
                if let text = value.text { take(text, at: value.place) } else { take(value.bytes, at: value.place) }
            }
        }
        for statement in values.statements {
            let text = SchemaText(statement, names: harmless.namesOfSchema)
            for literal in text.literals { take(literal, at: "a literal of the schema") }
            for comment in text.comments { take(comment, at: "a comment in the schema") }
        }
        for (text, place) in try Leftovers.windows(of: path) where seen.insert(.bytes(text)).inserted {
            all.append(Original(content: .bytes(text), place: place, isLeftOver: true))
        }
    }

    package var count: Int { all.count }
    package var leftOverCount: Int { all.count(where: \.isLeftOver) }

    /// Rows of the mirror's settings whose archive has nothing but version hashes by entity.
    private static func rowsOfMirrorHashes(_ values: StoreValues) -> Set<Int64> {
        let keys = ["PFCloudKitMetadataClientVersionHashesKey", "PFCloudKitMetadataModelVersionHashesKey"]
        return Set(
            values.values.compactMap { value in
                value.column.uppercased() == "ZKEY" && keys.contains(value.text ?? "") ? value.row : nil
            })
    }

    private mutating func takeMetadata(_ value: StoreValues.Value) {
        guard let list = (try? PropertyList(binary: value.bytes))?.dictionary else {
            return take(value.bytes, at: value.place)
        }
        // What Core Data itself keeps there: hashes, version numbers.
        for (key, content) in list where key != "NSStoreModelVersionHashes" {
            take(key, at: value.place)
            take(content, at: "\(value.place), \(key)")
        }
    }

    private mutating func take(_ list: PropertyList, at place: String) {
        switch list {
        case .string(let text): take(text, at: place)
        case .data(let bytes): take(bytes, at: place)
        case .array(let elements): for element in elements { take(element, at: place) }
        case .dictionary(let entries):
            for (key, value) in entries {
                take(key, at: place)
                take(value, at: place)
            }
        case .null, .bool, .integer, .unsigned, .real, .date, .uid: break
        }
    }

    private mutating func take(_ bytes: [UInt8], at place: String, depth: Int = 0) {
        guard bytes.count >= 3, depth < 6 else { return }
        if let pieces = ContainerContents.pieces(of: bytes) { return take(pieces, at: place, depth: depth) }
        if bytes.count == 16 { return add(.uuid(bytes), at: place) }
        if let text = ContainerContents.printable(bytes) { return take(text, at: place, depth: depth) }
        // A part of a BLOB is a leak as well.
        for start in stride(from: 0, to: bytes.count, by: 12).prefix(16) {
            let window = Array(bytes[start..<min(start + 12, bytes.count)])
            if Set(window).count >= 6 { add(.bytes(window), at: place) }
        }
    }

    private mutating func take(_ pieces: [ContainerContents.Piece], at place: String, depth: Int) {
        for piece in pieces {
            switch piece {
            case .text(let text): take(text, at: place, depth: depth + 1)
            case .bytes(let bytes): take(bytes, at: place, depth: depth + 1)
            }
        }
    }

    private mutating func take(_ text: String, at place: String, depth: Int = 0) {
        guard depth < 6, !harmless.contains(text) else { return }
        let bytes = Array(text.utf8)
        if let pieces = ContainerContents.pieces(of: bytes) { return take(pieces, at: place, depth: depth) }
        for octets in AddressText.octets(in: text) where !AddressText.placeholders.contains(octets) {
            add(.address(octets), at: place)
        }
        if let uuid = AddressText.uuid(text) { return add(.uuid(uuid), at: place) }
        if AddressText.placeholders.contains(where: { AddressText.octets(in: text) == [$0] }) { return }
        let trimmed = text.trimmingWhitespace
        // Dates move: another test looks at those.
        guard !harmless.contains(trimmed), Self.canBeFound(trimmed), !Self.isDate(trimmed) else { return }
        add(.text(trimmed), at: place)
        for word in Self.words(of: trimmed) where !harmless.contains(word) {
            add(.text(word), at: "a word of \(place)")
        }
        if bytes.count >= 12, bytes.allSatisfy({ Base64Run.values[Int($0)] != 255 || $0 == UInt8(ascii: "=") }) {
            let decoded = Base64Run.decoded(bytes[...])
            if ContainerContents.pieces(of: decoded) != nil { take(decoded, at: place, depth: depth + 1) }
        }
    }

    private mutating func add(_ content: Content, at place: String) {
        if seen.insert(content).inserted { all.append(Original(content: content, place: place)) }
    }

    /// Whether finding the text in a file tells anything. Digits, also of hex, are all over one: less than six do not;
    /// signs alone never do.
    private static func canBeFound(_ text: String) -> Bool {
        let count = text.utf8.count
        guard text.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { return false }
        let isHex = text.utf8.allSatisfy {
            Hexadecimal.digit($0) != nil || !Character(Unicode.Scalar($0)).isLetter
        }
        return count >= (isHex ? 6 : 3)
    }

    /// The words of a text, of five letters or more and not all hex: part of a name is personal too.
    private static func words(of text: String) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { word in
            word != text && word.count >= 5 && canBeFound(word)
                && word.utf8.contains { Hexadecimal.digit($0) == nil }
        }
    }

    private static func isDate(_ text: String) -> Bool {
        let digits = text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits >= 12 && text.contains("T") && text.contains("-")
            && text.utf8.allSatisfy { "0123456789-:.TZ+".utf8.contains($0) }
    }
}

extension String {
    var trimmingWhitespace: String {
        String(
            drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

/// Addresses and UUIDs in texts.
enum AddressText {
    static let placeholders: [[UInt8]] = [
        [0, 0, 0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0x02, 0, 0, 0, 0, 0],
    ]

    /// Every address that is a run of its own in the text: twelve digits, six pairs, three fours, with one sign between.
    static func octets(in text: String) -> [[UInt8]] {
        text.split { !$0.isHexDigit && !":-.".contains($0) }.compactMap { run in
            let digits = run.filter(\.isHexDigit)
            guard digits.count == 12 else { return nil }
            let signs = run.filter { !$0.isHexDigit }
            guard Set(signs).count <= 1, [0, 2, 5].contains(signs.count) else { return nil }
            return Hexadecimal.bytes(of: String(digits))
        }
    }

    /// The bytes of a text that is a UUID, with hyphens or without.
    static func uuid(_ text: String) -> [UInt8]? {
        let digits = text.filter { $0 != "-" }
        guard digits.utf8.count == 32, text.utf8.count == 36 || text.utf8.count == 32 else { return nil }
        return Hexadecimal.bytes(of: digits)
    }

    /// The ways in which 48 bits are written.
    static func spellings(_ octets: [UInt8]) -> [String] {
        let pairs = octets.map { Hexadecimal.text(of: [$0]) }
        let fours = stride(from: 0, to: 6, by: 2).map { pairs[$0] + pairs[$0 + 1] }
        let texts = ["", ":", "-", " ", "."].map { pairs.joined(separator: $0) } + [fours.joined(separator: ".")]
        return texts.flatMap { [$0, $0.uppercased()] }
    }

    static func uuidSpellings(_ bytes: [UInt8]) -> [String] {
        let text = Hexadecimal.uuidText(of: bytes)
        let bare = text.filter { $0 != "-" }
        return [text, text.lowercased(), bare, bare.lowercased()]
    }
}
