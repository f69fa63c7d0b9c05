import MeterInspect
import MeterModel
import MeterRepair

/// `Documentation/checks.md`: what `--explain` says of every check, on one page.
enum ChecksPage {
    static var text: String {
        var text = """
            # Checks

            What `meterfix verify` looks for, in the order it reports it. Ids are stable: scripts may rely on them.
            `meterfix verify --explain ID` says the same of one check, `--ignore ID` leaves one out. An **error** needs a
            repair, at a **warning** a person should look, a **note** is good to know.

            This page is made from the checks themselves: `METERFIX_UPDATE_DOCS=1 swift test --filter Documentation`.

            | id | severity | what |
            |---|---|---|

            """
        for check in CheckCatalogue.descriptions {
            text += "| [`\(check.id)`](#\(check.id)) | \(check.severity.rawValue) | \(check.title) |\n"
        }
        for check in CheckCatalogue.descriptions {
            text += "\n## \(check.id)\n\n**\(check.severity.rawValue)**: \(check.title).\n"
            for paragraph in check.explanation { text += "\n\(paragraph)\n" }
        }
        return text
    }
}
