import Foundation
import MeterTestSupport
import Testing

@Suite(
    "a backup is on the disk before the first byte of the store is written:",
    .enabled(if: FaultyCalls.library != nil, "no library can be put in front of the system's here"),
    .disabled(if: Sanitizer.isOn, "a sanitizer's own library must be the first, and wraps the same calls"))
struct BackupOrderTests {
    /// In a folder of its own, whose names count too.
    private static let store = "shelf/CKModel.sqlite"
    private static let entry = store + ".meterfix/20261121T120000Z-rebuild"
    private static let command = ["rebuild", "--quiet", "--now", SampleSession.now, store]

    private func start(_ sample: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.makeFolder("shelf")
        for suffix in sample == "wal-only" ? ["", "-wal"] : [""] {
            try folder.copySampleFile("\(sample).sqlite\(suffix)", as: Self.store + suffix)
        }
        return folder
    }

    private func isWrite(_ call: FaultyCalls.Call) -> Bool {
        ["write", "pwrite64", "ftruncate64"].contains(call.name)
    }

    private func isSync(_ call: FaultyCalls.Call) -> Bool { ["fsync", "fdatasync"].contains(call.name) }

    @Test("every file, every folder, and in this order", arguments: ["duplicates", "wal-only", "rollback-journal"])
    func order(_ sample: String) throws {
        let (answer, calls) = try FaultyCalls.sequence(Self.command, in: start(sample))
        #expect(answer.code == 0, "\(answer.stderr)")
        let storeFiles = ["", "-wal", "-journal"].map { Self.store + $0 }
        let first = try #require(calls.firstIndex { storeFiles.contains($0.path) && isWrite($0) })
        let before = calls[..<first]
        func expectSynced(_ path: String, after isEvent: (FaultyCalls.Call) -> Bool, _ comment: Comment) {
            guard let event = before.lastIndex(where: isEvent) else {
                Issue.record("never before the store is written: \(comment)")
                return
            }
            #expect(before[event...].contains { $0.path == path && isSync($0) }, comment)
        }
        let copies =
            [Self.entry + "/CKModel.sqlite"] + (sample == "wal-only" ? [Self.entry + "/CKModel.sqlite-wal"] : [])
        for file in copies + [Self.entry + "/journal.json.new"] {
            expectSynced(file, after: { $0.path == file && isWrite($0) }, "the bytes of \(file)")
        }
        for file in copies + [Self.entry + "/journal.json"] {
            expectSynced(
                Self.entry, after: { $0.path == file && ["open64", "rename"].contains($0.name) }, "the name \(file)")
        }
        for folder in [Self.entry, Self.store + ".meterfix"] {
            expectSynced(
                (folder as NSString).deletingLastPathComponent, after: { $0.path == folder && $0.name == "mkdir" },
                "the name \(folder)")
        }
        // The files first, and what names them behind them.
        let journal = try #require(before.firstIndex { $0.path == Self.entry + "/journal.json" })
        for file in copies {
            #expect(before[..<journal].contains { $0.path == file && isSync($0) }, "\(file) before its journal")
        }
    }

    @Test(
        "the journal that says that the change happened waits on the disk for the commit, and is named after it",
        arguments: ["duplicates", "wal-only", "rollback-journal"])
    func commit(_ sample: String) throws {
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start(sample))
        let named = calls.indices.filter {
            calls[$0].path == Self.entry + "/journal.json" && calls[$0].name == "rename"
        }
        #expect(named.count == 2)
        let settled = try #require(named.last)
        let pending = try #require(
            calls.firstIndex { $0.path == Self.entry + "/journal.pending.json" && $0.name == "rename" })
        let synced = try #require(
            calls.indices.first { $0 > pending && calls[$0].path == Self.entry && isSync(calls[$0]) })
        let log = Self.store + (sample == "rollback-journal" ? "-journal" : "-wal")
        let committed = try #require(
            calls.indices.last { $0 < settled && calls[$0].path == log && (isWrite(calls[$0]) || isSync(calls[$0])) })
        #expect(synced < committed)
        // What was changed is there before the journal that tells of it.
        let changes = Self.entry + "/changes.jsonl"
        let written = try #require(calls.lastIndex { $0.path == changes && isWrite($0) })
        let kept = try #require(calls.indices.first { $0 > written && calls[$0].path == changes && isSync(calls[$0]) })
        #expect(kept < pending)
    }

    @Test("an entry that is taken away loses its journal first, and is not taken for a whole one if that is cut short")
    func removal() throws {
        let folder = try start("duplicates")
        #expect(try folder.meterfix(arguments: Self.command).code == 0)
        let copy = folder.path + "/" + Self.entry + "/CKModel.sqlite"
        let journal = folder.path + "/" + Self.entry + "/journal.json"
        // The commit never came.
        let bytes = try FileBytes.read(copy)
        try FileBytes.write(bytes, to: folder.path + "/" + Self.store)
        let text = String(decoding: try FileBytes.read(journal), as: UTF8.self)
        try FileBytes.write(Array(text.replacing("\"committed\"", with: "\"begun\"").utf8), to: journal)
        // Made last: many file systems list it first.
        try FileManager.default.removeItem(atPath: copy)
        try FileBytes.write(bytes, to: copy)
        let (answer, calls) = try FaultyCalls.sequence(Self.command, in: folder)
        #expect(answer.code == 0, "\(answer.stderr)")
        let removed = calls.filter { $0.path.hasPrefix(Self.entry + "/") }
        #expect(removed.first?.path == Self.entry + "/journal.json")
        #expect(
            Set(removed.map(\.path))
                == Set(
                    ["journal.json", "changes.jsonl", "CKModel.sqlite", "CKModel.sqlite-wal"].map {
                        Self.entry + "/" + $0
                    }))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/" + Self.entry))
    }

    @Test("on a disk that is full before the commit it goes away again")
    func full() throws {
        let start = try start("wal-only")
        try start.makeFolder("tmp")
        let original = try start.snapshot
        // There is no room for a private copy of the store either.
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start.copy(), temporary: "tmp")
        for name in ["/changes.jsonl", "/journal.pending.json"] {
            let waiting = try #require(calls.first { $0.path.hasPrefix(Self.entry + name) })
            let (answer, _) = try FaultyCalls.run(Self.command, in: start, .full, at: waiting.number, temporary: "tmp")
            #expect(answer.code == 74, "\(answer.stderr)")
            #expect(try start.snapshot.names == original.names)
        }
    }

    @Test("a disk that does not keep what it is given is found out", arguments: ["duplicates", "wal-only"])
    func lies(_ sample: String) throws {
        let start = try start(sample)
        let original = try start.snapshot
        let (_, calls) = try FaultyCalls.sequence(Self.command, in: start)
        let suffixes = sample == "wal-only" ? ["", "-wal"] : [""]
        for file in suffixes.map({ Self.entry + "/CKModel.sqlite" + $0 }) {
            let write = try #require(calls.last { $0.path == file && isWrite($0) })
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
