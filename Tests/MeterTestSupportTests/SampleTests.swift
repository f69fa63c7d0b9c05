import Foundation
import GRDB
import MeterTestSupport
import Testing

@Suite("the samples")
struct SampleTests {
    @Test("in the repository say what the shelf says")
    func current() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let samples = root.appendingPathComponent("Samples").path
        #expect(try SampleFolder(samples).differences().isEmpty, "run: swift run make-samples")
        #expect(try SampleFolder(dumpsBeside: samples).differences().isEmpty, "run: swift run make-samples")
    }

    @Test("have a name each")
    func names() { #expect(Set(SampleShelf.samples.map(\.name)).count == SampleShelf.samples.count) }

    @Test("come out the same every time, also where bytes could differ")
    func deterministic() throws {
        let folder = TemporaryFolder.parent + "/sample-tests-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(try !SampleFolder(folder).update().isEmpty)
        #expect(try SampleFolder(folder).update().isEmpty)
        try DatabaseQueue.script(
            at: folder + "/healthy.sqlite", "UPDATE ZDEVICESETTINGS SET Z_OPT = 2 WHERE Z_PK = 3")
        #expect(try SampleFolder(folder).differences().count == 1)
        #expect(try SampleFolder(folder).update() == ["healthy.sqlite", "healthy.sqlite-wal"])
        try FileManager.default.removeItem(atPath: folder + "/wal-only.sqlite-wal")
        try Data().write(to: URL(fileURLWithPath: folder + "/stray.txt"))
        #expect(
            try SampleFolder(folder).differences() == [
                "wal-only.sqlite-wal is missing", "stray.txt is no sample's file",
            ])
    }
}
