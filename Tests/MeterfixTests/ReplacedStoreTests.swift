import Foundation
import MeterTestSupport
import Testing

@Suite("a store over which another file is renamed while a command changes it:", .faultyCalls)
struct ReplacedStoreTests {
    private static let store = "CKModel.sqlite"

    static let commands = [["rebuild"], ["undo"]]

    @Test(
        "at every step nobody is told that it is done, and the other file stays as it is", arguments: commands,
        ["duplicates", "rollback-journal"])
    func replaced(_ command: [String], _ sample: String) throws {
        let start = try Self.start(sample, for: command)
        let words = command + [Self.store, "--now", SampleSession.now]
        let before = try StoreText(of: start.path + "/" + Self.store)
        let calls = try FaultyCalls.sequence(words, in: start.copy()).calls
        try #require(calls.count > 10)
        let whole = try StoreText(of: PackageFolder.samples + "/healthy.sqlite")
        var codes: Set<Int32> = []
        // Together with the first and the last few, some between them.
        for number in 1...calls.count where number < 4 || number > calls.count - 12 || number.isMultiple(of: 5) {
            let folder = try start.copy()
            try folder.copySampleFile("healthy.sqlite", as: "other.sqlite")
            let other = try folder.bytes("other.sqlite")
            let answer = try FaultyCalls.run(words, in: folder, stoppedAt: number) { _ in
                #expect(rename(folder.path + "/" + Self.store, folder.path + "/moved.sqlite") == 0)
                #expect(rename(folder.path + "/other.sqlite", folder.path + "/" + Self.store) == 0)
            }
            let comment: Comment = "\(sample), at call \(number) of \(calls.count): \(answer.code) \(answer.stderr)"
            #expect(try folder.bytes(Self.store) == other, comment)
            // The log of the first store is beside it.
            #expect(try StoreText(of: folder.path + "/" + Self.store) == whole, comment)
            codes.insert(answer.code)
            switch answer.code {
            case 75:
                #expect(answer.stderr.contains("nothing was changed"), comment)
                #expect(try StoreText(of: folder.path + "/moved.sqlite") == before, comment)
            case 74:
                #expect(
                    answer.stderr.contains("the change WAS MADE, but in a file that no longer has this name"), comment)
                #expect(answer.stderr.contains("CKModel.sqlite.meterfix/"), comment)
                #expect(try StoreText(of: folder.path + "/moved.sqlite") != before, comment)
            default: Issue.record(comment)
            }
        }
        #expect(codes == [74, 75])
    }

    @Test("a link that leads to another file now is as good as another file")
    func link() throws {
        let folder = try ScratchFolder()
        for name in ["a", "b"] { try folder.copySampleFile("duplicates.sqlite", as: "\(name).sqlite") }
        #expect(symlink("a.sqlite", folder.path + "/" + Self.store) == 0)
        let before = try folder.bytes("b.sqlite")
        let answer = try FaultyCalls.run(["rebuild", Self.store], in: folder, stoppedAt: 4) { _ in
            #expect(unlink(folder.path + "/" + Self.store) == 0)
            #expect(symlink("b.sqlite", folder.path + "/" + Self.store) == 0)
        }
        #expect(answer.code == 75)
        #expect(try folder.bytes("b.sqlite") == before)
        #expect(try folder.meterfix("rebuild", "-n", "-q", "a.sqlite").code == 1)
    }

    private static func start(_ sample: String, for command: [String]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.copySampleFile("\(sample).sqlite", as: store)
        if command == ["undo"] { #expect(try folder.meterfix("rebuild", "-q", store).code == 0) }
        return folder
    }
}
