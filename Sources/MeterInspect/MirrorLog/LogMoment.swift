package import MeterModel

/// When a message was written, as far as the log says it.
package struct LogMoment: Hashable, Sendable {
    /// Whole microseconds since 2001; of a day, or of a year, where the log has no more.
    package let micros: Int64
    /// Whether the log says the day, with its year, and the time zone.
    package let hasDay: Bool, hasZone: Bool
    /// As the log has it, where it has no day with its year; else empty.
    package let text: String

    init(secondsSince2001 seconds: Double) {
        micros = Int64((seconds * 1e6).rounded())
        (hasDay, hasZone, text) = (true, true, "")
    }

    /// Takes `YYYY-MM-DD hh:mm:ss[.fraction][±hh[:]mm|Z]`.
    init?(takenFrom rest: inout LogPart) {
        let clock = rest.dropFirst(11).prefix { !LogBytes.isSpace($0) }
        // As an event prints a date, or where a mail has broken a line, the zone stands apart.
        let apart = rest[clock.endIndex...].prefix(6)
        let isApart = LogBytes.isShaped(apart, like: " +0000") || LogBytes.isShaped(apart, like: " -0000")
        let zone = isApart ? apart : apart.prefix(0)
        let written = String(decoding: rest[..<clock.endIndex], as: UTF8.self)
        let offset = isApart ? String(decoding: zone.dropFirst(), as: UTF8.self) : ""
        guard let stamp = Timestamp(iso8601: written + offset) else { return nil }
        rest = rest[zone.endIndex...]
        (micros, text, hasDay) = (Int64((stamp.secondsSince2001 * 1e6).rounded()), "", true)
        hasZone =
            isApart || clock.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "Z") }
    }

    /// Takes `Nov 20 08:14:00`.
    init?(withoutYear rest: inout LogPart) {
        guard let colon = rest.firstIndex(of: UInt8(ascii: ":")), colon - rest.startIndex >= 6 else { return nil }
        let written = String(decoding: rest[..<min(colon + 6, rest.endIndex)], as: UTF8.self)
        var clock = rest[(colon - 2)...]
        guard let time = LogMoment(withoutDate: &clock) else { return nil }
        rest = clock.drop { $0 == 0x20 }
        (micros, text, hasDay, hasZone) = (time.micros, written, false, false)
    }

    /// Takes `08:14:00.000000+0100`.
    init?(withoutDate rest: inout LogPart) {
        let clock = rest.prefix { !LogBytes.isSpace($0) }
        let written = String(decoding: clock, as: UTF8.self)
        guard let stamp = Timestamp(iso8601: "2001-01-01 \(written)") else { return nil }
        rest = rest[clock.endIndex...]
        (micros, text) = (Int64((stamp.secondsSince2001 * 1e6).rounded()), String(written.prefix(8)))
        (hasDay, hasZone) = (false, false)
    }

    /// Nil where the log does not say the day.
    package var timestamp: Timestamp? { hasDay ? Timestamp(secondsSince2001: Double(micros) / 1e6) : nil }

    /// In a sentence, whose times an answer can show as people read them.
    package var inSentence: Sentence {
        if hasZone, let timestamp { return "\(timestamp)" }
        return Sentence(hasZone ? text : iso8601 ?? text)
    }

    /// ISO 8601 with six digits of the second, without `Z` where the log has no time zone; nil where it has no day.
    package var iso8601: String? {
        let (seconds, fraction) = micros.quotientAndRemainder(dividingBy: 1_000_000)
        let (whole, rest) = fraction < 0 ? (seconds - 1, fraction + 1_000_000) : (seconds, fraction)
        guard hasDay, let text = Timestamp.iso8601(wholeSecondsSince2001: whole) else { return nil }
        return "\(text.dropLast()).\(String(1_000_000 + rest).dropFirst())\(hasZone ? "Z" : "")"
    }
}
