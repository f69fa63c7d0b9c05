internal import Answer
internal import ArgumentParser
internal import MeterModel

/// A language of the letter to the owner of the meters. The raw value is the word after `--lang`.
enum LetterLanguage: String, Choice {
    case english = "en"
    case german = "de"
    case french = "fr"
    case romanian = "ro"

    /// Its name, in English.
    var name: String {
        switch self {
        case .english: "English"
        case .german: "German"
        case .french: "French"
        case .romanian: "Romanian"
        }
    }
}

/// What differs from language to language besides the sentences.
extension LetterLanguage {
    /// Around what a person typed.
    var quotes: (start: String, end: String) {
        switch self {
        case .english: ("“", "”")
        case .german: ("„", "“")
        case .french: ("«\u{202F}", "\u{202F}»")
        case .romanian: ("„", "”")
        }
    }

    /// Between a label and what it labels, without the space after it.
    var colon: String {
        switch self {
        case .english, .german, .romanian: ":"
        case .french: "\u{202F}:"
        }
    }

    /// Words of a sentence as they are set.
    func typeset(_ text: String) -> String {
        switch self {
        case .english, .german, .romanian: return text
        case .french:
            var text = text
            for sign in [":", ";", "?", "!", "»"] { text = text.replacing(" \(sign)", with: "\u{202F}\(sign)") }
            return text.replacing("« ", with: "«\u{202F}")
        }
    }

    /// The form of a sentence that goes with a number.
    enum Form: CaseIterable {
        case one, few, many
    }

    /// As the Unicode CLDR has it for whole numbers.
    func form(of count: Int) -> Form {
        switch self {
        case .english, .german: count == 1 ? .one : .many
        case .french: count < 2 ? .one : .many
        case .romanian: count == 1 ? .one : count == 0 || (1..<20).contains(count % 100) ? .few : .many
        }
    }

    /// A number in a sentence: a word up to ten, where the gender matters that of the nouns it is used with.
    func word(for number: Int) -> String {
        let words: [String] =
            switch self {
            case .english: ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
            case .german: ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"]
            case .french: ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"]
            case .romanian: ["un", "două", "trei", "patru", "cinci", "șase", "șapte", "opt", "nouă", "zece"]
            }
        return (1...words.count).contains(number) ? words[number - 1] : "\(number)"
    }

    /// `a, b and c`, or `a, b or c`.
    func list(_ parts: [Inline], isChoice: Bool = false) -> Inline {
        let (and, or) =
            switch self {
            case .english: ("and", "or")
            case .german: ("und", "oder")
            case .french: ("et", "ou")
            case .romanian: ("și", "sau")
            }
        guard let last = parts.last, parts.count > 1 else { return parts.first ?? "" }
        var list = parts[0]
        for part in parts.dropFirst().dropLast() { list = list + Inline(", ") + part }
        return list + Inline(" \(isChoice ? or : and) ") + last
    }

    /// `22 November`, with the year where it is not that of `now`; nil outside the years 0 … 9999.
    func date(_ time: Timestamp, now: Timestamp) -> String? {
        guard let (year, month) = time.yearAndMonth, let day = time.day else { return nil }
        let number =
            switch self {
            case .english, .romanian: "\(day)"
            case .german: "\(day)."
            case .french: day == 1 ? "1er" : "\(day)"
            }
        let date = "\(number)\u{A0}\(months[month - 1])"
        return year == now.yearAndMonth?.year ? date : "\(date) \(year)"
    }

    private var months: [String] {
        let words =
            switch self {
            case .english:
                "January February March April May June July August September October November December"
            case .german: "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
            case .french:
                "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
            case .romanian:
                "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie"
            }
        return words.split(separator: " ").map(String.init)
    }
}
