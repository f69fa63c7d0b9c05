internal import ArgumentParser

/// How a command's answer is printed.
enum OutputFormat: String, Choice {
    case text
    /// One document, or one a line.
    case json
    /// For a ticket.
    case markdown
    /// One whole page.
    case html
    /// For a spreadsheet; only of an answer that is a list.
    case csv
}

/// When an answer has colours.
enum ColorChoice: String, Choice {
    case auto, always, never
}
