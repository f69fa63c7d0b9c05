import Foundation
import MeterTestSupport
import Testing

@Suite("a run that is cut short")
struct InterruptionTests {
    @Test(
        "by a signal while it changes a big store rolls back: 130, and every file as before",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func duringChange(_ signal: Int32) throws {
        let folder = try Self.bigStore()
        let before = try folder.snapshot
        let run = try MeterfixProcess.start(["rebuild", "big.sqlite"], in: folder.path)
        // The backup is made just before the change.
        while run.isRunning, !folder.has("big.sqlite.meterfix") { usleep(500) }
        usleep(5_000)
        run.send(signal)
        try Self.expectInterrupted(run)
        #expect(try folder.snapshot.contents == before.contents)
    }

    @Test(
        "by a signal while it has a private copy takes the copy away, which nobody else could have read",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGXCPU])
    func privateCopy(_ signal: Int32) throws {
        let folder = try Self.bigStore(records: 30_000)
        let before = try folder.snapshot
        let run = try MeterfixProcess.start(["rebuild", "--dry-run", "big.sqlite"], in: folder.path)
        var copy: String?
        while run.isRunning, copy == nil {
            copy = try run.privateCopy
            usleep(500)
        }
        let path = run.temporaryFolder + "/" + (try #require(copy))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        usleep(20_000)
        run.send(signal)
        try Self.expectInterrupted(run)
        #expect(try folder.snapshot.differences(from: before).isEmpty)
    }

    @Test("by a signal while it looks leaves no trace", arguments: [["verify"], ["rebuild", "--dry-run"]])
    func duringLook(_ command: [String]) throws {
        let folder = try Self.bigStore(records: 120_000)
        let before = try folder.snapshot
        let run = try MeterfixProcess.start(command + ["big.sqlite"], in: folder.path)
        // A signal that comes before the program listens ends it without a word.
        if FileManager.default.fileExists(atPath: "/proc/self/status") {
            while run.isRunning, !run.hasTaken(SIGHUP) { usleep(500) }
            usleep(10_000)
        } else {
            usleep(100_000)
        }
        run.send(SIGINT)
        try Self.expectInterrupted(run)
        #expect(try folder.snapshot.differences(from: before).isEmpty)
    }

    @Test("by a signal while it reads a long log ends", .signalsAreSeen)
    func duringLog() throws {
        let folder = try ScratchFolder()
        let line = "CoreData: CloudKit: CoreData+CloudKit: -[X y](1): Executing: <NSCloudKitMirroringImportRequest>\n"
        try String(repeating: line, count: 600_000).write(
            toFile: folder.path + "/console.log", atomically: false, encoding: .utf8)
        let run = try MeterfixProcess.start(["explain", "console.log"], in: folder.path)
        while run.isRunning, !run.hasTaken(SIGHUP) { usleep(500) }
        usleep(10_000)
        run.send(SIGINT)
        try run.answer().expectRefusal(130, "console.log: interrupted; nothing was changed")
    }

    @Test(
        "by a signal at the first moment in which it could be lost ends all the same",
        .signalsAreSeen,
        .disabled(if: Sanitizer.isOn, "a sanitizer blocks signals before the program begins"))
    func atOnce() throws {
        let folder = try Self.bigStore()
        for _ in 0..<5 {
            let run = try MeterfixProcess.start(["verify", "big.sqlite"], in: folder.path)
            while run.isRunning, !run.hasTaken(SIGHUP) {}
            run.send(SIGHUP)
            try Self.expectInterrupted(run)
        }
    }

    /// A column that costs a quarter of a second each time. Its numbers are smaller than those that redact replaces.
    private static func slow(_ size: String) -> String {
        "ZSLOW AS (length(" + String(repeating: "hex(", count: 16) + "zeroblob(\(size))"
            + String(repeating: ")", count: 18)
    }

    @Test(
        "by a signal while the schema computes what it likes for each row, or just before, ends at once",
        arguments: [
            // For each row that is read, or only for each that is written.
            (["verify", "big.sqlite"], slow("1500 + Z_PK") + " NOT NULL"), (["rebuild", "big.sqlite"], slow("1500")),
            (["fix", "id-missing", "big.sqlite"], slow("1500")),
            (["redact", "big.sqlite", "new.sqlite"], slow("1500")),
            (["recover", "big.sqlite", "new.sqlite"], slow("1500")),
        ], [true, false])
    func slowSchema(_ command: (words: [String], column: String), _ isAtOnce: Bool) throws {
        let folder = try Self.bigStore(records: 400)
        try folder.execute(
            """
            UPDATE ZDEVICESETTINGS SET ZID = NULL;
            UPDATE ZDEVICESETTINGS SET ZTC66TEMPERATUREUNIT = 'celsius'
            WHERE Z_PK % 2 = 0 AND '\(command.words[0])' = 'rebuild';
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = substr(sql, 1, length(sql) - 1) || ', \(command.column))'
            WHERE name = 'ZDEVICESETTINGS'
            """, in: "big.sqlite")
        let before = try folder.snapshot
        let run = try MeterfixProcess.start(command.words, in: folder.path)
        if !isAtOnce { usleep(4_000_000) }
        try Self.interrupt(run, with: SIGINT)
        let sent = ContinuousClock.now
        let answer = try run.answer()
        #expect(ContinuousClock.now - sent < .seconds(6))
        #expect(answer.stderr.hasSuffix(".sqlite: interrupted; nothing was changed\n"))
        #expect(answer.code == 130 && answer.leftovers.isEmpty)
        #expect(try folder.snapshot.contents == before.contents)
    }

    @Test("by SIGKILL while it changes a big store leaves what the next run repairs")
    func killed() throws {
        let folder = try Self.bigStore(records: 120_000)
        let run = try MeterfixProcess.start(["rebuild", "big.sqlite"], in: folder.path)
        while run.isRunning, !folder.has("big.sqlite.meterfix") { usleep(500) }
        usleep(20_000)
        run.send(SIGKILL)
        #expect(try run.answer().code == 128 + SIGKILL)
        #expect(try folder.meterfix("verify", "-q", "big.sqlite").code == 1)
        #expect(try folder.meterfix("rebuild", "-q", "big.sqlite").code == 0)
        #expect(try folder.meterfix("verify", "-q", "big.sqlite").code == 0)
    }

    @Test(
        "by a reader that has seen enough makes no noise, also where SIGPIPE is ignored",
        arguments: ["", "trap '' PIPE; "])
    func closedPipe(_ setting: String) throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let line = setting + #"{ "$METERFIX" rebuild -n --json duplicates.sqlite; } | head -1; "#
        let first = try MeterfixProcess.shell(line, in: folder.path)
        #expect(first.stdout == "{\n")
        #expect(first.stderr.isEmpty)
        let none = try MeterfixProcess.shell(
            setting + #"{ sleep 0.1; "$METERFIX" verify duplicates.sqlite; } | true"#, in: folder.path)
        #expect(none.stderr.isEmpty)
    }

    @Test("by a reader that has seen enough leaves no private copy", arguments: [1, 3, 40])
    func closedPipeWithCopy(lines: Int) throws {
        let folder = try ScratchFolder(sample: "wal-only")
        for command in ["verify -v", "rebuild -n -v", "meters", "verify --json"] {
            for _ in 0..<5 {
                let answer = try MeterfixProcess.shell(
                    #""$METERFIX" \#(command) wal-only.sqlite | head -\#(lines)"#, in: folder.path)
                #expect(answer.leftovers.isEmpty && answer.stderr.isEmpty, "\(command)")
            }
        }
    }

    @Test("by SIGKILL while it has a private copy leaves it for the next run, which takes it away")
    func killedWithCopy() throws {
        let folder = try Self.bigStore(records: 30_000)
        let run = try MeterfixProcess.start(["rebuild", "--dry-run", "big.sqlite"], in: folder.path)
        // What is in it says that it is locked.
        while run.isRunning, try run.privateCopy.map(run.isFilled) != true { usleep(500) }
        run.send(SIGSTOP)
        let copy = try #require(try run.privateCopy)
        let (temporary, names) = (run.temporaryFolder, ["meterfix-private-abc", "meterfix-demo.abcdef", "abcdef"])
        for name in names { #expect(mkdir(temporary + "/" + name, 0o700) == 0) }
        // It is alive, so its copy stays.
        let other = try folder.meterfix("status", "-q", "big.sqlite", environment: ["TMPDIR": temporary])
        #expect(other.code == 0)
        #expect(FileManager.default.fileExists(atPath: temporary + "/" + copy))
        run.send(SIGKILL)
        #expect(try run.answer().leftovers.contains(copy))
        #expect(try folder.meterfix("status", "-q", "big.sqlite", environment: ["TMPDIR": temporary]).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).sorted() == names.sorted())
    }

    @Test("because its streams are closed does not write into the store instead")
    func closedStreams() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let answer = try MeterfixProcess.shell(
            #"exec "$METERFIX" rebuild duplicates.sqlite <&- >&- 2>&-"#, in: folder.path)
        #expect(answer.code == 0)
        #expect(try folder.meterfix("verify", "-q", "duplicates.sqlite").code == 0)
    }

    @Test(
        "because the answer cannot be written says so with 74",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
    func fullDisk() throws {
        let folder = try ScratchFolder(sample: "duplicates")
        let answer = try MeterfixProcess.shell(#""$METERFIX" status duplicates.sqlite >/dev/full"#, in: folder.path)
        #expect(answer.stderr.hasPrefix("meterfix: standard output: the answer cannot be written: "))
        #expect(answer.code == 74)
    }

    @Test(
        "by a crash ends with its signal, although a thread waits for others",
        .signalsAreSeen,
        .disabled(if: Sanitizer.isOn, "a sanitizer tells of crashes itself"),
        arguments: [SIGSEGV, SIGBUS, SIGILL, SIGTRAP])
    func crash(_ signal: Int32) throws {
        let folder = try Self.pipe()
        let run = try MeterfixProcess.start(
            ["import-kv", "pipe", "duplicates.sqlite"], in: folder.path,
            environment: ["SWIFT_BACKTRACE": "enable=yes,symbolicate=off,images=none,registers=none"])
        while run.isRunning, !run.hasTaken(SIGHUP, ["SigBlk:"]) { usleep(500) }
        run.send(signal)
        // The runtime tells of the crash and lets the thread go on, which in a crash fails again. Here the signal is sent
        // again, once the runtime no longer handles it.
        for _ in 1...2_000 where run.isRunning {
            if !run.hasTaken(signal, ["SigCgt:"]) { run.send(signal) }
            usleep(10_000)
        }
        let hasEnded = !run.isRunning
        run.send(SIGKILL)
        #expect(hasEnded)
        #expect(try run.answer().code == 128 + signal)
    }

    @Test(
        "by a signal while it waits for a pipe ends at once, and leaves nothing",
        arguments: [
            ["import-kv", "pipe", "duplicates.sqlite"], ["import-kv", "--dry-run", "pipe", "duplicates.sqlite"],
            ["verify", "--preferences", "pipe", "duplicates.sqlite"], ["explain", "pipe"],
        ], [SIGINT, SIGTERM, SIGHUP, SIGUSR1])
    func atPipe(_ command: [String], _ signal: Int32) throws {
        // One that nobody opens to write, and one that somebody has opened and does not write into.
        for isOpen in [false, true] {
            let folder = try Self.pipe()
            let before = try folder.snapshot
            let writer = isOpen ? open(folder.path + "/pipe", O_RDWR) : -1
            defer { if isOpen { close(writer) } }
            let run = try MeterfixProcess.start(command, in: folder.path)
            try Self.interrupt(run, with: signal)
            try run.answer().expectRefusal(130, "pipe: interrupted; nothing was changed")
            #expect(try folder.snapshot.differences(from: before).isEmpty)
        }
    }

    @Test("by a signal while it waits for its standard input ends at once", arguments: [SIGINT, SIGTERM, SIGHUP])
    func atStandardInput(_ signal: Int32) throws {
        let terminal = try Pseudoterminal.open()
        defer { close(terminal.descriptor) }
        for input in ["pipe", terminal.path] {
            let folder = try Self.pipe()
            let before = try folder.snapshot
            let run = try MeterfixProcess.start(
                words: ["/bin/sh", "-c", "exec \"$METERFIX\" import-kv - duplicates.sqlite <>\(input)"], in: folder.path
            )
            try Self.interrupt(run, with: signal)
            try run.answer().expectRefusal(130, "standard input: interrupted; nothing was changed")
            #expect(try folder.snapshot.differences(from: before).isEmpty)
        }
    }

    @Test(
        "by a signal while nobody reads what it writes ends at once, and does not say that nothing was changed where it was",
        arguments: [
            (["meters", "-v", "big.sqlite"], 130), (["rebuild", "-v", "big.sqlite"], 74),
            (["rebuild", "--dry-run", "--json", "big.sqlite"], 130), (["verify", "-v", "big.sqlite"], 130),
        ])
    func unreadAnswer(_ command: [String], _ code: Int) throws {
        let folder = try Self.bigStore(records: 4_000)
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        let reader = open(folder.path + "/pipe", O_RDWR)
        defer { close(reader) }
        let before = try folder.snapshot
        let run = try MeterfixProcess.start(
            words: ["/bin/sh", "-c", "exec \"$METERFIX\" \(command.joined(separator: " ")) >pipe"], in: folder.path)
        // Until there is no room for more.
        var writable = pollfd(fd: reader, events: Int16(POLLOUT), revents: 0)
        while run.isRunning, poll(&writable, 1, 0) == 1 { usleep(1_000) }
        run.send(SIGTERM)
        let answer = try run.answer()
        #expect(Int(answer.code) == code)
        #expect(answer.stderr.contains("interrupted before all of the answer was read"))
        #expect(answer.stderr.contains("the change WAS MADE") == (code == 74))
        #expect(answer.leftovers.isEmpty)
        if code == 130 { #expect(try folder.snapshot.contents == before.contents) }
    }

    /// A store, and a pipe beside it.
    private static func pipe() throws -> ScratchFolder {
        let folder = try ScratchFolder(sample: "duplicates")
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        return folder
    }

    /// Sends the signal as soon as it could be lost: while the program waits, or is about to.
    private static func interrupt(_ run: MeterfixProcess, with signal: Int32) throws {
        // Where no /proc says whether it listens, it has the time to begin.
        if FileManager.default.fileExists(atPath: "/proc/self/status") {
            // A shell that starts it blocks none.
            while run.isRunning, !run.hasTaken(SIGHUP, ["SigBlk:"]) { usleep(500) }
        } else {
            usleep(500_000)
        }
        run.send(signal)
    }

    private static func expectInterrupted(_ run: MeterfixProcess) throws {
        try run.answer().expectRefusal(130, "big.sqlite: interrupted; nothing was changed")
    }

    /// Two records of each meter.
    static func bigStore(records: Int = 40_000) throws -> ScratchFolder {
        let folder = try ScratchFolder(of: StoreFixture(), as: "big.sqlite")
        try folder.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(records))
            INSERT INTO ZDEVICESETTINGS (Z_PK, Z_ENT, Z_OPT, ZMACADDRESS, ZMETERNAME, ZCREATEDAT, ZUPDATEDAT, ZID)
            SELECT i, 1, 1, printf('A4:C1:38:00:%02X:%02X', i / 2 / 256, i / 2 % 256), 'meter ' || i, 700000000,
                700000000 + i, CAST(printf('%016d', i) AS BLOB)
            FROM n;
            UPDATE Z_PRIMARYKEY SET Z_MAX = \(records) WHERE Z_NAME = 'DeviceSettings'
            """, in: "big.sqlite")
        return folder
    }
}

extension MeterfixProcess {
    /// Whether the signal would no longer end the program, in one of these ways.
    fileprivate func hasTaken(_ signal: Int32, _ ways: Set<Substring> = ["SigBlk:", "SigIgn:", "SigCgt:"]) -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").contains { line in
            let parts = line.split(separator: "\t")
            guard parts.count == 2, ways.contains(parts[0]) else { return false }
            return UInt64(parts[1], radix: 16).map { $0 & 1 << (signal - 1) != 0 } ?? false
        }
    }
}
