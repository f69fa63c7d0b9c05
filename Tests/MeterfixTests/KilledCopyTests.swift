import Foundation
import MeterTestSupport
import Testing

@Suite("killed at any call, a command that writes a new store", .faultyCalls)
struct KilledCopyTests {
    private static let (store, out) = ("wal-only.sqlite", "out.sqlite")
    private static let isThorough = ProcessInfo.processInfo.environment["METERFIX_ALL_FAULTS"] != nil

    @Test(
        "leaves no half of it under its name and the old one as it was, and runs again",
        arguments: ["redact", "recover"])
    func killed(_ command: String) throws {
        let start = try ScratchFolder(sample: "wal-only")
        let words = [command, Self.store, Self.out, "-q", "--now", SampleSession.now]
        let done = try start.copy()
        let (usual, calls) = try FaultyCalls.sequence(words, in: done)
        try #require(calls.count > 10)
        let names = try FileManager.default.contentsOfDirectory(atPath: done.path).sorted()
        let whole = try StoreText(of: done.path + "/" + Self.out)
        var (without, complete) = (0, 0)
        // Where the files get their names, each call.
        for call in calls where Self.isThorough || call.number % 7 == 1 || call.number > calls.count - 12 {
            for fault in [FaultyCalls.Fault.killed, .torn] {
                let folder = try start.copy()
                let before = try folder.snapshot
                let (answer, _) = try FaultyCalls.run(words, in: folder, fault, at: call.number)
                let comment: Comment = "\(fault) at \(call)"
                #expect(answer.code == 128 + SIGKILL, comment)
                // The name may be taken already by an empty file, which nobody takes for a store.
                let size = (try? folder.bytes(Self.out).count) ?? 0
                if size > 0 {
                    complete += 1
                    #expect(try StoreText(of: folder.path + "/" + Self.out) == whole, comment)
                } else {
                    without += 1
                }
                for suffix in ["", "-wal"] { unlink(folder.path + "/" + Self.out + suffix) }
                #expect(
                    try folder.snapshot.differences(from: before, withFolder: false).allSatisfy {
                        $0.contains(".meterfix-private-")
                    }, comment)
                let again = try folder.meterfix(arguments: words)
                #expect(again.code == usual.code, "\(comment): \(again.stderr)")
                #expect(try StoreText(of: folder.path + "/" + Self.out) == whole, comment)
                // Nothing of the first run is left.
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names, comment)
            }
        }
        #expect(without > 0 && complete > 0, "\(without), \(complete)")
    }
}
