internal import Answer
internal import MeterInspect
internal import MeterModel

/// `--list-checks` and `--explain`.
enum ChecksText {
    static func list(_ checks: [CheckDescription]) -> [Block] {
        var table = Block.Table()
        for check in checks { table.add([.code(check.id), .text(check.severity.rawValue), .text(check.title)]) }
        return [.table(table)]
    }

    static func explanation(_ check: CheckDescription) -> [Block] {
        [.heading("\(check.id) (\(check.severity.rawValue)): \(check.title)")]
            + check.explanation.map { .prose("\($0)") }
    }
}
