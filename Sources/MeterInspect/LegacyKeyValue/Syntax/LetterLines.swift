internal import Foundation
internal import MeterModel

/// The meters in the lines of a letter. What somebody writes in a sentence is no name: a list has two lines or more, one
/// behind the other and in the same form, with nothing in them but a name, one sign, an address and perhaps a unit. Every
/// other line with an address is kept as an entry that no import can use, for a person to look at.
struct LetterLines {
    private(set) var entries: [DumpEntry] = []
    /// Lines with an address that are not read, in their order.
    private(set) var unread: [String] = []
    /// How many meters there are.
    private(set) var count = 0
    /// Whether a list is read that the sender has only quoted.
    private(set) var areQuoted = false
    private var known: Set<String> = []

    private typealias Meter = (form: TypedForm, key: String, name: String, unit: String?)

    /// The columns at which no program breaks lines yet; most do at 72 to 78.
    private static let narrowest = 65
    private static let longest = 1_000

    /// Parts of words by which a list, or the line above it, asks to do away with meters.
    private static let wishes = ["delet", "remov", "lösch", "entfern", "supprim", "effac", "șterge", "sterge"]
    /// Words that sentences have, and names hardly ever.
    private static let words: Set<String> = [
        "please", "is", "are", "was", "bitte", "ist", "war", "est", "este", "forget", "ignore", "replace", "not",
    ]

    /// Adds those of a letter.
    mutating func add(_ lines: [LetterLine]) {
        let lines = lines.filter { !WhiteSpace.isAll($0.text) }
        // What somebody writes about what he quotes may say that it is wrong.
        let hasOwnText = lines.contains { $0.depth == 0 && !WhiteSpace.trimmed($0.text).hasSuffix(":") }
        let hasAddress = lines.map { Self.hasAddress($0.text) }
        var rest = lines.indices[...]
        while let start = rest.first(where: { hasAddress[$0] }) {
            let end = lines[start...].indices.first { !hasAddress[$0] } ?? lines.endIndex
            addBlock(
                lines[start..<end], hasOwnText: hasOwnText, before: start > 0 ? lines[start - 1] : nil,
                behind: end < lines.endIndex ? lines[end] : nil)
            rest = rest[end...]
        }
    }

    /// All that have an address, whatever else they are.
    static func withAddress(_ lines: [LetterLine]) -> [String] {
        lines.map(\.text).filter(hasAddress).map { WhiteSpace.trimmed($0) }
    }

    /// Lines with an address, one behind the other.
    private mutating func addBlock(
        _ lines: ArraySlice<LetterLine>, hasOwnText: Bool, before: LetterLine?, behind: LetterLine?
    ) {
        let meters = lines.map { Self.meter(in: $0.text) }
        let forms = Set(meters.compactMap { $0?.form })
        let isList = forms.count == 1 && meters.count { $0 != nil } > 1
        // One line like those of the list that is a sentence makes sentences of all; another one only has an address in it.
        let isSentence =
            zip(lines, meters).contains { $1 == nil ? Self.isWish($0.text) : Self.isSentence($0.text) }
            || Self.isWish(before?.text ?? "")
        // What is no meter itself may be a part of the one beside it.
        var before = before
        let next = zip(lines, meters).dropFirst().map { $1 == nil ? $0 : nil } + [behind]
        for ((line, meter), next) in zip(zip(lines, meters), next) {
            let isBroken = Self.goesOn(line, in: next) || before.map { Self.goesOn($0, in: line) } ?? false
            before = meter == nil ? line : nil
            if let meter, isList, !isSentence, !isBroken, line.depth == 0 || !hasOwnText {
                count += 1
                areQuoted = areQuoted || line.depth > 0
                entries.append(DumpEntry(dictionary: .meterNames, key: meter.key, value: .text(meter.name)))
                if let unit = meter.unit {
                    entries.append(DumpEntry(dictionary: .temperatureUnits, key: meter.key, value: .text(unit)))
                }
            } else {
                let text = WhiteSpace.trimmed(line.text)
                guard known.insert(text).inserted else { continue }
                unread.append(text)
                let place = DumpValue.Member("line", .integer(Int64(line.number)))
                entries.append(DumpEntry(dictionary: .meterNames, key: text, value: .dictionary([place])))
            }
        }
    }

    private static func meter(in text: String) -> Meter? {
        guard text.utf8.count <= longest else { return nil }
        let trimmed = WhiteSpace.trimmed(text.replacing(/^\s*\d{1,3}[.)]\s+/, with: ""))
        let line = TypedForm.withoutMark(Substring(trimmed))
        for form in TypedForm.all where form.sign != .blank {
            guard let (key, quoted, unit) = form.parts(of: line), MACAddress.parse(key) != nil, isAddress(key) else {
                continue
            }
            let name = TypedForm.Sign.withoutQuotes(quoted)
            if isName(name) { return (form, key, name, unit) }
        }
        return nil
    }

    private static func isName(_ text: String) -> Bool {
        guard let last = text.last, !".!?".contains(last), !text.contains(where: { "|{}<>[]\\".contains($0) }) else {
            return false
        }
        let hasSign = TypedForm.Sign.allCases.contains {
            $0 != .blank && $0.parts(of: Substring(text), atLast: false) != nil
        }
        return !hasSign && !hasAddress(text) && TemperatureUnit(understanding: text) == nil
    }

    private static let separators = CharacterSet(charactersIn: ":-–_.")

    private static func hasAddress(_ text: String) -> Bool {
        let words = text.split { !$0.isLetter && !$0.isNumber && !":-–_.".contains($0) }
        return words.contains { $0.utf8.count >= 9 && isAddress($0.trimmingCharacters(in: separators)) }
    }

    /// Whether a word is an address, or something like one, and no telephone number.
    private static func isAddress(_ word: String) -> Bool {
        let groups = word.components(separatedBy: separators)
        let isLike = (5...8).contains(groups.count) && groups.allSatisfy { (1...2).contains($0.count) }
        let isOfLetters = word.contains(":") || word.contains { $0.isLetter }
        if MACAddress.parse(word) != nil { return isOfLetters || word.contains("-") }
        return isLike && isOfLetters || Hexadecimal.isUUID(word.utf8)
            || word.utf8.count == 12 && isOfLetters && !MACAddress.guesses(from: word).isEmpty
    }

    private static func isSentence(_ text: String) -> Bool {
        isWish(text) || !words.isDisjoint(with: text.lowercased().split { !$0.isLetter }.map(String.init))
    }

    private static func isWish(_ text: String) -> Bool {
        let text = text.lowercased()
        return wishes.contains { text.contains($0) }
    }

    /// Whether a program may have broken a line because the first word of the next one had no place in it any more.
    private static func goesOn(_ line: LetterLine, in next: LetterLine?) -> Bool {
        guard let next, next.number == line.end + 1, !WhiteSpace.trimmed(line.text).hasSuffix(":") else { return false }
        return line.length + 1 + (next.text.split(separator: " ").first?.count ?? 0) > narrowest
    }
}
