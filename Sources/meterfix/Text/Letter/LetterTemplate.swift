internal import Answer

/// A value in a sentence of the letter: `{names}` in a template. One that begins with a capital letter there begins the
/// sentence.
enum LetterPlaceholder: String, CaseIterable {
    /// The number that the form of the sentence goes with: as a word up to ten, and in digits.
    case count, number
    /// Another number, in digits.
    case meters
    /// A meter: its name in quotes, or its address.
    case meter
    /// Names or other values, in quotes.
    case names, value, others
    /// What a field is called in the file.
    case field
    /// Of a device, in quotes.
    case device
    case address, date, file
    /// `on 22 November`, or `at an unknown time`.
    case day
    /// `until 18 December`.
    case until
    /// `twice`.
    case often
}

/// A sentence with placeholders, in all its forms.
enum LetterTemplate: ExpressibleByStringLiteral {
    case always(String)
    case counted(one: String, few: String, many: String)

    init(stringLiteral value: String) { self = .always(value) }

    static func counted(one: String, many: String) -> LetterTemplate { .counted(one: one, few: many, many: many) }

    func text(_ form: LetterLanguage.Form) -> String {
        switch self {
        case .always(let text): text
        case .counted(let one, let few, let many):
            switch form {
            case .one: one
            case .few: few
            case .many: many
            }
        }
    }

    /// What a template is made of.
    enum Part: Equatable {
        case text(String)
        case value(LetterPlaceholder, isCapitalized: Bool)
        /// Not one of them.
        case unknown(String)
    }

    static func parts(of template: String) -> [Part] {
        var parts: [Part] = []
        for (index, piece) in template.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            guard index > 0 else {
                if !piece.isEmpty { parts.append(.text(String(piece))) }
                continue
            }
            let ends = piece.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(ends[0])
            if let placeholder = LetterPlaceholder(rawValue: name.lowercased()) {
                parts.append(.value(placeholder, isCapitalized: name.first?.isUppercase == true))
            } else {
                parts.append(.unknown(name))
            }
            if ends.count > 1, !ends[1].isEmpty { parts.append(.text(String(ends[1]))) }
        }
        return parts
    }
}

/// Says sentences in a language.
struct LetterSpeaker {
    let language: LetterLanguage

    /// - Parameter count: what the sentence counts, if it does.
    func say(
        _ sentence: LetterSentence, _ count: Int? = nil, _ values: [LetterPlaceholder: Inline] = [:]
    ) -> Inline {
        var values = values
        if let count {
            values[.count] = Inline(language.word(for: count))
            values[.number] = "\(count)"
        }
        let template = language.template(of: sentence).text(count.map(language.form) ?? .many)
        var result = Inline("")
        for part in LetterTemplate.parts(of: template) {
            switch part {
            case .text(let text), .unknown(let text): result = result + Inline(language.typeset(text))
            case .value(let placeholder, let isCapitalized):
                guard let value = values[placeholder] else {
                    preconditionFailure("\(sentence) has no \(placeholder.rawValue)")
                }
                result = result + (isCapitalized ? value.withCapital : value)
            }
        }
        return result
    }

    /// The same without styles.
    func text(_ sentence: LetterSentence, _ count: Int? = nil, _ values: [LetterPlaceholder: Inline] = [:]) -> String {
        say(sentence, count, values).text
    }

    /// What a person typed, cut and in quotes.
    func quoted(_ text: String) -> Inline {
        let (start, end) = language.quotes
        return Inline(start) + .customer(Escaped.start(of: text, columns: Self.widest)) + Inline(end)
    }

    private static let widest = 60
}

extension Inline {
    /// With a capital letter at its beginning, unless somebody else's words are there.
    fileprivate var withCapital: Inline {
        guard let first = runs.first, first.style == .plain, let letter = first.text.first else { return self }
        var result = Inline(letter.uppercased() + first.text.dropFirst())
        for run in runs.dropFirst() { result = result + Inline(run.text, run.style) }
        return result
    }

    /// Sentences one after the other.
    static func sentences(_ sentences: [Inline]) -> Inline {
        sentences.filter { !$0.runs.isEmpty }.reduce(Inline("")) { $0.runs.isEmpty ? $1 : $0 + Inline(" ") + $1 }
    }
}
