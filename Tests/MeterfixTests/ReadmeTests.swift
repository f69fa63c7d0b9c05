import Foundation
import MeterInspect
import MeterRepair
import MeterTestSupport
import Testing

/// What a page shows of the program, made by running it.
///
/// `<!-- story: FILES -->` begins a folder with these samples: `kv/kv.json` or, under another name, `v1.sqlite=old.sqlite`.
/// In the blocks marked `console` after it each line that begins with `$` is run there, and what it prints stands under
/// it. `<!-- story on 100 columns: FILES -->` begins one whose commands print to a terminal of that width. Of a line such as
/// `*3 commands*` the number is that of the commands in its section. `backup:wal-only.sqlite=backup` makes the backup of a
/// device that has this store, and `log:03-quota-partial-default.log=console.log` copies a log of `Tests/Logs`;
/// `app:` copies what was handed over of an app, of `Tests/Apps`.
struct ReadmeStories {
    private let lines: [Substring]
    private let now: String
    private static let mark = "<!-- story: "
    private static let backup = "backup:"
    private static let log = "log:"
    private static let app = "app:"
    private static let markOfTerminal = "<!-- story on 100 columns: "

    /// - Parameter now: what every command takes for now.
    init(_ page: String, now: String) {
        lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        self.now = now
    }

    /// The page with what its commands print.
    func played() throws -> (page: String, commands: Int) {
        var result: [Substring] = []
        var folder: ScratchFolder?
        var isBlock = false
        var isOnTerminal = false
        var commands = 0
        var counts: (line: Int, before: Int)?
        func count() {
            guard let section = counts else { return }
            result[section.line] = "*\(Phrase.count(commands - section.before, "command"))*"
            counts = nil
        }
        for line in lines {
            if line.hasPrefix("## ") { count() }
            if line.wholeMatch(of: /\*\d+ commands?\*/) != nil { counts = (result.count, commands) }
            if line.hasPrefix("<!-- story") {
                isOnTerminal = line.hasPrefix(Self.markOfTerminal)
                let found = [Self.mark, Self.markOfTerminal].first { line.hasPrefix($0) }
                folder = try found.map {
                    try makeFolder(with: line.dropFirst($0.count).dropLast(4).split(separator: " "))
                }
            } else if folder != nil, line == "```console" {
                isBlock = true
            } else if isBlock, line == "```" {
                isBlock = false
            } else if isBlock {
                guard line.hasPrefix("$ "), let folder else { continue }
                commands += 1
                result.append(line)
                result += try answer(to: line.dropFirst(2), columns: isOnTerminal ? 100 : nil, in: folder)
                try Golden.renameAuthors(in: folder)
                continue
            }
            result.append(line)
        }
        count()
        return (result.joined(separator: "\n"), commands)
    }

    private func makeFolder(with files: [Substring]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for file in files {
            let names = file.split(separator: "=").map(String.init)
            guard !names[0].hasPrefix(Self.backup) else {
                let place = "\(folder.path)/\(names[1])"
                var backup = try DeviceBackupFixture(at: place, fileID: DeviceBackup.fileID)
                try backup.add(store: "\(PackageFolder.samples)/\(names[0].dropFirst(Self.backup.count))")
                try backup.finish()
                continue
            }
            guard !names[0].hasPrefix(Self.log) else {
                let log = "\(PackageFolder.path)/Tests/Logs/\(names[0].dropFirst(Self.log.count))"
                try FileBytes.write(FileBytes.read(log), to: "\(folder.path)/\(names[1])")
                continue
            }
            guard !names[0].hasPrefix(Self.app) else {
                try FileManager.default.copyItem(
                    atPath: "\(PackageFolder.path)/Tests/Apps/\(names[0].dropFirst(Self.app.count))",
                    toPath: "\(folder.path)/\(names[1])")
                continue
            }
            try folder.copySampleFile(names[0], as: names[names.count - 1])
        }
        return folder
    }

    /// - Parameter columns: of the terminal that it prints to; nil for a pipe.
    private func answer(to command: Substring, columns: UInt16?, in folder: ScratchFolder) throws -> [Substring] {
        let line = "meterfix() { \"$METERFIX\" \"$@\" --now \(now); }; { \(command); } 2>&1"
        let printed =
            try columns.map { columns in
                try Pseudoterminal.text(of: [line], columns: columns, in: folder.path, environment: ["NO_COLOR": "1"])
            } ?? MeterfixProcess.shell(line, in: folder.path).stdout
        // How far long work is, a terminal does not show any more at the end; on a slow machine any work is long.
        let left = printed.replacing(/[^\n]*\u{1B}\[K/, with: "")
        return Golden.anonymous(left).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
}

@Suite("a page")
struct ReadmeTests {
    @Test(
        "shows what its commands print",
        arguments: [
            ("README.md", 3), ("MIGRATIONS.md", 5), ("Documentation/tickets.md", 35),
            ("Documentation/explain.md", 3), ("Documentation/check-app.md", 0),
        ])
    func stories(name: String, fewest: Int) throws {
        let page = try PackageFolder.text(name)
        let (played, commands) = try ReadmeStories(page, now: FixtureClock.nowText).played()
        if ProcessInfo.processInfo.environment["METERFIX_UPDATE_DOCS"] != nil {
            try FileBytes.write(Array(played.utf8), to: "\(PackageFolder.path)/\(name)")
        } else {
            #expect(played == page)
        }
        #expect(commands > fewest)
    }
}
