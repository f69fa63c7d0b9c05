internal import ArgumentParser

/// How a command's answer is printed.
enum OutputFormat: String, FormatChoice {
    case text
    /// One document, or one a line.
    case json
    /// For a ticket.
    case markdown
    /// One whole page.
    case html
    /// For a spreadsheet; only of an answer that is a list.
    case csv

    static var purposes: String { "\(AnswerFormat.purposes), CSV is for spreadsheets" }

    var format: OutputFormat { self }
}

/// The formats of an answer that a user can choose from.
protocol FormatChoice: Choice {
    var format: OutputFormat { get }
    /// What those are for that say it least.
    static var purposes: String { get }
}

/// Those of an answer that is no list.
enum AnswerFormat: String, FormatChoice {
    case text, json, markdown, html

    static var purposes: String { "Markdown is for tickets, HTML is one whole page" }

    var format: OutputFormat {
        switch self {
        case .text: .text
        case .json: .json
        case .markdown: .markdown
        case .html: .html
        }
    }
}

/// When an answer has colours.
enum ColorChoice: String, Choice {
    case auto, always, never
}

/// A word out of a few, as the value of an option.
protocol Choice: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String, AllCases == [Self] {}

extension Choice {
    /// None for the help: the option's value is named after its choices already.
    static var allValueStrings: [String] { [] }
    static var allValueDescriptions: [String: String] { [:] }

    static var defaultCompletionKind: CompletionKind { .list(choices) }

    static var choices: [String] { allCases.map { $0.rawValue } }
}
