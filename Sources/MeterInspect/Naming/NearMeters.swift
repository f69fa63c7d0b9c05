internal import CoreDataStore
package import MeterModel
internal import MeterStore

/// A meter, or a record without a usable address, with what tells it from others.
package struct NearMeter: Hashable, Sendable {
    /// Nil for a record without a usable address.
    let address: MACAddress?
    /// `macAddress` as it is stored in the first of the rows.
    let storedAddress: FieldValue
    let rows: [Int64]
    let names: [String]

    /// As many as a person reads.
    static let most = 5
}

extension MeterSession {
    /// What a user may have meant who named a meter that the store does not have: the nearest first, at most
    /// `NearMeter.most`.
    func meters(near reference: MeterReference) throws -> [NearMeter] {
        let (nearness, most) = (reference.nearness, NearMeter.most)
        var found: [(distance: Int, row: Int64, address: MACAddress?)] = []
        for record in try base.store.records {
            guard let distance = nearness(record) else { continue }
            let address = record.usableAddress
            if let address, let known = found.firstIndex(where: { $0.address == address }) {
                found[known].distance = min(found[known].distance, distance)
                continue
            }
            found.append((distance, record.row, address))
            guard found.count > 4 * most else { continue }
            found.sort { ($0.distance, $0.row) < ($1.distance, $1.row) }
            found.removeLast(found.count - most)
        }
        found.sort { ($0.distance, $0.row) < ($1.distance, $1.row) }
        return try found.prefix(most).map { near in
            try near.address.map { NearMeter(at: $0, in: self) }
                ?? NearMeter(address: nil, of: base.store.records(in: [near.row]))
        }
    }
}

extension [NearMeter] {
    /// What to ask the user, as a hint of an error; nil if nothing is near.
    /// - Parameter former: names that meters had, in words; they come first.
    func question(in letterCase: LetterCase, orHad former: [String] = []) -> String? {
        let parts = [former.joined(separator: "; or "), list(in: letterCase)].filter { !$0.isEmpty }
        return parts.isEmpty ? nil : "did you mean \(parts.joined(separator: "? or "))?"
    }

    func list(in letterCase: LetterCase) -> String {
        let texts = map { $0.text(in: letterCase) }
        return texts.count < 2 ? texts.joined() : texts.dropLast().joined(separator: "; ") + "; or " + texts.last!
    }
}

extension NearMeter {
    package init(at address: MACAddress, in session: MeterSession) {
        self.init(address: address, of: session.store.addresses.records(of: address))
    }

    fileprivate init(address: MACAddress?, of records: [DeviceSettings]) {
        var names: [String] = []
        for name in records.compactMap(\.shownName) where !names.contains(name) { names.append(name) }
        self.init(
            address: address, storedAddress: records.map { $0[.macAddress] }.first { !$0.isNull } ?? .null,
            rows: records.map(\.row), names: names)
    }

    /// `A4:C1:38:0B:7E:42, row 3, no name`.
    package func text(in letterCase: LetterCase) -> String {
        let numbers = Phrase.start(of: rows.map { "\($0)" })
        let names = names.isEmpty ? "no name" : Phrase.start(of: self.names.map { "\"\($0)\"" })
        guard let address else {
            let stored = storedAddress.isEmpty ? "no address" : "address \(storedAddress.shown)"
            return "row \(numbers), \(stored), \(names)"
        }
        return "\(address.text(in: letterCase)), row\(rows.count == 1 ? "" : "s") \(numbers), \(names)"
    }
}

extension MeterReference {
    /// How near a record is to what a user typed: nil if it is not near; less is nearer.
    fileprivate var nearness: (DeviceSettings) -> Int? {
        switch self {
        // Near an address are those one digit away or with two neighbours swapped, and texts that nearly are the address.
        case .address(let address):
            let (slips, digits) = (Set(address.slips), AddressDigits(address))
            return { record in
                switch record.address {
                case .usable(let other, _): slips.contains(other) ? 1 : nil
                case .invalid: record[.macAddress].text.flatMap { digits.distance(to: $0) }
                case .missing, .placeholder: nil
                }
            }
        // Near a name are near names; and if it nearly is an address, the records of that address.
        case .name(let name):
            let (wanted, digits) = (NameNearness(name), AddressDigits(nearly: name))
            return { record in
                let ofAddress: Int? =
                    switch record.address {
                    case .usable(let address, _): digits?.distance(to: AddressDigits(address))
                    case .invalid: record[.macAddress].text.flatMap { digits?.distance(to: $0) }
                    case .missing, .placeholder: nil
                    }
                let ofName = record.shownName.flatMap(wanted.distance)
                return [ofAddress, ofName].compactMap(\.self).min()
            }
        }
    }
}

/// How near names are to one that a user typed: those that contain it, that are in it, or that are a few typing errors
/// away.
package struct NameNearness: Sendable {
    private let name: String
    /// A name in a damaged store may be a megabyte.
    private static let longest = 100

    package init(_ name: String) { self.name = Self.folded(name) }

    /// 0 for the very name, but for letter case and white space around it; nil if they are not near.
    package func distance(to text: String) -> Int? {
        guard !name.isEmpty else { return nil }
        let other = Self.folded(text)
        if other == name { return 0 }
        let limit = name.count < 3 ? 0 : max(1, name.count / 4)
        if let typos = name.editDistance(to: other, limit: limit) { return typos }
        // As many words in a row of the name.
        let (typed, words) = (Self.words(name), Self.words(other))
        let parts = words.indices.dropLast(max(0, typed.count - 1)).compactMap { start in
            name.editDistance(to: words[start..<start + typed.count].joined(separator: " "), limit: limit)
        }
        if !typed.isEmpty, let typos = parts.min() { return Self.longest + typos }
        let (short, long) = name.count < other.count ? (name, other) : (other, name)
        return short.count > 2 && long.contains(short) ? 2 * Self.longest : nil
    }

    private static func words(_ name: String) -> [Substring] { name.split(whereSeparator: \.isWhitespace) }

    private static func folded(_ name: String) -> String {
        String(WhiteSpace.trimmed(name).prefix(longest)).lowercased()
    }
}

/// The twelve digits of an address, or a text that was to be them, in lower case and without separators.
private struct AddressDigits {
    private let digits: [UInt8]

    init(_ address: MACAddress) { digits = address.text(in: .lower).utf8.filter { $0 != UInt8(ascii: ":") } }

    /// Nil if the text is too short, too long, or of other characters, but for one or two.
    init?(nearly text: String) {
        guard text.utf8.count <= 40 else { return nil }
        digits = text.lowercased().utf8.filter { !":-. ".utf8.contains($0) }
        let hexadecimal = digits.count { Set("0123456789abcdef".utf8).contains($0) }
        guard (10...14).contains(digits.count), hexadecimal >= digits.count - 2 else { return nil }
    }

    /// Nil if they are further than two typing errors apart.
    func distance(to other: AddressDigits) -> Int? { digits.editDistance(to: other.digits, limit: 2) }

    func distance(to text: String) -> Int? { AddressDigits(nearly: text).flatMap { distance(to: $0) } }
}

extension Collection where Element: Equatable {
    /// How many typing errors apart two texts are: characters that are missing, added or replaced, and neighbours that are swapped, each counted once ("optimal string
    /// alignment").
    /// - Returns: nil if they are further apart than `limit`.
    package func editDistance(to other: some Collection<Element>, limit: Int) -> Int? {
        guard abs(count - other.count) <= limit else { return nil }
        let (one, other) = (Array(self), Array(other))
        var beforeLast: [Int] = []
        var last = Array(0...other.count)
        for (index, element) in one.enumerated() {
            var current = [index + 1]
            for (position, candidate) in other.enumerated() {
                var cost = Swift.min(last[position + 1], current[position]) + 1
                cost = Swift.min(cost, last[position] + (element == candidate ? 0 : 1))
                if index > 0, position > 0, element == other[position - 1], one[index - 1] == candidate {
                    cost = Swift.min(cost, beforeLast[position - 1] + 1)
                }
                current.append(cost)
            }
            guard let least = current.min(), least <= limit else { return nil }
            (beforeLast, last) = (last, current)
        }
        return last[other.count] <= limit ? last[other.count] : nil
    }
}
