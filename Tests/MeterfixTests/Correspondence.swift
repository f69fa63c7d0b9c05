import Foundation
import JSON

/// Whether two stores, or what is said of them, are the same but for who is who: every text of the one stands for exactly
/// one text of the other, everywhere; all else is equal.
struct Correspondence {
    /// What went wrong, each with its place.
    private(set) var contradictions: [String] = []
    /// Original to replacement and back, by the kind of text. As bytes: an accent written in two ways makes two names.
    private var forward: [String: [[UInt8]: String]] = [:]
    private var backward: [String: [[UInt8]: String]] = [:]
    /// Sentences are compared last, when it is known who is who.
    private var sentences: [(original: String, copy: String, place: String)] = []

    mutating func contradict(_ place: String, _ text: String) { contradictions.append("\(place): \(text)") }

    // MARK: texts

    /// Notes that `copy` stands for `original` among the texts of a kind.
    mutating func pair(_ kind: String, _ original: String, _ copy: String, at place: String) {
        let (before, after) = (Array(original.utf8), Array(copy.utf8))
        if let known = forward[kind]?[before], !known.utf8.elementsEqual(after) {
            return contradict(
                place, "the \(kind) \(quoted(original)) became \(quoted(copy)), elsewhere \(quoted(known))")
        }
        if let known = backward[kind]?[after], !known.utf8.elementsEqual(before) {
            return contradict(
                place, "the \(kind) \(quoted(copy)) stands for \(quoted(original)) and for \(quoted(known))")
        }
        guard forward[kind]?[before] == nil else { return }
        forward[kind, default: [:]][before] = copy
        backward[kind, default: [:]][after] = original
        check(kind, original, copy, at: place)
    }

    /// What a replacement keeps.
    private mutating func check(_ kind: String, _ original: String, _ copy: String, at place: String) {
        if original.isEmpty != copy.isEmpty { contradict(place, "\(quoted(original)) became \(quoted(copy))") }
        let spaces = { (text: String) in
            (text.prefix(while: \.isWhitespace), String(text.reversed().prefix(while: \.isWhitespace)))
        }
        if ["address", "name"].contains(kind), spaces(original) != spaces(copy) {
            contradict(place, "the white space around \(quoted(original)) is not that around \(quoted(copy))")
        }
        switch kind {
        case "address":
            let (before, after) = (Address(original), Address(copy))
            if (before == nil) != (after == nil) {
                return contradict(
                    place, "\(quoted(original)) became \(quoted(copy)): one is an address, the other is not")
            }
            guard let before, let after else { return }
            if !before.isWritten(like: after) {
                contradict(place, "\(quoted(original)) and \(quoted(copy)) are not written alike")
            }
            if before.isPlaceholder || after.isPlaceholder, before.octets != after.octets {
                contradict(place, "a placeholder: \(quoted(original)) became \(quoted(copy))")
            }
            pair("48 bits", before.octets, after.octets, at: place)
        case "unit":
            // Also in another spelling, which a person knows to read.
            let units = ["celsius", "fahrenheit", "c", "f", "°c", "°f"]
            let isUnit = { (text: String) in units.contains(text.trimmingCharacters(in: .whitespaces).lowercased()) }
            if isUnit(original) || isUnit(copy), original != copy {
                contradict(place, "the unit \(quoted(original)) became \(quoted(copy))")
            }
        default: break
        }
    }

    private func quoted(_ text: String) -> String { "\"\(text.prefix(60).replacing("\n", with: "\\n"))\"" }

    /// Seconds since 2001.
    mutating func compareDates(_ original: Double, _ copy: Double, at place: String) {
        if abs(original - copy) > 0.0005 { contradict(place, "\(original) became \(copy)") }
    }

    // MARK: JSON

    /// Arrays whose order follows from addresses, names or ids.
    private static let unordered: Set<String> = [
        "findings", "changes", "conflicts", "meters", "objects", "authors", "rows", "locks",
    ]
    /// Sentences in which texts of the store are quoted.
    private static let sentenceKeys: Set<String> = [
        "message", "cure", "firstAid", "next", "explanation", "problem", "notes",
    ]
    /// Keys whose texts stand for others, and their kind.
    private static let kinds: [String: String] = [
        "mac": "canonical address", "address": "address", "macAddress": "address", "meterName": "name",
        "lastSeenBy": "device", "by": "device", "devices": "device", "connectedByDeviceName": "device",
        "lastSeenByDeviceName": "device", "connectedByDeviceID": "device", "identifiers": "version",
        "lastSeenByDeviceID": "device", "deviceID": "device", "deviceName": "device", "storedAddress": "address",
        "tc66TemperatureUnit": "unit", "unit": "unit", "modelType": "model type", "cloudRecord": "record",
        "cloudKitRecordID": "record", "account": "account", "id": "id", "uuid": "store", "sha256": "sha256",
        "fingerprint": "plan", "connectionMetadata": "connectionMetadata", "discoveryMetadata": "discoveryMetadata",
    ]

    /// Compares two documents. In `record`, `before`, `after`, `kept` and `value` the texts are those of the attribute;
    /// those of one that is not known are a kind of their own.
    mutating func compare(_ original: JSONValue, _ copy: JSONValue, at place: String) {
        compare(original, copy, key: "", within: "", at: place)
    }

    private mutating func compare(
        _ original: JSONValue, _ copy: JSONValue, key: String, within: String, at place: String
    ) {
        switch (original, copy) {
        case (.object(let members), .object(let others)):
            // How large a file is.
            if key == "bytes" { return }
            guard members.map(\.key) == others.map(\.key) else {
                return contradict(place, "keys \(members.map(\.key)), of the copy \(others.map(\.key))")
            }
            // A field of a change and a conflict say which attribute they are about.
            let attribute = original["rule"] != nil ? original["name"]?.string : original["field"]?.string
            for (member, other) in zip(members, others) {
                var inner = attribute.map { "attribute \($0)" } ?? (key.isEmpty ? within : key)
                if within.hasPrefix("attribute "), attribute == nil { inner = within }
                compare(member.value, other.value, key: member.key, within: inner, at: "\(place).\(member.key)")
            }
        case (.array(let elements), .array(let others)):
            guard elements.count == others.count else {
                return contradict(
                    place,
                    "\(elements.count) elements, of the copy \(others.count): \(shown(original)), of the copy \(shown(copy))"
                )
            }
            let isUnordered = Self.unordered.contains(key)
            let left = isUnordered ? sorted(elements) : elements
            let right = isUnordered ? sorted(others) : others
            for (index, pair) in zip(left, right).enumerated() {
                compare(pair.0, pair.1, key: key, within: within, at: "\(place)[\(index)]")
            }
        case (.string(let text), .string(let other)): compare(text, other, key: key, within: within, at: place)
        case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double):
            if let kind = kind(of: key, within: within), kind.hasPrefix("attribute "), let before = original.number,
                let after = copy.number
            {
                return pair(kind, "\(before)", "\(after)", at: place)
            }
            if original != copy { contradict(place, "\(shown(original)), of the copy \(shown(copy))") }
        default:
            if original != copy { contradict(place, "\(shown(original)), of the copy \(shown(copy))") }
        }
    }

    /// What is wrong with a text in place of an address is not true of another one.
    private static func withoutFault(_ sentence: String) -> String {
        let words = " in place of an address"
        guard let fault = sentence.range(of: words + ": ") else { return sentence }
        return String(sentence[..<fault.lowerBound]) + words
    }

    private mutating func compare(_ text: String, _ other: String, key: String, within: String, at place: String) {
        if let before = ISODate.seconds(text), let after = ISODate.seconds(other) {
            return compareDates(before, after, at: place)
        }
        // At the top it is the command's name.
        let isCommandLine = key == "command" && !within.isEmpty
        // What it is made of stands beside it, the meter and the value; and not every name needs quotes.
        if isCommandLine, place.contains(".dropped[") { return }
        if Self.sentenceKeys.contains(key) || isCommandLine {
            return sentences.append((Self.withoutFault(text), Self.withoutFault(other), place))
        }
        guard let kind = kind(of: key, within: within) else {
            if text != other { contradict(place, "\(quoted(text)), of the copy \(quoted(other))") }
            return
        }
        if ["connectionMetadata", "discoveryMetadata"].contains(kind) {
            return compareMetadata(text, other, kind: kind, at: place)
        }
        pair(kind, text, other, at: place)
    }

    /// The JSON that a record keeps its lock or discovery in.
    mutating func compareMetadata(_ text: String, _ other: String, kind: String, at place: String) {
        let before = try? JSONValue(parsing: Array(text.utf8))
        let after = try? JSONValue(parsing: Array(other.utf8))
        guard (before == nil) == (after == nil) else {
            return contradict(place, "\(quoted(text)) became \(quoted(other)): only one of them is JSON")
        }
        guard case .object(let members)? = before, case .object(let others)? = after else {
            return pair(kind, text, other, at: place)
        }
        // In which order they are makes no difference to the app.
        guard members.map(\.key).sorted() == others.map(\.key).sorted() else {
            return contradict(place, "\(quoted(text)) became \(quoted(other)): other keys")
        }
        for (member, other) in zip(members.sorted { $0.key < $1.key }, others.sorted { $0.key < $1.key }) {
            let place = "\(place).\(member.key)"
            switch (member.value, other.value) {
            case (.string(let text), .string(let other)):
                if let before = ISODate.seconds(text), let after = ISODate.seconds(other) {
                    compareDates(before, after, at: place)
                } else {
                    pair("device", text, other, at: place)
                }
            case (.integer, .integer), (.double, .double):
                // Seconds, of whichever era.
                if let before = member.value.number, let after = other.value.number {
                    compareDates(before, after, at: place)
                }
            default:
                if member.value != other.value {
                    contradict(place, "\(shown(member.value)) became \(shown(other.value))")
                }
            }
        }
    }

    /// The kind of text that a key has; nil for a word of the document.
    private func kind(of key: String, within: String) -> String? {
        let attribute = within.hasPrefix("attribute ") ? String(within.dropFirst(10)) : nil
        switch key {
        case "before", "after", "kept", "value":
            return attribute.map { Self.kinds[$0] ?? "attribute \($0)" }
        case "name":
            switch within {
            case "meters", "objects": return "name"
            case "authors": return "author"
            default: return nil
            }
        case "id" where within == "findings": return nil
        case "uuid" where within != "store": return nil
        case "lastByMeterfix": return nil
        default:
            if within == "record" { return Self.kinds[key] ?? "attribute \(key)" }
            return Self.kinds[key]
        }
    }

    /// In an order that is the same for both.
    private func sorted(_ elements: [JSONValue]) -> [JSONValue] {
        let keys = [
            "id", "kind", "severity", "entity", "row", "rows", "field", "keptFromRow", "mergedInto", "transactions",
        ]
        func rank(_ element: JSONValue) -> String {
            guard case .object = element else { return element.number.map { String(format: "%020.3f", $0) } ?? "" }
            return keys.map { key in
                switch element[key] {
                case .integer(let number)?: String(format: "%012d", number)
                case .array(let numbers)?:
                    numbers.compactMap(\.number).sorted().map { String(format: "%012.0f", $0) }.joined(separator: ",")
                case .string(let text)?: text
                default: ""
                }
            }.joined(separator: "|")
        }
        let ranked = elements.map { (rank($0), $0) }
        return ranked.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }.map(\.element.1)
    }

    private func shown(_ value: JSONValue) -> String { String("\(value)".prefix(300)) }

    // MARK: at the end

    /// Checks what can be said only when all is known.
    mutating func finish() {
        // A text can be of two kinds, such as a model type in place of an address: then one of them is meant.
        let kinds = forward.keys.sorted()
        let preferences = kinds.map { kind in
            var names: [[UInt8]: [UInt8]] = [:]
            for other in [kind] + kinds where other != "48 bits" {
                // A sentence can have a text without the white space around it.
                let pairs = (forward[other] ?? [:]).flatMap { text, name in
                    [(text, name), (Array(trimmed(String(decoding: text, as: UTF8.self)).utf8), trimmed(name))]
                }
                for (text, name) in pairs where !text.isEmpty && names[text] == nil { names[text] = Array(name.utf8) }
            }
            // An address is shown as canonical text, whichever way the store has it.
            for (digits, others) in forward["48 bits"] ?? [:] {
                let addresses = [String(decoding: digits, as: UTF8.self), others].map(Self.inPairs)
                for (text, name) in [
                    (addresses[0], addresses[1]), (addresses[0].uppercased(), addresses[1].uppercased()),
                ]
                where names[Array(text.utf8)] == nil { names[Array(text.utf8)] = Array(name.utf8) }
            }
            return names
        }
        let translations = (preferences.isEmpty ? [[:]] : preferences).map(Translation.init)
        // Many findings say the same.
        var expected: Set<[String]> = []
        for (original, copy, place) in sentences where expected.insert([original, copy]).inserted {
            let found = words(copy)
            if translations.contains(where: { words($0.of(original)) == found }) { continue }
            contradict(place, "\(original)\n  of the copy: \(copy)\n  expected:    \(translations[0].of(original))")
        }
    }

    private static func inPairs(_ digits: String) -> String {
        stride(from: 0, to: 12, by: 2).map { String(digits.dropFirst($0).prefix(2)) }.joined(separator: ":")
    }

    private func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// The words in alphabetical order: what is listed in a sentence may be in the order of addresses.
    private func words(_ sentence: String) -> [String] {
        let isCutOff = sentence.contains(" more")
        return sentence.replacing("out/", with: "").split { $0.isWhitespace || ",;".contains($0) }.compactMap { word in
            let word = String(word).trimmingCharacters(in: [":", "."])
            // Which of many addresses are listed is a matter of their order.
            return isCutOff && Address(word) != nil ? nil : word
        }.sorted()
    }
}

/// What stands for each text of the original, in a sentence.
private struct Translation {
    private let names: [[UInt8]: [UInt8]]
    /// The texts by their first byte, the longest first.
    private let candidates: [UInt8: [[UInt8]]]
    /// What may be before and after a word.
    private static let borders = Set(" \",:.;()`".utf8)

    init(_ names: [[UInt8]: [UInt8]]) {
        self.names = names
        candidates = Dictionary(grouping: names.keys) { $0[0] }.mapValues { $0.sorted { $0.count > $1.count } }
    }

    /// The sentence with each text of the original replaced by the one that stands for it, where it is quoted or a word
    /// of its own.
    func of(_ sentence: String) -> String {
        let bytes = Array(sentence.utf8)
        var result: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if let name = name(at: position, of: bytes), let other = names[name] {
                result += other
                position += name.count
            } else {
                result.append(bytes[position])
                position += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func name(at position: Int, of bytes: [UInt8]) -> [UInt8]? {
        guard position == 0 || Self.borders.contains(bytes[position - 1]) else { return nil }
        return candidates[bytes[position]]?.first { name in
            let end = position + name.count
            guard end <= bytes.count, end == bytes.count || Self.borders.contains(bytes[end]) else { return false }
            // One letter can be an article.
            let isQuoted = position > 0 && bytes[position - 1] == 0x22 && end < bytes.count && bytes[end] == 0x22
            return (isQuoted || name.count >= 3) && bytes[position..<end].elementsEqual(name)
        }
    }
}

/// An address as it is written.
private struct Address {
    /// Twelve digits in lower case.
    let octets: String
    /// How it is written: a letter for each digit, and the signs as they are.
    private let pattern: String
    /// Whether letters are capitals; empty where there is none.
    private let areCapitals: Set<Bool>

    var isPlaceholder: Bool { ["000000000000", "ffffffffffff", "020000000000"].contains(octets) }

    init?(_ text: String) {
        let core = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        let digits = core.filter { $0.isHexDigit && $0.isASCII }
        let signs = core.filter { !($0.isHexDigit && $0.isASCII) }
        let sign = signs.first ?? "-"
        guard digits.count == 12, Set(signs).count <= 1, ":-.".contains(sign) else { return nil }
        let parts = String(core).split(separator: sign, omittingEmptySubsequences: false).map(\.count)
        let allowed = sign == "." ? [[4, 4, 4]] : [[2, 2, 2, 2, 2, 2]]
        guard signs.isEmpty || allowed.contains(parts) else { return nil }
        octets = String(digits).lowercased()
        areCapitals = Set(digits.filter { !$0.isNumber }.map(\.isUppercase))
        pattern = text.map { $0.isHexDigit && $0.isASCII ? "x" : String($0) }.joined()
    }

    /// One without letters is written in either case.
    func isWritten(like other: Address) -> Bool {
        pattern == other.pattern
            && (areCapitals == other.areCapitals || areCapitals.isEmpty || other.areCapitals.isEmpty)
    }
}

/// ISO 8601 in UTC, with fractions or without.
enum ISODate {
    /// Seconds since 2001; nil for any other text.
    static func seconds(_ text: String) -> Double? {
        let utf8 = text.utf8
        guard (19...32).contains(utf8.count), text.hasSuffix("Z"), text.dropFirst(4).first == "-",
            text.dropFirst(10).first == "T"
        else { return nil }
        let numbers = text.dropLast().split(whereSeparator: { "-T:".contains($0) })
        guard numbers.count == 6, let year = Int(numbers[0]), let month = Int(numbers[1]), let day = Int(numbers[2]),
            let hour = Int(numbers[3]), let minute = Int(numbers[4]), let second = Double(numbers[5])
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
        let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute)
        return calendar.date(from: parts).map { $0.timeIntervalSinceReferenceDate + second }
    }
}
