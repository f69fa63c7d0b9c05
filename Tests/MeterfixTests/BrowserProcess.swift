import Foundation
import JSON
import MeterTestSupport
import Testing

/// Chromium without a window, which is told what to do in its DevTools protocol
/// (https://chromedevtools.github.io/devtools-protocol/): messages in JSON, each ended by a NUL.
///
/// Whatever it keeps is in a scratch folder. It is for one test at a time.
final class BrowserProcess: @unchecked Sendable {
    /// What the browser tells unasked.
    struct Event {
        let session: String?
        let method: String
        let parameters: JSONValue
    }

    /// Of messages that nobody has taken yet.
    var events: [Event] = []

    private let folder = try? ScratchFolder()
    private let process: MeterfixProcess
    /// Named pipes, open at both ends here: so no opening waits, and writing to a browser that is gone is no signal.
    private let commands: Int32
    private let answers: Int32
    private var unread: [UInt8] = []
    private var lastCommand = 0

    /// Seconds for one command.
    private static let patience: TimeInterval = Sanitizer.isOn ? 900 : 60

    /// The browser that is installed here, if any is. A snap is none: it sees no files but those of the user's home.
    static let program: String? = {
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        let folders = ["/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/"]
        let apps = ["Chromium", "Google Chrome"].map { "/Applications/\($0).app/Contents/MacOS/\($0)" }
        return (folders.flatMap { folder in names.map { folder + $0 } } + apps).first { path in
            guard FileManager.default.isExecutableFile(atPath: path) else { return false }
            let real = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let start = try? FileHandle(forReadingFrom: real).read(upToCount: 4_096)
            return !real.path.contains("snap") && start?.range(of: Data("/snap/".utf8)) == nil
        }
    }()

    init() throws {
        guard let folder, let program = Self.program else {
            throw MeterfixProcess.Failure(description: "no browser can be started")
        }
        func makePipe(_ name: String) throws -> Int32 {
            guard mkfifo(folder.path + "/" + name, 0o600) == 0 else {
                throw MeterfixProcess.Failure(description: "mkfifo: \(String(cString: strerror(errno)))")
            }
            return open(folder.path + "/" + name, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        }
        // The same letters on every machine that has them; what is beneath looks for them in the user's home.
        try folder.makeFolder(".config/fontconfig")
        try folder.write(Self.fonts, to: ".config/fontconfig/fonts.conf")
        commands = try makePipe("commands")
        answers = try makePipe("answers")
        process = try MeterfixProcess.start(
            words: [
                "/bin/sh", "-c", #"folder="$1"; shift; exec "$@" 3<"$folder/commands" 4>"$folder/answers""#, "sh",
                folder.path, program, "--headless", "--remote-debugging-pipe", "--user-data-dir=\(folder.path)/profile",
                // The pages are ours. Its own sandbox is not there for root, nor in most containers.
                "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                // No page may ask for anything; one that does gets nothing.
                "--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars", "--force-color-profile=srgb", "--lang=en",
                "--password-store=basic", "--use-mock-keychain", "about:blank",
            ],
            // A library that is put before the system's for meterfix is not for the browser. It makes a socket in the
            // folder for temporary files, and the path of a socket is short.
            in: folder.path, environment: ["LD_LIBRARY_PATH": "", "TMPDIR": "/tmp", "HOME": folder.path])
    }

    private static let fonts = """
        <?xml version="1.0"?>
        <!DOCTYPE fontconfig SYSTEM "fonts.dtd">
        <fontconfig>
        <alias binding="same"><family>system-ui</family><prefer><family>Liberation Sans</family></prefer></alias>
        <alias binding="same"><family>sans-serif</family><prefer><family>Liberation Sans</family></prefer></alias>
        </fontconfig>
        """

    /// Ends the browser, by force where it does not listen.
    func close() {
        _ = try? call("Browser.close")
        _ = try? process.answer()
        Foundation.close(commands)
        Foundation.close(answers)
    }

    /// Does one thing.
    /// - Parameter session: of the page that it is for; nil for the browser.
    /// - Returns: what it says of it.
    @discardableResult
    func call(_ method: String, _ parameters: JSONValue = [:], session: String? = nil) throws -> JSONValue {
        lastCommand += 1
        var command: [JSONValue.Member] = [
            .init("id", lastCommand), .init("method", method), .init("params", parameters),
        ]
        if let session { command.append(.init("sessionId", session)) }
        let deadline = Date().addingTimeInterval(Self.patience)
        try send(Array(JSONValue.object(command).text(pretty: false).utf8) + [0], until: deadline, method)
        while true {
            let message = try next(until: deadline, method)
            guard message["id"]?.number == Double(lastCommand) else {
                note(message)
                continue
            }
            if let error = message["error"] {
                throw MeterfixProcess.Failure(description: "\(method): \(error["message"]?.string ?? "\(error)")")
            }
            return message["result"] ?? [:]
        }
    }

    /// Waits until the browser has told of it.
    func wait(for method: String, session: String) throws {
        let deadline = Date().addingTimeInterval(Self.patience)
        while !events.contains(where: { $0.method == method && $0.session == session }) {
            note(try next(until: deadline, method))
        }
    }

    private func note(_ message: JSONValue) {
        guard let method = message["method"]?.string else { return }
        events.append(
            Event(session: message["sessionId"]?.string, method: method, parameters: message["params"] ?? [:]))
    }

    private func send(_ bytes: [UInt8], until deadline: Date, _ place: String) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(commands, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else { try wait(commands, POLLOUT, until: deadline, place) }
        }
    }

    private func next(until deadline: Date, _ place: String) throws -> JSONValue {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var seen = 0
        while true {
            if let end = unread[seen...].firstIndex(of: 0) {
                defer { unread.removeFirst(end + 1) }
                return try JSONValue(parsing: Array(unread[..<end]))
            }
            seen = unread.count
            let count = read(answers, &buffer, buffer.count)
            if count > 0 { unread += buffer.prefix(count) } else { try wait(answers, POLLIN, until: deadline, place) }
        }
    }

    /// Until the descriptor is ready, or for a moment, after which it is asked again.
    private func wait(_ descriptor: Int32, _ event: Int32, until deadline: Date, _ place: String) throws {
        guard process.isRunning else {
            let answer = try process.answer()
            throw MeterfixProcess.Failure(description: "\(place): the browser ended, \(answer.code): \(answer.stderr)")
        }
        guard Date() < deadline else { throw MeterfixProcess.Failure(description: "\(place): the browser hangs") }
        var one = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        poll(&one, 1, 100)
    }
}

/// One browser for all tests of a suite, which ends with it.
struct BrowserSession: SuiteTrait, TestScoping {
    @TaskLocal static var current: BrowserProcess?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let browser = try BrowserProcess()
        defer { browser.close() }
        try await Self.$current.withValue(browser) { try await function() }
    }

    /// A file, open in the browser.
    static func withPage<Result>(_ path: String, _ body: (BrowserPage) throws -> Result) throws -> Result {
        let page = try BrowserPage.open(path, in: try #require(current))
        defer { page.close() }
        return try body(page)
    }
}

extension Trait where Self == BrowserSession {
    /// The suite has a browser of its own.
    static var browser: Self { Self() }
}
