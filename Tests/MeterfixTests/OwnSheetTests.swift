import Foundation
import GRDB
import MeterModel
import MeterTestSupport
import Testing

/// `meters --format csv` and `import-kv` of it.
@Suite("Law: the list of a store that comes back")
struct OwnSheetTests {
    private static let pieces = [
        "'", "\"", "+", "-", "=", "@", "＝", "\t", "\r", "\n", "\r\n", " ", "\u{A0}", ",", ";", "5V", "rail", "“", "„",
        "\\", "🔋", "e\u{301}", "\u{301}", "\u{200B}", "\u{1B}", "|", "sep=;", "NULL", "0012",
    ]

    private static func name(_ random: inout SeededGenerator) -> String {
        let text = (0..<Int.random(in: 1...5, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            .joined()
        return WhiteSpace.showsNothing(text) ? "x" + text : text
    }

    @Test("is the only one that there is for a spreadsheet")
    func otherCommands() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        for command in ["status", "verify", "sync", "log"] {
            try folder.meterfix(command, "--format", "csv", "duplicates.sqlite").expect(
                64, saying: "'csv' is invalid for '--format <text|json|markdown|html>'")
            #expect(try !folder.meterfix(command, "--help").stdout.contains("csv"))
        }
        for other in [["--format", "csv"], ["--sort", "name"], ["--find", "Lab"], ["--at", "3"]] {
            try folder.meterfix(arguments: ["meters", "--locked"] + other + ["duplicates.sqlite"]).expect(
                64, saying: "--locked lists all locks of now, by address; leave out \(other[0])")
        }
        #expect(try folder.meterfix("meters", "--help").stdout.contains("<text|json|markdown|html|csv>"))
    }

    private static func stored(in path: String) throws -> [String] {
        try StoreText.read(path) { database in
            try String.fetchAll(
                database,
                sql: """
                    SELECT ZMACADDRESS || ' ' || hex(ZMETERNAME) || ' ' || ifnull(ZTC66TEMPERATUREUNIT, '')
                    FROM ZDEVICESETTINGS ORDER BY ZMACADDRESS
                    """)
        }
    }

    @Test("changes nothing, makes the same store anew, and has no formula in it", arguments: LawSeeds.first(12))
    func law(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let records = (1...20).map { row in
            FixtureRecord(
                row: Int64(row), macAddress: "A4:C1:38:5A:00:\(String(format: "%02X", row))",
                meterName: Self.name(&random)
            ).with {
                $0.id = FixtureUUID(UInt64(row)).bytes
                $0.tc66TemperatureUnit = ["celsius", "fahrenheit", nil].randomElement(using: &random)!
            }
        }
        let folder = try ScratchFolder()
        let path = folder.path + "/CKModel.sqlite"
        try StoreFixture(records: records).write(to: path)
        let before = try Self.stored(in: path)
        let bytes = try FileBytes.read(path)
        let sheet = try folder.meterfix("meters", "--format", "csv", "CKModel.sqlite").stdout
        // A spreadsheet may put other separators in, and leave out quotes that are not needed.
        let other = try Self.saved(sheet, separator: ";")
        for (name, text) in [("own.csv", sheet), ("other.csv", other)] {
            try folder.write(text, to: name)
            for words in [["-n"], ["--on-conflict", "replace"], []] {
                let answer = try folder.meterfix(
                    arguments: ["import-kv", name, "CKModel.sqlite", "--now", SampleSession.now] + words)
                #expect(answer.code == 0, "seed \(seed): \(answer.stdout)\(answer.stderr)")
            }
            let new = "new-\(name).sqlite"
            let made = try folder.meterfix(arguments: ["import-kv", "--create", name, new, "--now", SampleSession.now])
            #expect(made.code == 0)
            #expect(try Self.stored(in: folder.path + "/" + new) == before, "seed \(seed): \(text)")
        }
        #expect(try FileBytes.read(path) == bytes && Self.stored(in: path) == before)
        let cells = Self.rows(of: sheet).joined()
        #expect(cells.allSatisfy { !"=+-@\t\r\n＝".unicodeScalars.contains($0.unicodeScalars.first ?? "a") })
    }

    /// Of RFC 4180, as another program reads them.
    private static func rows(of sheet: String) -> [[String]] {
        var (rows, row, cell) = ([[String]](), [String](), String.UnicodeScalarView())
        var isQuoted = false
        var scalars = Array(sheet.unicodeScalars)[...]
        while let scalar = scalars.popFirst() {
            switch (scalar, isQuoted) {
            case ("\"", true) where scalars.first == "\"":
                cell.append("\"")
                scalars.removeFirst()
            case ("\"", _): isQuoted.toggle()
            case (",", false):
                row.append(String(cell))
                cell = .init()
            case ("\n", false):
                rows.append(row + [String(cell)])
                (row, cell) = ([], .init())
            case ("\r", false): break
            default: cell.append(scalar)
            }
        }
        return rows
    }

    private static func saved(_ sheet: String, separator: String) throws -> String {
        rows(of: sheet).map { row in
            row.map { cell in
                let needs = cell.unicodeScalars.contains { "\"\r\n\(separator)".unicodeScalars.contains($0) }
                guard needs else { return cell }
                let bytes = cell.utf8.flatMap { $0 == UInt8(ascii: "\"") ? [$0, $0] : [$0] }
                return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
            }.joined(separator: separator) + "\r\n"
        }.joined()
    }
}
