internal import Answer
internal import ArgumentParser
internal import MeterModel

/// A language of the letter to the owner of the meters. The raw value is the word after `--lang`.
enum LetterLanguage: String, Choice {
    case english = "en"
}

/// What differs from language to language besides the sentences.
extension LetterLanguage {
    /// Around what a person typed.
    var quotes: (start: String, end: String) {
        switch self {
        case .english: ("“", "”")
        }
    }

    /// The form of a sentence that goes with a number.
    enum Form {
        case one, few, many
    }

    /// As the Unicode CLDR has it for whole numbers.
    func form(of count: Int) -> Form {
        switch self {
        case .english: count == 1 ? .one : .many
        }
    }

    /// A number in a sentence: a word up to ten. Where the gender matters, that of the nouns it is used with.
    func word(for number: Int) -> String {
        let words: [String] =
            switch self {
            case .english: ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
            }
        return (1...words.count).contains(number) ? words[number - 1] : "\(number)"
    }

    /// `a, b and c`, or `a, b or c`.
    func list(_ parts: [Inline], isChoice: Bool = false) -> Inline {
        let (and, or) =
            switch self {
            case .english: ("and", "or")
            }
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        var list = parts[0]
        for part in parts.dropFirst().dropLast() { list = list + Inline(", ") + part }
        return list + Inline(" \(isChoice ? or : and) ") + last
    }

    /// `22 November`, with the year where it is not that of `now`; nil outside the years 0 … 9999.
    func date(_ time: Timestamp, now: Timestamp) -> String? {
        guard let (year, month) = time.yearAndMonth, let day = time.day else { return nil }
        let start =
            switch self {
            case .english: "\(day)\u{A0}\(Self.months(of: self)[month - 1])"
            }
        return year == now.yearAndMonth?.year ? start : "\(start) \(year)"
    }

    private static func months(of language: LetterLanguage) -> [String] {
        switch language {
        case .english:
            [
                "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
                "November", "December",
            ]
        }
    }
}
