import Foundation
import JSON
import MeterTestSupport
import Testing

/// The built program, run as a user runs it: in a folder the test names, with an environment that is known.
struct MeterfixProcess {
    /// What a run left behind.
    struct Answer: Equatable {
        /// As a shell shows it: 128 and the signal's number where a signal ended the run.
        let code: Int32
        let stdout: String
        let stderr: String
        /// What stdout has, where it is one document.
        var json: JSONValue { get throws { try JSONValue(parsing: Array(stdout.utf8)) } }
        /// Names in the folder for temporary files that were not removed.
        let leftovers: [String]

        /// Expects that it ended with this code, and with these words among others.
        func expect(_ code: Int32, saying words: String, sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(self.code == code, "\(stderr)", sourceLocation: sourceLocation)
            #expect(stderr.contains(words), "\(stderr)", sourceLocation: sourceLocation)
        }

        /// Expects that it did nothing but end with this code and these words.
        func expectRefusal(
            _ code: Int32, _ sentence: String, hint: String? = nil, _ comment: Comment? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let words = "meterfix: \(sentence)\n" + (hint.map { "hint: \($0)\n" } ?? "")
            #expect(stderr == words, comment, sourceLocation: sourceLocation)
            #expect(stdout.isEmpty && leftovers.isEmpty, comment, sourceLocation: sourceLocation)
            #expect(self.code == code, comment, sourceLocation: sourceLocation)
        }
    }

    /// A mistake of the machinery, or a program that hangs.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let pid: pid_t
    private let work: ScratchFolder

    /// Seconds, after which a run counts as one without an end.
    private static let patience: TimeInterval = Sanitizer.isOn ? 900 : 60

    /// Runs `meterfix` with these arguments to its end.
    static func run(_ arguments: [String], in folder: String, environment: [String: String] = [:]) throws -> Answer {
        try start(arguments, in: folder, environment: environment).answer()
    }

    /// Runs a line of the shell, in which `"$METERFIX"` is the program.
    static func shell(_ line: String, in folder: String, environment: [String: String] = [:]) throws -> Answer {
        try start(words: ["/bin/sh", "-c", line], in: folder, environment: environment).answer()
    }

    /// Starts `meterfix` and does not wait.
    static func start(
        _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) throws -> MeterfixProcess { try start(words: [program] + arguments, in: folder, environment: environment) }

    /// Sends a signal.
    func send(_ signal: Int32) { kill(pid, signal) }

    var isRunning: Bool {
        // Not waited for, so the answer can still be had.
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && processID(info) == 0
    }

    /// Whether a signal has stopped it, and none has told it to go on.
    var isStopped: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(pid), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 && processID(info) == pid
    }

    /// Waits for the end.
    func answer() throws -> Answer {
        let deadline = Date().addingTimeInterval(Self.patience)
        var status: Int32 = 0
        while true {
            let waited = waitpid(pid, &status, WNOHANG)
            if waited == pid { break }
            guard waited == 0 || errno == EINTR else { throw Failure(description: "waitpid: \(errno)") }
            guard Date() < deadline else {
                kill(pid, SIGKILL)
                waitpid(pid, &status, 0)
                throw Failure(description: "meterfix hangs: no end after \(Int(Self.patience)) s")
            }
            usleep(1_000)
        }
        let signal = status & 0x7F
        return Answer(
            code: signal == 0 ? (status >> 8) & 0xFF : 128 + signal, stdout: try text("stdout"),
            stderr: try text("stderr"),
            leftovers: try FileManager.default.contentsOfDirectory(atPath: work.path + "/tmp").sorted())
    }

    /// Where meterfix puts what it needs for the moment.
    var temporaryFolder: String { work.path + "/tmp" }

    /// The name of a private copy of a store that is there; a sanitizer has files of its own beside it.
    var privateCopy: String? {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: temporaryFolder).first { $0.hasPrefix("meterfix-") }
        }
    }

    /// Whether there is something in a folder among its temporary files.
    func isFilled(_ folder: String) throws -> Bool {
        try !FileManager.default.contentsOfDirectory(atPath: temporaryFolder + "/" + folder).isEmpty
    }

    /// What it has written to its standard output so far.
    var output: String { get throws { try text("stdout") } }

    private func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: work.path + "/" + name)), as: UTF8.self)
    }

    private func processID(_ info: siginfo_t) -> pid_t {
        #if canImport(Darwin)
            info.si_pid
        #else
            info._sifields._kill.si_pid
        #endif
    }

    /// Starts any program. The output goes to files: however much it is, nobody has to empty a pipe.
    static func start(words: [String], in folder: String, environment: [String: String] = [:]) throws -> MeterfixProcess
    {
        let work = try ScratchFolder()
        try work.makeFolder("tmp")
        // The shell opens them. One that is killed before it does so has written nothing, which is an answer too.
        for name in ["stdout", "stderr"] { try work.write("", to: name) }
        // Foundation on a Mac does not take the home folder from HOME; in the real one the system asks whether tests may look.
        var variables = [
            "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin",
            "TZ": "Pacific/Chatham", "LANG": "C.UTF-8", "TMPDIR": work.path + "/tmp",
            "HOME": work.path, "CFFIXED_USER_HOME": work.path, "METERFIX": program, "SWIFT_BACKTRACE": "enable=no",
        ]
        // Where libraries are found, what a sanitizer is told, and what a profiling build writes to.
        for name in ["LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            variables[name] = ProcessInfo.processInfo.environment[name]
        }
        variables["LLVM_PROFILE_FILE"] = "/dev/null"
        variables.merge(environment) { $1 }
        let line = #"cd "$1" && exec >"$2/stdout" 2>"$2/stderr" </dev/null && shift 2 && exec "$@""#
        return MeterfixProcess(
            pid: try spawn(["/bin/sh", "-c", line, "sh", folder, work.path] + words, variables), work: work)
    }

    /// Threads of a test block signals, and a child inherits that; this one begins as from a shell.
    private static func spawn(_ words: [String], _ variables: [String: String]) throws -> pid_t {
        #if canImport(Darwin)
            var attributes: posix_spawnattr_t?
        #else
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var all = sigset_t()
        sigemptyset(&all)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&all, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var environment: [UnsafeMutablePointer<CChar>?] = variables.map { strdup("\($0)=\($1)") } + [nil]
        defer { for pointer in arguments + environment { free(pointer) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0], nil, &attributes, &arguments, &environment)
        guard code == 0 else { throw Failure(description: "posix_spawn: \(String(cString: strerror(code)))") }
        return pid
    }

    /// The program beside the tests that are running.
    static let program: String = {
        var folders: [String] = []
        // Linux: the tests are a program in the folder of products. macOS: a bundle that another program has loaded.
        let bundles = [Bundle(for: Marker.self), .main].map(\.bundlePath)
        for path in CommandLine.arguments + bundles + (Bundle.main.executablePath.map { [$0] } ?? []) {
            var url = URL(fileURLWithPath: path)
            while url.path.count > 1 {
                folders.append(url.path)
                url = url.deletingLastPathComponent()
                if folders.count > 200 { break }
            }
        }
        let candidates =
            (ProcessInfo.processInfo.environment["METERFIX_PROGRAM"].map { [$0] } ?? [])
            + folders.map { $0 + "/meterfix" } + [PackageFolder.path + "/.build/debug/meterfix"]
        var isFolder: ObjCBool = false
        let program = candidates.first {
            FileManager.default.fileExists(atPath: $0, isDirectory: &isFolder) && !isFolder.boolValue
                && FileManager.default.isExecutableFile(atPath: $0)
        }
        return program ?? "meterfix is not built: no program beside the tests"
    }()

    private final class Marker {}
}

/// The package's own folder.
enum PackageFolder {
    static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    static let samples = path + "/Samples"
    static let goldens = path + "/Tests/Goldens"

    static func bytes(_ name: String) throws -> [UInt8] { try FileBytes.read(path + "/" + name) }

    static func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }
}

/// A way to run a program so that it obeys the modes of files, which the superuser does not.
enum Unprivileged {
    /// Words in front of a command: none for everybody but the superuser. Nil where the superuser cannot give up the right
    /// to read and write everything; on Linux `setpriv` can, and the program remains the owner of what the tests make.
    static let words: [String]? = {
        guard geteuid() == 0 else { return [] }
        let words = [
            "/usr/bin/setpriv", "--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all", "--",
        ]
        guard let folder = try? ScratchFolder(), (try? folder.write("secret", to: "file")) != nil else { return nil }
        chmod(folder.path + "/file", 0)
        func runs(_ command: [String]) -> Bool {
            (try? MeterfixProcess.start(words: words + command, in: folder.path).answer().code) == 0
        }
        return runs(["/bin/cat", "/dev/null"]) && !runs(["/bin/cat", "file"]) ? words : nil
    }()
}

extension ScratchFolder {
    /// Runs `meterfix` without the superuser's rights.
    func unprivilegedMeterfix(_ arguments: String...) throws -> MeterfixProcess.Answer {
        try unprivilegedMeterfix(arguments: arguments)
    }

    func unprivilegedMeterfix(arguments: [String]) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.start(
            words: (Unprivileged.words ?? []) + [MeterfixProcess.program] + arguments, in: path
        ).answer()
    }
}
