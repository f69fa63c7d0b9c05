internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// `--list-checks` and `--explain`.
enum ChecksText {
    static func list(_ checks: [CheckDescription], _ style: Style) -> [String] {
        var table = TextTable()
        for check in checks { table.add([check.id, check.severity.rawValue, check.title]) }
        return table.lines(indent: "", style)
    }

    static func explanation(_ check: CheckDescription) -> [String] {
        var lines = ["\(check.id) (\(check.severity.rawValue)): \(check.title)"]
        for paragraph in check.explanation { lines += [""] + wrapped(paragraph) }
        return lines
    }

    /// Lines of at most 80 characters.
    private static func wrapped(_ paragraph: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty && line.count + 1 + word.count > 80 {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
