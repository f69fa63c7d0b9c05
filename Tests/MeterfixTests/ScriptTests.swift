import Foundation
import MeterTestSupport
import Testing

@Suite("a script that cannot run here says so, with what to do, and ends with 69:")
struct ScriptTests {
    /// Runs a script where `uname` says that the system is another one.
    /// - Parameter tools: where the other programs are.
    private func run(_ script: String, on system: String, tools: String) throws -> MeterfixProcess.Answer {
        let folder = try ScratchFolder()
        try folder.makeFolder("bin")
        try folder.write("#!/bin/sh\necho \(system)\n", to: "bin/uname")
        #expect(chmod(folder.path + "/bin/uname", 0o755) == 0)
        try folder.link("bin/dirname", to: "/usr/bin/dirname")
        return try MeterfixProcess.start(
            words: ["/bin/bash", PackageFolder.path + "/Scripts/" + script], in: folder.path,
            environment: ["PATH": folder.path + "/bin:" + tools]
        ).answer()
    }

    @Test(
        "one for Linux, on a Mac",
        arguments: [
            ("fuzz", "Xcode has no libFuzzer; run this on Linux, and `swift test --filter FuzzTests` here"),
            ("macos-typecheck", "only for Linux; on a Mac `swift build --build-tests` says more"),
            ("apple-sqlite", "only for Linux; on a Mac `swift test` runs on Apple's own SQLite"),
        ])
    func onMac(script: String, message: String) throws {
        let answer = try run(script, on: "Darwin", tools: "/usr/bin:/bin")
        #expect(answer.code == 69)
        #expect(answer.stderr == "\(script): \(message)\n")
        #expect(answer.stdout.isEmpty)
    }

    @Test("one that needs Python, where there is none")
    func withoutPython() throws {
        let answer = try run("macos-typecheck", on: "Linux", tools: "/nowhere")
        #expect(answer.code == 69)
        #expect(answer.stderr == "macos-typecheck: no python3 on the PATH\n")
    }
}
