internal import Answer
internal import MeterModel

extension Block {
    /// Where the backup is that was made before a change; nothing where none was.
    static func backup(of report: Report) -> [Block] {
        report.backup.map { [.paragraph("backup: \(.code($0))")] } ?? []
    }
}
