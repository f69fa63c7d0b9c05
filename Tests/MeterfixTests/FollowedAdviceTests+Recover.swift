import Foundation
import GRDB
import MeterTestSupport
import Testing

/// What is damaged.
extension FollowedAdviceTests {
    @Test("hears of a store that was damaged in one letter that it was")
    func oneLetter() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let script = "LC_ALL=C sed -i.bak 's/ZUPDATEDAT TIMESTAMP/ZUPDATEDXT TIMESTAMP/' healthy.sqlite"
        #expect(try MeterfixProcess.shell(script, in: folder.path).code == 0)
        let answer = try folder.meterfix("recover", "healthy.sqlite", "new.sqlite", "--now", Self.now)
        #expect(answer.code == 2 && !answer.stdout.contains("Nothing was damaged"))
    }

    @Test(
        "gets every record back where the statement of their table, or its name, is damaged in several letters",
        arguments: [
            ("CREATE TABLE ZDEVICESETTINGS", "CREATE TABEL ZDEVICESETTINGS"),
            ("CREATE TABLE ZDEVICESETTINGS", "CREATE VIEW  ZDEVICESETTINGS"),
            ("CREATE TABLE ZDEVICESETTINGS", "CREATE TABLE ZDEVICESETTIN  "),
            (
                "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDEVICECOLOR",
                "Z_PK INTEGER PRIM((( KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDEVICECOLOR"
            ),
            ("tableZDEVICESETTINGSZDEVICESETTINGS", "tableZDEVXXXSETTINGSZDEVXXXSETTINGS"),
        ])
    func damagedStatement(_ text: String, _ damaged: String) throws {
        let folder = try Self.folder("duplicates", "SELECT 1")
        let bytes = Data(try folder.bytes("duplicates.sqlite"))
        let place = try #require(bytes.range(of: Data(text.utf8)))
        try FileBytes.write(
            Array(bytes[..<place.lowerBound] + Data(damaged.utf8) + bytes[place.upperBound...]),
            to: "\(folder.path)/duplicates.sqlite")
        let answer = try folder.meterfix("recover", "duplicates.sqlite", "new.sqlite", "--now", Self.now)
        #expect(answer.code == 2, "\(answer.stderr)")
        func records(_ path: String) throws -> [String] {
            let sql = "SELECT quote(ZMACADDRESS) || quote(ZMETERNAME) || quote(ZUPDATEDAT) FROM ZDEVICESETTINGS"
            return try StoreText.read(path) { try String.fetchAll($0, sql: sql) }
        }
        let whole = try Self.folder("duplicates", "SELECT 1")
        #expect(
            try records("\(folder.path)/new.sqlite") == records("\(whole.path)/duplicates.sqlite"), "\(answer.stdout)")
    }
}
