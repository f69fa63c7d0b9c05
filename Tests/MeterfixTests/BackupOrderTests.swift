import Foundation
import MeterTestSupport
import Testing

@Suite("a backup is on the disk before the first byte of the store is written:", .faultyCalls)
struct BackupOrderTests {
    /// In a folder of its own, whose names count too.
    private static let store = "shelf/CKModel.sqlite"
    private static let entry = store + ".meterfix/20261121T120000Z-rebuild"
    private static let command = ["rebuild", "--quiet", "--now", SampleSession.now, store]

    private func start(_ sample: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.makeFolder("shelf")
        try folder.copyStore(sample, as: Self.store)
        return folder
    }

    @Test("a disk that does not keep what it is given is found out", arguments: ["duplicates", "wal-only"])
    func lies(_ sample: String) throws {
        let start = try start(sample)
        let original = try start.snapshot
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start)
        let suffixes = sample == "wal-only" ? ["", "-wal"] : [""]
        for file in suffixes.map({ Self.entry + "/CKModel.sqlite" + $0 }) {
            let write = try #require(calls.last { $0.path == file && $0.isWrite })
            let folder = try self.start(sample)
            let answer = try FaultyCalls.lie(Self.command, in: folder, at: write.number)
            #expect(answer.code == 74, "\(file): \(answer.stderr)")
            #expect(answer.stderr.contains("does not read back"), "\(file): \(answer.stderr)")
            #expect(try folder.snapshot.names == original.names)
            for suffix in suffixes {
                let path = "/" + Self.store + suffix
                #expect(
                    try FileBytes.read(folder.path + path)
                        == FileBytes.read("\(PackageFolder.samples)/\(sample).sqlite\(suffix)"))
            }
        }
    }
}
