extension Timestamp: CustomStringConvertible {
    /// ISO 8601 in UTC with fractional seconds: three digits, or six if three are not exact. A date outside the years 0
    /// … 9999 is shown as its number of seconds, because ISO 8601 has no such text.
    public var description: String {
        // The starts of the years 0 and 10000, in seconds since 2001.
        guard secondsSince2001 >= -63_145_526_400, secondsSince2001 < 252_423_993_600 else {
            return "\(secondsSince2001) s since 2001"
        }
        var seconds = secondsSince2001.rounded(.down)
        var micros = ((secondsSince2001 - seconds) * 1_000_000).rounded()
        if micros >= 1_000_000 {
            micros -= 1_000_000
            seconds += 1
        }
        let fraction = Int(micros)
        return fraction % 1_000 == 0
            ? iso8601Text(of: Int(seconds), fraction: fraction / 1_000, digits: 3)
            : iso8601Text(of: Int(seconds), fraction: fraction, digits: 6)
    }

    /// ISO 8601 in UTC with as many fractional digits, three or more, as are needed to read the text back as exactly
    /// this number. Nil if there is no such text.
    package var exactISO8601: String? {
        guard secondsSince2001 >= -63_145_526_400, secondsSince2001 < 252_423_993_600 else { return nil }
        let whole = Int(secondsSince2001.rounded(.down))
        let fraction = secondsSince2001 - Double(whole)
        let clock = secondOfDay(whole)
        var scale = 1_000.0
        for digits in 3...15 {
            let count = (fraction * scale).rounded()
            // The same additions as in reading the text, in the same order.
            let read = Double(whole - clock) + (Double(clock) + count / scale)
            if count < scale, read.bitPattern == secondsSince2001.bitPattern {
                return iso8601Text(of: whole, fraction: Int(count), digits: digits)
            }
            scale *= 10
        }
        return nil
    }

    /// ISO 8601 in UTC without a fraction; nil for a date outside the years 0 … 9999.
    package static func iso8601(wholeSecondsSince2001 seconds: Int64) -> String? {
        guard seconds >= -63_145_526_400, seconds < 252_423_993_600 else { return nil }
        return iso8601Text(of: Int(seconds))
    }

    /// Reads `YYYY-MM-DD`, optionally with `T` or a space and `hh:mm[:ss[.fraction]]` and `Z` or `±hh[:]mm`.
    /// Without an offset it is UTC. Nil for anything else.
    package init?(iso8601 text: String) {
        var text = text
        guard let stamp = text.withUTF8({ Timestamp(iso8601: $0[...]) }) else { return nil }
        self = stamp
    }

    /// The same of bytes.
    package init?(iso8601 text: Slice<UnsafeBufferPointer<UInt8>>) {
        guard let seconds = Self.seconds(text) else { return nil }
        self.init(secondsSince2001: seconds)
    }

    private static func seconds(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        var rest = text
        guard let year = takeNumber(&rest, digits: 4), take("-", &rest), let month = takeNumber(&rest, digits: 2),
            take("-", &rest), let day = takeNumber(&rest, digits: 2), (1...12).contains(month),
            (1...CivilDate.days(inMonth: month, of: year)).contains(day)
        else { return nil }
        var seconds = Double((CivilDate(year: year, month: month, day: day).daysSinceMarch2000 - 306) * 86_400)
        if !rest.isEmpty {
            guard take("T", &rest) || take("t", &rest) || take(" ", &rest), let time = takeTime(&rest) else {
                return nil
            }
            seconds += time
        }
        return rest.isEmpty ? seconds : nil
    }
}

/// Seconds since the last midnight.
private func secondOfDay(_ seconds: Int) -> Int { ((seconds % 86_400) + 86_400) % 86_400 }

/// `YYYY-MM-DDThh:mm:ss[.fraction]Z` for a number of seconds since 2001 and a fraction with this many digits.
private func iso8601Text(of seconds: Int, fraction: Int = 0, digits: Int = 0) -> String {
    let clock = secondOfDay(seconds)
    // 2000-03-01 is 306 days before 2001-01-01; the civil calendar below counts from there.
    let date = CivilDate(daysSinceMarch2000: (seconds - clock) / 86_400 + 306)
    return String(unsafeUninitializedCapacity: 21 + digits) { text in
        var count = 0
        func write(_ number: Int, _ width: Int, _ end: Unicode.Scalar) {
            var rest = number
            count += width
            for back in 1...width {
                text[count - back] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            text[count] = UInt8(ascii: end)
            count += 1
        }
        write(date.year, 4, "-")
        write(date.month, 2, "-")
        write(date.day, 2, "T")
        write(clock / 3_600, 2, ":")
        write(clock / 60 % 60, 2, ":")
        write(clock % 60, 2, digits == 0 ? "Z" : ".")
        if digits > 0 { write(fraction, digits, "Z") }
        return count
    }
}

/// `hh:mm[:ss[.fraction]]` and the offset after it, in seconds.
private func takeTime(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
    guard let hour = takeNumber(&rest, digits: 2), hour < 24, take(":", &rest),
        let minute = takeNumber(&rest, digits: 2), minute < 60
    else { return nil }
    var seconds = Double(hour * 3_600 + minute * 60)
    if take(":", &rest) {
        guard let second = takeNumber(&rest, digits: 2), second < 61 else { return nil }
        seconds += Double(second)
        if take(".", &rest) || take(",", &rest) {
            let digits = rest.prefix(while: isDigit)
            guard !digits.isEmpty else { return nil }
            seconds += fraction(digits)
            rest = rest[digits.endIndex...]
        }
    }
    if rest.isEmpty || take("Z", &rest) || take("z", &rest) { return seconds }
    let isEast = take("+", &rest)
    guard isEast || take("-", &rest), let hours = takeNumber(&rest, digits: 2) else { return nil }
    _ = take(":", &rest)
    guard let minutes = takeNumber(&rest, digits: 2), hours < 24, minutes < 60 else { return nil }
    let offset = Double(hours * 3_600 + minutes * 60)
    return isEast ? seconds - offset : seconds + offset
}

/// The number that decimal digits behind a point are, the nearest that there is.
private func fraction(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
    // Both numbers are exact as far as this, so that the quotient is the nearest.
    guard digits.count <= 15 else { return Double("0." + String(decoding: digits, as: UTF8.self)) ?? 0 }
    var (number, scale) = (0.0, 1.0)
    for digit in digits {
        number = number * 10 + Double(digit - UInt8(ascii: "0"))
        scale *= 10
    }
    return number / scale
}

private func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

private func take(_ character: Unicode.Scalar, _ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
}

private func takeNumber(_ rest: inout Slice<UnsafeBufferPointer<UInt8>>, digits: Int) -> Int? {
    guard rest.count >= digits else { return nil }
    var number = 0
    for place in rest.startIndex..<rest.startIndex + digits {
        let byte = rest.base[place]
        guard isDigit(byte) else { return nil }
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    rest = rest[(rest.startIndex + digits)...]
    return number
}

/// A day of the proleptic Gregorian calendar. Counting from 1 March puts the leap day last.
private struct CivilDate {
    var year: Int
    var month: Int
    var day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSinceMarch2000 days: Int) {
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        month = shifted < 10 ? shifted + 3 : shifted - 9
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        year = 2000 + yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSinceMarch2000: Int {
        let shiftedYear = (month <= 2 ? year - 1 : year) - 2000
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
