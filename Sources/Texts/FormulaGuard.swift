/// What keeps a spreadsheet from taking a text for a formula, which could fetch or run something: an apostrophe in front.
/// It can be taken off again, because a text that looks protected is protected as well: no two texts become the same.
/// https://owasp.org/www-community/attacks/CSV_Injection
package enum FormulaGuard {
    /// What a formula begins with. Some spreadsheets also take the wide ones of East Asian keyboards, and some skip a tab
    /// or the end of a line in front of one.
    private static let beginnings = Set("=+-@＝＋－＠\t\r\n".unicodeScalars)

    private static func isDangerous(_ text: String) -> Bool {
        text.unicodeScalars.first { $0 != "'" }.map(beginnings.contains) ?? false
    }

    package static func protected(_ text: String) -> String { isDangerous(text) ? "'" + text : text }

    /// The text of which `protected` made this one; the same where it made nothing of it.
    package static func unprotected(_ text: String) -> String {
        guard text.unicodeScalars.first == "'", isDangerous(text) else { return text }
        return String(text.unicodeScalars.dropFirst())
    }
}
