import Foundation
import GRDBSQLite
import MeterTestSupport
import Testing

@Suite("a store that is made, and another process that makes one under the same name:", .faultyCalls)
struct CreationBesideOthersTests {
    private static let command = ["import-kv", "--create", "-q", "kv.json", "CKModel.sqlite"]

    @Test("whenever it comes, it has its own or the whole new one, and nobody's is overwritten")
    func inBetween() throws {
        let start = try ScratchFolder()
        try start.copySampleFile("kv/kv.json", as: "kv.json")
        let counted = try FaultyCalls.run(Self.command, in: start.copy(), .failed, at: .max)
        let count = try #require(counted.calls)
        try #require(count > 5)
        var codes: Set<Int32> = []
        for number in 1...count {
            let folder = try start.copy()
            let path = folder.path + "/CKModel.sqlite"
            var isMade = false
            let answer = try FaultyCalls.run(Self.command, in: folder, stoppedAt: number) { _ in
                let app = try OtherProcess(opening: path, creates: true)
                isMade = app.execute("CREATE TABLE app(x); INSERT INTO app VALUES (7)") == SQLITE_OK
                app.close()
            }
            let comment: Comment = "call \(number) of \(count): \(answer.code) \(answer.stderr)"
            codes.insert(answer.code)
            let text = try StoreText(of: path)
            #expect(text.isIntact, comment)
            #expect(text[table: "app"] == (isMade ? ["7"] : []), comment)
            switch answer.code {
            case 0: #expect(text[table: "ZDEVICESETTINGS"].count > 1, comment)
            // Its own store was there first.
            case 4, 73, 75: #expect(text.tables.count == 1, comment)
            default: Issue.record(comment)
            }
        }
        #expect(codes.isSuperset(of: [0, 73]))
    }
}
