import Foundation
import MeterTestSupport
import Testing

@Suite("redact, with a file system that is watched", .enabled(if: FaultyCalls.library != nil, "only on Linux"))
struct RedactBesideOthersTests {
    private static let words = ["redact", "--map", "map.json", "wal-only.sqlite", "out.sqlite"]

    private static func folder() throws -> ScratchFolder { try ScratchFolder(samples: "wal-only") }

    @Test("compares the copy with what it was made of, though the app writes on")
    func livingStore() throws {
        let (_, calls) = try FaultyCalls.sequence(Self.words, in: Self.folder())
        // By then the store was read.
        let call = try #require(calls.first { $0.path.hasSuffix("copy.sqlite") })
        let folder = try Self.folder()
        let answer = try FaultyCalls.run(Self.words, in: folder, stoppedAt: call.number) { _ in
            let app = try OtherProcess(opening: folder.path + "/wal-only.sqlite")
            #expect(app.execute("UPDATE ZDEVICESETTINGS SET ZMACADDRESS = '98:DA:C0:11:AB:0E'") == 0)
            app.close()
        }
        #expect(answer.code == 0, "\(answer.stdout)\(answer.stderr)")
        #expect(answer.stdout.contains("give the same answers for both"))
        #expect(answer.leftovers == [])
    }

    @Test("blames no failed write on the store, and leaves nothing")
    func failedWrites() throws {
        let calls = try FaultyCalls.sequence(Self.words, in: Self.folder()).calls
        var failed = 0
        for fault in [FaultyCalls.Fault.failed, .full] {
            // Also where a finished file gets its mode, the last time that it has another name.
            for call in calls where FaultyCalls.isThorough || call.number % 5 == 1 || call.name == "chmod" {
                let folder = try Self.folder()
                let (answer, _) = try FaultyCalls.run(Self.words, in: folder, fault, at: call.number)
                guard answer.code != 0 else { continue }
                failed += 1
                // SQLite does not say why it could not open a file.
                #expect([73, 74, 77].contains(answer.code), "\(call): \(answer.stderr)")
                #expect(!answer.stderr.contains("wal-only.sqlite"), "\(call): \(answer.stderr)")
                #expect(!answer.stderr.contains("copy.sqlite"), "\(call): \(answer.stderr)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
                #expect(names == ["wal-only.sqlite", "wal-only.sqlite-wal"], "\(call): \(answer.stderr)")
            }
        }
        #expect(failed > 10)
    }
}
