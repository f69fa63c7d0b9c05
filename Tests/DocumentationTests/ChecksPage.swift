import MeterInspect
import MeterModel

/// `Documentation/checks.md`: what every check means, and what to do, on one page. `--explain` says the rest.
enum ChecksPage {
    /// Where another page says more of a check.
    private static let more = [
        Check.deleteStorm.id: (
            "When all meters were deleted and made again",
            "Documentation/customer.md#when-all-meters-were-deleted-and-made-again"
        ),
        Check.massDelete.id: ("When meters have vanished", "Documentation/customer.md#when-meters-have-vanished"),
        Check.duplicateMAC.id: ("Several devices", "Documentation/several-devices.md#two-procedures"),
        Check.mirrorTokenLost.id: ("The token", "Documentation/store-format.md#the-token-documented"),
    ]

    static var text: String {
        var text = """
            # Checks

            What `meterfix verify` looks for, in the order it reports it: for each check what a finding means, and what to do.
            `meterfix verify --explain ID` says more: how it comes about, and every detail. `--ignore ID` leaves a check out.
            Ids are stable: scripts may rely on them. Errors need a repair. Warnings need a review. Notes are for information.

            This page is made from the checks themselves: `METERFIX_UPDATE_DOCS=1 swift test --filter Documentation`.

            """
        for check in Check.all {
            text += "\n## \(check.id)\n\n**\(check.severity.rawValue)**: \(check.title). \(check.meaning)\n"
            let details = check.explanation.dropFirst()
            // What must not be done comes first.
            for warning in details.dropLast() where warning.contains("Do NOT") { text += "\n\(warning)\n" }
            if let advice = details.last { text += "\n\(advice)\n" }
            if let (title, page) = more[check.id] {
                text += "\nMore: [\(title)](\(page.dropFirst("Documentation/".count))).\n"
            }
        }
        return text
    }
}
