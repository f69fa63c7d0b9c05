import Foundation
import MeterInspect
import MeterJournal
import MeterTestSupport
import Testing

@Suite("a release")
struct ReleaseTests {
    private static let code = "Sources/MeterJournal/JSONDocument.swift"

    /// A repository with what `Scripts/release` changes.
    private static func repository(changelog: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for name in ["Scripts", "Sources", "Sources/MeterJournal", "Documentation"] { try folder.makeFolder(name) }
        for name in ["Scripts/release", code] { try folder.write(PackageFolder.text(name), to: name) }
        try folder.write(changelog, to: "CHANGELOG.md")
        try folder.write("by meterfix \(Version.current), at 0.1.0.9\n", to: "Documentation/tickets.md")
        for words in [["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "All"]] {
            #expect(try git(words, in: folder).code == 0)
        }
        return folder
    }

    private static func git(_ words: [String], in folder: ScratchFolder) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.start(
            words: ["/usr/bin/env", "git", "-c", "user.name=Ana", "-c", "user.email=ana@example.com"] + words,
            in: folder.path
        ).answer()
    }

    private static func release(_ version: String, in folder: ScratchFolder) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.start(
            words: ["/bin/bash", folder.path + "/Scripts/release", version], in: folder.path
        ).answer()
    }

    private static let changelog = "# Changelog\n\n## 0.9.0, unreleased\n\nNew.\n\n## 0.0.1, 2026-01-01\n\nOld.\n"

    @Test("has its version in the program, in the changelog and in what quotes the program")
    func everywhere() throws {
        let folder = try Self.repository(changelog: Self.changelog)
        let answer = try Self.release("0.10.0", in: folder)
        #expect(answer.code == 0, "\(answer.stderr)")
        #expect(try folder.text(Self.code).contains("static let current = \"0.10.0\""))
        #expect(try folder.text("CHANGELOG.md").contains(/\n## 0\.10\.0, \d{4}-\d\d-\d\d\n\nNew\.\n/))
        #expect(try folder.text("CHANGELOG.md").hasSuffix("## 0.0.1, 2026-01-01\n\nOld.\n"))
        #expect(try folder.text("Documentation/tickets.md") == "by meterfix 0.10.0, at 0.1.0.9\n")
        // What is not committed is not released again.
        #expect(try Self.release("0.11.0", in: folder).code == 65)
        #expect(try Self.git(["commit", "-qam", "Release"], in: folder).code == 0)
        #expect(try Self.release("0.11.0", in: folder).stderr.contains("write what is new under"))
    }

    @Test(
        "is refused, and nothing is changed, where the version is none or too low, or nothing is new",
        arguments: [
            ("0.8.9", changelog, "lower than 0.9.0"), ("1.0", changelog, "no version"),
            ("v1.0.0", changelog, "no version"),
            ("1.0.0", "## 0.9.0, unreleased\n\n## 0.1.0\n\nOld.\n", "says nothing"),
        ])
    func refused(version: String, changelog: String, reason: String) throws {
        let folder = try Self.repository(changelog: changelog)
        try Self.release(version, in: folder).expect(65, saying: reason)
        #expect(try Self.git(["status", "--porcelain"], in: folder).stdout.isEmpty)
    }

    @Test("has a formula, sums and notes, made from its sources and the changelog, and only of the version in its tag")
    func files() throws {
        let folder = try Self.repository(
            changelog: "# Changelog\n\n## \(Version.current), 2026-01-02\n\nNew.\n\n## 0.0.1, 2026-01-01\n\nOld.\n")
        try folder.makeFolder("Formula")
        for name in ["Scripts/release-files", "Formula/meterfix.rb"] {
            try folder.write(PackageFolder.text(name), to: name)
        }
        _ = try Self.git(["add", "-A"], in: folder)
        #expect(try Self.git(["commit", "-q", "-m", "Files"], in: folder).code == 0)
        let release = try ScratchFolder()
        let address = "https://github.com/ana/meterfix"
        func write(tag: String) throws -> MeterfixProcess.Answer {
            try MeterfixProcess.start(
                words: ["/bin/bash", folder.path + "/Scripts/release-files", release.path, address, tag],
                in: folder.path
            ).answer()
        }
        try write(tag: "99.0.0").expect(65, saying: "the tag is 99.0.0")
        let answer = try write(tag: Version.current)
        #expect(answer.code == 0, "\(answer.stderr)")
        let sources = "meterfix-\(Version.current).tar.gz"
        let sums = try release.text("SHA256SUMS").split(separator: "\n")
        let sum = try #require(sums.first { $0.hasSuffix("  \(sources)") }).prefix(64)
        let lines = "  url \"\(address)/releases/download/\(Version.current)/\(sources)\"\n  sha256 \"\(sum)\"\n"
        let formula = try release.text("meterfix.rb")
        #expect(formula.contains(lines), "\(formula)")
        #expect(try release.text("notes.txt").hasPrefix("New.\n\n## Install\n"))
        // The next release replaces the lines of this one.
        try folder.write(formula, to: "Formula/meterfix.rb")
        #expect(try Self.git(["commit", "-qam", "Formula"], in: folder).code == 0)
        #expect(try write(tag: Version.current).code == 0)
        #expect(try release.text("meterfix.rb").matches(of: /\n {2}(?:homepage|url|sha256) "/).count == 3)
    }

    @Test("knows its commit from git, and from an archive that git made")
    func commit() throws {
        let folder = try Self.repository(changelog: Self.changelog)
        try folder.write(PackageFolder.text("Scripts/commit"), to: "Scripts/commit")
        try folder.write("Scripts/commit export-subst\n", to: ".gitattributes")
        _ = try Self.git(["add", "-A"], in: folder)
        #expect(try Self.git(["commit", "-q", "-m", "Commit"], in: folder).code == 0)
        let head = try Self.git(["rev-parse", "HEAD"], in: folder).stdout
        func commit(_ path: String) throws -> MeterfixProcess.Answer {
            try MeterfixProcess.start(words: ["/bin/bash", path + "/Scripts/commit"], in: path).answer()
        }
        #expect(try commit(folder.path).stdout == head)
        try folder.write("x", to: "new.txt")
        #expect(try commit(folder.path).stdout == head.dropLast() + "-changed\n")
        let archive = try ScratchFolder()
        #expect(try Self.git(["archive", "-o", archive.path + "/a.tar", "HEAD"], in: folder).code == 0)
        #expect(
            try MeterfixProcess.start(words: ["/usr/bin/env", "tar", "xf", "a.tar"], in: archive.path).answer().code
                == 0)
        #expect(try commit(archive.path).stdout == head)
        try folder.remove(".git")
        #expect(try commit(folder.path).code == 1)
    }
}
