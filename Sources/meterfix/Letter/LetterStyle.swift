internal import Answer
internal import MeterModel

/// How numbers, names, lists and dates are written in a letter.
extension Inline {
    private static let numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

    /// A word up to ten, else digits.
    static func count(_ number: Int) -> Inline {
        (1...numbers.count).contains(number) ? Inline(numbers[number - 1]) : "\(number)"
    }

    /// `one meter is`, `two meters are`.
    static func count(_ number: Int, _ one: Inline, _ many: Inline) -> Inline {
        "\(count(number)) \(number == 1 ? one : many)"
    }

    /// `a, b and c`.
    static func list(_ parts: [Inline], _ conjunction: String = "and") -> Inline {
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        return "\(parts.dropLast().joined(separator: ", ")) \(conjunction) \(last)"
    }

    /// With a capital letter at its beginning, unless somebody else's words are there.
    var withCapital: Inline {
        guard let first = runs.first, first.style == .plain, let letter = first.text.first else { return self }
        let start = Inline(letter.uppercased() + first.text.dropFirst())
        return runs.dropFirst().reduce(start) { $0 + Inline($1.text, $1.style) }
    }

    /// Sentences one after the other.
    static func sentences(_ sentences: [Inline]) -> Inline {
        sentences.filter { !$0.runs.isEmpty }.joined(separator: " ")
    }
}

extension Timestamp {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// `22 November`, with the year where it is not that of `now`; nil outside the years 0 … 9999.
    func dateInLetter(now: Timestamp) -> String? {
        guard let (year, month) = yearAndMonth, let day else { return nil }
        let date = "\(day)\u{A0}\(Self.months[month - 1])"
        return year == now.yearAndMonth?.year ? date : "\(date) \(year)"
    }
}
