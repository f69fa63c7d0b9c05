import Foundation
import Testing

/// The packages in `Examples`. `Scripts/examples` builds and runs them as a stranger's packages; that takes minutes. Here
/// their sources are only checked against the libraries beside the tests.
@Suite("an example")
struct ExampleTests {
    private static let folder = PackageFolder.path + "/Examples"
    private static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { !$0.hasPrefix(".") }.sorted()
    private static let modules = URL(fileURLWithPath: MeterfixProcess.program).deletingLastPathComponent()
        .appendingPathComponent("Modules").path
    /// Where SwiftPM puts what it downloads, which has the maps of C modules.
    private static let checkouts = PackageFolder.path + "/.build/checkouts"

    private static func sources(of name: String) throws -> [String] {
        try files(in: "\(folder)/\(name)/Sources", "swift")
    }

    private static func files(in folder: String, _ suffix: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix("." + suffix) }.sorted()
            .map { "\(folder)/\($0)" }
    }

    @Test(
        "compiles with what is public, and nothing else",
        .enabled(if: FileManager.default.fileExists(atPath: modules + "/CoreDataStore.swiftmodule"), "no modules here"),
        arguments: names)
    func publicOnly(name: String) throws {
        let answer = try typecheck(Self.sources(of: name))
        #expect(answer.code == 0, "\(answer.output)")
        // The check can fail: what is the package's own is not seen.
        let ours = try ScratchFolder()
        try ours.write("import CoreDataStore\nlet length = StoreConnection.longestPath\n", to: "ours.swift")
        let refused = try typecheck([ours.path + "/ours.swift"])
        #expect(refused.code == 1)
        #expect(refused.output.contains("StoreConnection"), "\(refused.output)")
    }

    private func typecheck(_ sources: [String]) throws -> (code: Int32, output: String) {
        let maps = try ["\(PackageFolder.path)/Sources", Self.checkouts].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: folder)
                .filter { $0.hasSuffix("/module.modulemap") && !$0.contains("Tests/") }
                .flatMap { ["-Xcc", "-fmodule-map-file=\(folder)/\($0)"] }
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", "-swift-version", "6", "-module-name", "Example", "-I", Self.modules] + maps
            + sources
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    @Test(
        "uses everything public of its library: what no example needs is not public",
        arguments: [
            (["StoreReader", "SyncWatcher"], ["CoreDataStore"]), (["SettingsApp"], ["MeterModel", "MeterStore"]),
        ])
    func everythingPublic(examples: [String], modules: [String]) throws {
        let sources = try examples.flatMap(Self.sources).map { try String(contentsOfFile: $0, encoding: .utf8) }
        let used = Set(sources.joined(separator: "\n").matches(of: /\w+/).map { String($0.0) })
        var declared: Set<String> = []
        for file in try modules.flatMap({ try Self.files(in: PackageFolder.path + "/Sources/\($0)", "swift") }) {
            let source = try String(contentsOfFile: file, encoding: .utf8)
            let members = source.matches(
                of: /\bpublic (?:(?:package|private)\(set\) )?(?:static )?(?:let|var|func) (\w+)/)
            for member in members { declared.insert(String(member.1)) }
        }
        #expect(declared.count > 30)
        #expect(declared.subtracting(used).sorted() == [])
    }

    @Test("is where the articles of the libraries have their code from")
    func articles() throws {
        let manifests = Self.names.map { "\(Self.folder)/\($0)/Package.swift" }
        let code = try (manifests + Self.names.flatMap(Self.sources)).map {
            try String(contentsOfFile: $0, encoding: .utf8)
        }
        var blocks = 0
        for file in try Self.files(in: PackageFolder.path + "/Sources", "md") where file.contains(".docc/") {
            let article = try String(contentsOfFile: file, encoding: .utf8)
            for block in article.matches(of: /```swift\n((?s:.*?))```/) {
                blocks += 1
                #expect(code.contains { $0.contains(block.1) }, "\(file): \(block.1)")
            }
        }
        #expect(blocks > 5)
    }
}
