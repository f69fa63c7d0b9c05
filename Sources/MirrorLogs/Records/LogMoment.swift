package import MeterModel
internal import Texts

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

    /// Takes `YYYY-MM-DD hh:mm:ss[.fraction][±hh[:]mm|Z]`, `Nov 20 08:14:00` or `08:14:00.000000+0100`.
    init?(takenFrom rest: inout LogPart) {
        hasDay = rest.begins("0000-")
        let date = hasDay ? rest.prefix(11) : rest.prefix { $0 != UInt8(ascii: ":") }.dropLast(2)
        let clock = rest[date.endIndex...].prefix {
            !$0.isSpace && $0 != UInt8(ascii: "]") && $0 != UInt8(ascii: ",")
        }
        // As an event prints a date, or where a mail has broken a line, the zone stands apart.
        let apart = rest[clock.endIndex...].prefix(6)
        let isApart = hasDay && (apart.begins(" +0000") || apart.begins(" -0000"))
        let stamp: Timestamp?
        if hasDay, !isApart {
            stamp = Timestamp(iso8601: rest[..<clock.endIndex])
        } else {
            let day = hasDay ? date.text : "2001-01-01 "
            stamp = Timestamp(iso8601: day + clock.text + (isApart ? apart.dropFirst().text : ""))
        }
        guard let stamp else { return nil }
        rest = rest[(isApart ? apart : clock).endIndex...]
        micros = Int64((stamp.secondsSince2001 * 1e6).rounded())
        text = hasDay ? "" : date.text + clock.prefix(8).text
        hasZone =
            isApart
            || hasDay
                && clock.contains { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "Z") }
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
