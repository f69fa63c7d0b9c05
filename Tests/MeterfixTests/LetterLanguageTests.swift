import Answer
import MeterModel
import MeterRepair
import MeterTestSupport
import Testing

@testable import meterfix

/// The sentences of the letter in each language.
@Suite("the letter in each language")
struct LetterLanguageTests {
    private static let placeholders = LetterPlaceholder.allCases.map(\.rawValue)

    /// Of all forms of a template, with the forms that differ.
    private static func texts(_ sentence: LetterSentence, _ language: LetterLanguage) -> [String] {
        LetterLanguage.Form.allCases.map(language.template(of: sentence).text)
    }

    private static func used(_ texts: [String]) -> Set<String> {
        var used: Set<String> = []
        for part in texts.flatMap(LetterTemplate.parts) {
            switch part {
            case .text: break
            case .value(let placeholder, _): used.insert(placeholder.rawValue)
            case .unknown(let name): used.insert("unknown: \(name)")
            }
        }
        return used
    }

    @Test("has every sentence, other words than English, and the same placeholders", arguments: LetterLanguage.allCases)
    func complete(_ language: LetterLanguage) {
        for sentence in LetterSentence.allCases {
            let (texts, english) = (Self.texts(sentence, language), Self.texts(sentence, .english))
            #expect(texts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(" ") && !$0.hasSuffix(" ") }, "\(sentence)")
            #expect(Self.used(texts) == Self.used(english), "\(sentence)")
            #expect(Self.used(texts).isSubset(of: Self.placeholders), "\(sentence)")
            if language != .english { #expect(texts[2] != english[2], "\(sentence)") }
            // A sentence ends as one, in every form.
            let isSentence = english[2].hasSuffix(".") || english[2].hasSuffix("?")
            #expect(texts.allSatisfy { ($0.hasSuffix(".") || $0.hasSuffix("?")) == isSentence }, "\(sentence)")
            #expect(texts.allSatisfy { !$0.contains("\"") && !$0.contains("'") }, "\(sentence)")
            let values = Dictionary(uniqueKeysWithValues: LetterPlaceholder.allCases.map { ($0, Inline("7")) })
            for count in [1, 2, 11, 25] {
                let said = LetterSpeaker(language: language).text(sentence, count, values)
                #expect(!said.contains("{") && !said.contains("}"), "\(said)")
            }
        }
    }

    @Test("has quotation marks of its own only", arguments: LetterLanguage.allCases)
    func quotes(_ language: LetterLanguage) {
        let others = Set("“”„«»").subtracting(language.quotes.start + language.quotes.end)
        for sentence in LetterSentence.allCases {
            for text in Self.texts(sentence, language) {
                #expect(others.isDisjoint(with: text), "\(text)")
                // French sets a narrow space that does not break before these signs.
                let set = language.typeset(text)
                #expect(set.matches(of: #/ [:;?!»]|« /#).isEmpty, "\(set)")
                if language == .french { #expect(set.matches(of: /[^\u{202F}][;?!»]/).isEmpty, "\(set)") }
            }
        }
    }

    @Test("has only short sentences in English, and no word of those who made the app")
    func words() {
        for sentence in LetterSentence.allCases {
            for text in Self.texts(sentence, .english) {
                #expect(Self.technical(text).isEmpty, "\(text)")
                let sentences = text.split { ".?;:".contains($0) }
                #expect(sentences.allSatisfy { $0.split(separator: " ").count <= 20 }, "\(text)")
            }
        }
    }

    /// The words of a text that its reader does not know.
    static func technical(_ text: String) -> Set<String> {
        let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
        return words.intersection([
            "store", "stores", "record", "records", "row", "rows", "lock", "locks", "locked", "unlock", "cloudkit",
            "sync", "syncs", "synced", "merge", "merges", "merged", "mirror", "token",
        ])
    }

    @Test("counts as its grammar does")
    func forms() {
        func counts(_ language: LetterLanguage, _ form: LetterLanguage.Form) -> [Int] {
            [0, 1, 2, 10, 19, 20, 21, 100, 101, 119, 120, 1_000].filter { language.form(of: $0) == form }
        }
        for language in [LetterLanguage.english, .german] { #expect(counts(language, .one) == [1]) }
        #expect(counts(.french, .one) == [0, 1])
        #expect(counts(.romanian, .one) == [1])
        #expect(counts(.romanian, .few) == [0, 2, 10, 19, 101, 119])
        #expect(counts(.romanian, .many) == [20, 21, 100, 120, 1_000])
        func say(_ count: Int, _ language: LetterLanguage) -> String {
            LetterSpeaker(language: language).text(.othersToOrder, count)
        }
        #expect(say(1, .romanian) == "Încă o intrare va fi pusă în ordine.")
        #expect(say(2, .romanian) == "Alte două intrări vor fi puse în ordine.")
        #expect(say(25, .romanian) == "Alte 25 de intrări vor fi puse în ordine.")
        #expect(say(10, .german) == "Zehn weitere Einträge werden in Ordnung gebracht.")
        #expect(say(11, .french) == "11 autres entrées seront remises en ordre.")
    }

    @Test("writes dates, with the year where it is another one")
    func dates() throws {
        let now = try #require(Timestamp(iso8601: "2026-11-23"))
        func date(_ text: String, _ language: LetterLanguage) throws -> String? {
            language.date(try #require(Timestamp(iso8601: text)), now: now)
        }
        let days = try LetterLanguage.allCases.map { try date("2026-11-22", $0) }
        #expect(days == ["22\u{A0}November", "22.\u{A0}November", "22\u{A0}novembre", "22\u{A0}noiembrie"])
        #expect(try date("2025-08-01", .french) == "1er\u{A0}août 2025")
        #expect(try date("2027-03-09", .german) == "9.\u{A0}März 2027")
        #expect(LetterLanguage.english.date(Timestamp(secondsSince2001: 1e300), now: now) == nil)
        #expect(LetterLanguage.english.date(Timestamp(secondsSince2001: .nan), now: now) == nil)
    }

    @Test("puts names in its own quotation marks, and leaves their letters alone at the beginning of a sentence")
    func names() {
        let values: [LetterPlaceholder: Inline] = [
            .meter: LetterSpeaker(language: .french).quoted("été {count}"), .until: "jusqu’au 1er\u{A0}mai",
        ]
        let text = LetterSpeaker(language: .french).say(.reservedByUnknown, nil, values)
        #expect(text.text.hasPrefix("«\u{202F}été {count}\u{202F}» est réservé jusqu’au 1er\u{A0}mai, "))
        #expect(text.runs.filter { $0.style == .customer }.map(\.text) == ["été {count}"])
        let german = LetterSpeaker(language: .german)
        #expect(german.text(.nameNone, 1, [.meter: "das Messgerät 7", .others: "x"]).hasPrefix("Das Messgerät 7 hat"))
    }

    @Test(
        "leaves no sentence empty and no placeholder in any letter, and is plain English outside of names",
        arguments: SampleShelf.samples)
    func samples(_ sample: Sample) throws {
        let folder = try ScratchFolder(of: sample)
        let now = try #require(Timestamp(iso8601: SampleSession.now))
        guard let report = try? TicketReport.of("\(folder.path)/\(sample.storeName)", .init(now: now)) else { return }
        Self.check(report, "\(sample.name)")
    }

    /// What is true of every letter.
    static func check(_ report: TicketReport, _ place: Comment) {
        for language in LetterLanguage.allCases {
            let letter = CustomerLetter(
                report.customer, in: report.verification.letterCase, showsAll: false, language: language)
            var parts = [letter.title, letter.lead, letter.opening] + letter.notes
            if let task = letter.oneThing { parts += [Inline(task.title), Inline(task.tag), task.text] }
            parts += letter.questions.flatMap { [$0.text, $0.yes.text, $0.no.text, Inline($0.yes.label)] }
            parts += [letter.questionsLead].compactMap(\.self)
            for part in parts {
                let own = part.runs.filter { $0.style != .customer }.map(\.text).joined(separator: "…")
                #expect(!part.text.isEmpty && !own.contains { "{}".contains($0) }, place)
                if language == .english { #expect(technical(own).isEmpty, "\(place): \(own)") }
                #expect(!part.text.contains("“”") && !part.text.contains("  "), place)
            }
            #expect(!letter.word.isEmpty && letter.closing.allSatisfy { !$0.isEmpty }, place)
            #expect(letter.steps.count { $0.state == .now } <= 1, place)
            #expect((letter.remark == nil) == (language == .english), place)
        }
    }
}
