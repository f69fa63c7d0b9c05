import Foundation
import MeterTestSupport
import Testing

@Suite("a disk")
struct DiskTests {
    private static let store = "duplicates.sqlite"

    @Test(
        "that allows no larger files leaves the store as before or as after",
        arguments: [1, 30, 100, 200, 254, 258, 270, 400])
    func fileSizeLimit(_ kilobytes: Int) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let path = folder.path + "/" + Self.store
        let before = try StoreText(of: path)
        let answer = try MeterfixProcess.shell(
            "\(FileSizeLimit.command(kilobytes)) && exec \"$METERFIX\" rebuild -q \(Self.store)", in: folder.path)
        #expect([0, 73, 74, 77].contains(answer.code), "\(kilobytes): \(answer.stderr)")
        let text = try StoreText(of: path)
        #expect(text.isIntact)
        #expect((text == before) == (answer.code != 0))
        if answer.code != 0 { #expect(try folder.snapshot.names == [Self.store, Self.store + "-wal"]) }
        #expect(try folder.meterfix("rebuild", "-q", Self.store).code == 0)
        #expect(try folder.meterfix("undo", "-q", Self.store).code == 0)
        #expect(try StoreText(of: path) == before)
    }

    /// Only the superuser may mount, and not in every container.
    static let mayMount = {
        guard let folder = try? ScratchFolder(), (try? folder.makeFolder("disk")) != nil else { return false }
        let answer = try? MeterfixProcess.shell("unshare -m mount -t tmpfs -o size=100k none disk", in: folder.path)
        return answer?.code == 0
    }()

    @Test(
        "that is full leaves the store as before or as after", .enabled(if: mayMount, "nothing may be mounted here"),
        arguments: [264, 272, 312, 352, 392, 452, 1_200])
    func full(_ kilobytes: Int) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let before = try StoreText(of: folder.path + "/" + Self.store)
        try folder.makeFolder("disk")
        // In a namespace of its own: the disk is gone with the shell.
        let script = """
            mount -t tmpfs -o size=\(kilobytes)k none disk || exit 99
            cp \(Self.store) \(Self.store)-wal disk/ && cd disk || exit 99
            "$METERFIX" rebuild -q \(Self.store); code=$?
            cp -r . ../after
            exit $code
            """
        try folder.write(script, to: "script")
        let answer = try MeterfixProcess.shell("unshare -m sh script", in: folder.path)
        #expect([0, 73, 74, 77].contains(answer.code), "\(kilobytes): \(answer.stderr)")
        let text = try StoreText(of: folder.path + "/after/" + Self.store)
        #expect(text.isIntact)
        #expect((text == before) == (answer.code != 0), "\(kilobytes)")
        if answer.code != 0 {
            #expect(
                try FolderSnapshot(folder.path + "/after").names == [Self.store, Self.store + "-wal"], "\(kilobytes)")
        }
    }

    @Test("from which the backups vanish during a change: the change is whole or did not happen")
    func vanishingBackup() throws {
        let folder = try InterruptionTests.bigStore(records: 2_000)
        let path = folder.path + "/big.sqlite"
        let before = try StoreText(of: path)
        let run = try MeterfixProcess.start(["rebuild", "-q", "big.sqlite"], in: folder.path)
        while run.isRunning, !FileManager.default.fileExists(atPath: path + ".meterfix") { usleep(500) }
        usleep(5_000)
        try? FileManager.default.removeItem(atPath: path + ".meterfix")
        let answer = try run.answer()
        #expect([0, 73, 74].contains(answer.code), "\(answer.stderr)")
        #expect(try (StoreText(of: path) == before) == (answer.code != 0))
        #expect(try folder.meterfix("rebuild", "-q", "big.sqlite").code == 0)
    }

    @Test("from which the store vanishes during a change is no reason to crash")
    func vanishingStore() throws {
        let folder = try InterruptionTests.bigStore(records: 2_000)
        let run = try MeterfixProcess.start(["rebuild", "-q", "big.sqlite"], in: folder.path)
        while run.isRunning, !folder.has("big.sqlite.meterfix") { usleep(500) }
        usleep(5_000)
        // The program makes files there at the same time.
        try? FileManager.default.removeItem(atPath: folder.path)
        let code = try run.answer().code
        #expect([0, 65, 66, 73, 74, 75, 77].contains(code))
    }
}

/// The shell's limit on the size of a file. What it counts in is the shell's own affair: 512 bytes in POSIX and in dash,
/// 1,024 in the bash 3.2 that is `sh` on a Mac.
enum FileSizeLimit {
    /// Bytes of one unit, as the shell answers when it is asked: what a file has at a limit of 1.
    private static let unit = Result {
        let folder = try ScratchFolder()
        let answer = try MeterfixProcess.shell(
            "(trap '' XFSZ; ulimit -f 1; dd if=/dev/zero of=file bs=512 count=8 2>/dev/null); wc -c <file",
            in: folder.path)
        let unit = try #require(Int(answer.stdout.trimmingCharacters(in: .whitespacesAndNewlines)))
        try #require([512, 1_024].contains(unit))
        return unit
    }

    /// The command for the shell after which no file can have more than this many kilobytes.
    static func command(_ kilobytes: Int) throws -> String { "ulimit -f \(try kilobytes * 1_024 / unit.get())" }
}
