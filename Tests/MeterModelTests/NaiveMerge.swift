import Foundation
import MeterModel

/// The rules of merging written a second time, from their text alone: slow, and with nothing shared with the first.
///
/// Records are dictionaries from attribute names to values; each question is asked of every record about every other.
struct NaiveMerge {
    typealias Row = Int64

    struct Conflict: Equatable {
        var field: String
        var kept: FieldValue
        /// Nil only for a value of a dump, and a merge has none.
        var keptFrom: Row?
        /// In the winner's order.
        var dropped: [FieldValue]
        var droppedFrom: [Row?]
    }

    fileprivate static let typed = ["meterName", "tc66TemperatureUnit", "modelType"]
    private static let lock = [
        "connectedByDeviceID", "connectedByDeviceName", "connectedAt", "connectedExpiryAt", "connectionMetadata",
    ]
    private static let discovery = ["lastSeenAt", "lastSeenByDeviceID", "lastSeenByDeviceName", "discoveryMetadata"]
    private static let known = Set(
        typed + lock + discovery + ["id", "macAddress", "createdAt", "updatedAt", "cloudKitRecordID"])

    let winner: Row
    let losers: [Row]
    /// Every attribute of the winner afterwards.
    let after: [String: FieldValue]
    /// Which record each value that comes from a record came from.
    let source: [String: Row]
    let conflicts: [Conflict]

    init(of records: [DeviceSettings], lower: Bool, newest: Bool, now: Double) {
        let all = records.map(Entry.init)

        // The winner's order: a record's place is how many records go before it.
        var ranked = all
        for entry in all {
            ranked[all.count { Self.goes($0, before: entry, newest: newest) }] = entry
        }
        let first = ranked[0]
        var after = first.values
        var source: [String: Row] = [:]
        var conflicts: [Conflict] = []

        // The last writer among some records; of equals, the one that goes first.
        func last(of entries: [Entry], by moment: (Entry) -> Double?) -> Entry? {
            entries.first { candidate in
                entries.allSatisfy { (moment($0) ?? -.infinity) <= (moment(candidate) ?? -.infinity) }
            }
        }

        // The value of one of the records that have one; each other one is a conflict.
        func take(_ field: String, of writer: Entry?, among having: [Entry], unlessAlike: Bool = false) {
            guard let writer, let kept = writer.values[field] else { return }
            after[field] = kept
            source[field] = writer.row
            let others = having.filter { other in
                let isUnit = field == "tc66TemperatureUnit" && Self.isSameUnit(other.values[field], kept)
                return !Self.isSame(other.values[field], kept) && !isUnit
                    && !(unlessAlike && Self.isAlike(other.values[field], kept))
            }
            if !others.isEmpty {
                conflicts.append(
                    Conflict(
                        field: field, kept: kept, keptFrom: writer.row, dropped: others.map { $0.values[field]! },
                        droppedFrom: others.map { $0.row }))
            }
        }

        for field in Self.typed {
            let having = ranked.filter { !Self.isNothing($0.values[field]) }
            let usable = having.filter { Self.isUsable($0.values[field], in: field) }
            let understood = field == "tc66TemperatureUnit" ? having.filter { Self.isUnit($0.values[field]) } : []
            let best = usable.isEmpty ? understood.isEmpty ? having : understood : usable
            take(
                field, of: last(of: best, by: { $0.date("updatedAt") }), among: having,
                unlessAlike: true)
        }

        for field in first.values.keys.filter({ !Self.known.contains($0) && $0 != "isHidden" }).sorted() {
            let having = ranked.filter { !Self.isNull($0.values[field]) }
            let own = having.first { $0.row == first.row }
            take(field, of: own ?? last(of: having, by: { $0.date("updatedAt") }), among: having)
        }

        // The letter case of the text is the only thing the spelling decides.
        let hex = String(first.bits, radix: 16, uppercase: !lower)
        let digits = Array(String(repeating: "0", count: 12 - hex.count) + hex)
        after["macAddress"] = .text(
            stride(from: 0, to: 12, by: 2).map { String(digits[$0...($0 + 1)]) }.joined(separator: ":"))

        if let holder = last(of: ranked.filter { $0.lockedAt != nil }, by: \.lockedAt) {
            for field in Self.lock where after[field] != nil {
                after[field] = holder.values[field]
                source[field] = holder.row
            }
        }
        if let witness = last(of: ranked.filter { $0.seenAt != nil }, by: \.seenAt) {
            for field in Self.discovery where after[field] != nil {
                after[field] = witness.values[field]
                source[field] = witness.row
            }
        }

        let created = ranked.filter { $0.date("createdAt") != nil }
        let oldest = created.first { candidate in
            created.allSatisfy { candidate.date("createdAt")! <= $0.date("createdAt")! }
        }
        if let oldest {
            after["createdAt"] = oldest.values["createdAt"]
            source["createdAt"] = oldest.row
        }

        let changed = after.contains { !Self.isSame($0.value, first.values[$0.key]) }
        let isTimeless = !Self.isNull(first.values["updatedAt"]) && first.date("updatedAt") == nil
        let isTimed = all.contains { $0.date("updatedAt") != nil }
        if changed || isTimeless && isTimed, after["updatedAt"] != nil { after["updatedAt"] = .real(now) }

        winner = first.row
        losers = ranked.dropFirst().map(\.row)
        self.after = after
        self.source = source
        self.conflicts = conflicts
    }

    /// Whether the record `one` goes before `other` in the order of winners.
    private static func goes(_ one: Entry, before other: Entry, newest: Bool) -> Bool {
        if one.isGoing != other.isGoing { return other.isGoing }
        if one.isHidden != other.isHidden { return other.isHidden }
        let data = one.userData - other.userData
        let (mine, theirs) = (one.date("updatedAt") ?? -.infinity, other.date("updatedAt") ?? -.infinity)
        if newest {
            if mine != theirs { return mine > theirs }
            if data != 0 { return data > 0 }
        } else {
            if data != 0 { return data > 0 }
            if mine != theirs { return mine > theirs }
        }
        if one.isMirrored != other.isMirrored { return one.isMirrored }
        switch (one.recordName, other.recordName) {
        case (let mine?, let theirs?) where mine != theirs: return mine.lexicographicallyPrecedes(theirs)
        case (.some, nil): return true
        case (nil, .some): return false
        default: break
        }
        let (born, bornThere) = (one.date("createdAt") ?? .infinity, other.date("createdAt") ?? .infinity)
        if born != bornThere { return born < bornThere }
        switch (one.id, other.id) {
        case (let mine?, let theirs?) where mine != theirs: return mine.lexicographicallyPrecedes(theirs)
        case (.some, nil): return true
        case (nil, .some): return false
        default: return one.row < other.row
        }
    }

    static func isNull(_ value: FieldValue?) -> Bool {
        switch value {
        case nil, .null?: true
        default: false
        }
    }

    static func isNothing(_ value: FieldValue?) -> Bool {
        switch value {
        case nil, .null?: true
        case .text(let text)?: !text.unicodeScalars.contains { !$0.properties.isWhitespace }
        case .malformedText(let bytes)?, .blob(let bytes)?: bytes.count == 0
        default: false
        }
    }

    static func isUsable(_ value: FieldValue?, in field: String) -> Bool {
        if field == "tc66TemperatureUnit" { return isSame(value, "celsius") || isSame(value, "fahrenheit") }
        // The app reads text, and nothing else.
        guard case .text? = value else { return false }
        return !isNothing(value)
    }

    /// Whether both are the first letter of one unit, or begin with a degree sign and it, or are its name.
    static func isSameUnit(_ one: FieldValue?, _ other: FieldValue?) -> Bool {
        func letter(_ value: FieldValue?) -> String? {
            guard case .text(let text)? = value else { return nil }
            let plain = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCompatibilityMapping
            let name = plain.lowercased().filter(\.isLetter)
            return ["c", "celsius", "f", "fahrenheit"].contains(name) ? String(name.prefix(1)) : nil
        }
        return letter(one) != nil && letter(one) == letter(other)
    }

    static func isUnit(_ value: FieldValue?) -> Bool { isSameUnit(value, value) }

    /// The same to the eye, but for capitals, composition and the white space around it.
    static func isAlike(_ one: FieldValue?, _ other: FieldValue?) -> Bool {
        guard case .text(let one)? = one, case .text(let other)? = other else { return false }
        func plain(_ text: String) -> [Unicode.Scalar] {
            let composed = text.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines)
            return Array(composed.uppercased().lowercased().precomposedStringWithCanonicalMapping.unicodeScalars)
        }
        return plain(one) == plain(other)
    }

    /// The same to whoever reads the store: numbers by value, the rest byte for byte.
    static func isSame(_ one: FieldValue?, _ other: FieldValue?) -> Bool {
        switch (one, other) {
        case (.integer(let one)?, .real(let other)?), (.real(let other)?, .integer(let one)?): Double(one) == other
        case (.integer(let one)?, .integer(let other)?): one == other
        case (.real(let one)?, .real(let other)?): one == other
        case (.text(let one)?, .text(let other)?): Array(one.utf8) == Array(other.utf8)
        case (.malformedText(let one)?, .malformedText(let other)?): one == other
        case (.blob(let one)?, .blob(let other)?): one == other
        default: isNull(one) && isNull(other)
        }
    }
}

/// A record as a reader of the rules sees it.
private struct Entry {
    let row: Int64
    var values: [String: FieldValue] = [:]
    let isMirrored: Bool
    /// The mirror's name of it, or else the app's own note of that name.
    var recordName: [UInt8]?
    var id: [UInt8]?
    let bits: UInt64
    var lockedAt: Double?
    var seenAt: Double?
    let isGoing: Bool
    let isHidden: Bool

    init(_ record: DeviceSettings) {
        row = record.row
        isMirrored = record.cloudRecord != nil
        isGoing = record.cloudRecord?.isAboutToBeDeleted == true
        isHidden = zip(record.layout.fields, record.values).contains { $0.name == "isHidden" && $1 == .integer(1) }
        for (field, value) in zip(record.layout.fields, record.values) { values[field.name] = value }
        var digits = ""
        if case .text(let text)? = values["macAddress"] { digits = text.filter(\.isHexDigit) }
        bits = UInt64(digits, radix: 16)!
        recordName = record.cloudRecord?.name.map { Array($0.utf8) }
        if recordName == nil, case .text(let noted)? = values["cloudKitRecordID"], !noted.isEmpty {
            recordName = Array(noted.utf8)
        }
        if case .blob(let bytes)? = values["id"], !bytes.isEmpty { id = bytes }
        lockedAt = date("connectedAt")
        if case .value(let lock) = record.lockBlob, let moment = lock.connectedAt?.secondsSince2001,
            Self.real(moment) != nil
        {
            lockedAt = max(lockedAt ?? moment, moment)
        }
        seenAt = date("lastSeenAt")
        if case .value(let discovery) = record.discoveryBlob, let moment = discovery.seenAt?.secondsSince2001,
            Self.real(moment) != nil
        {
            seenAt = max(seenAt ?? moment, moment)
        }
    }

    func date(_ field: String) -> Double? {
        switch values[field] {
        case .integer(let seconds)?: Self.real(Double(seconds))
        case .real(let seconds)?: Self.real(seconds)
        default: nil
        }
    }

    /// Nil before 2007, which is 6 years and 1 leap day after 2001, and from the year 4000 on.
    private static func real(_ seconds: Double) -> Double? {
        seconds / 86_400 >= 2_191 && seconds / 86_400 < 730_119 ? seconds : nil
    }

    var userData: Int { NaiveMerge.typed.count { NaiveMerge.isUsable(values[$0], in: $0) } }
}
