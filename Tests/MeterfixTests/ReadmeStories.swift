import Foundation

/// What a page shows of the program, made by running it.
///
/// `<!-- story: FILES -->` begins a folder with these samples: `kv/kv.json` or, under another name, `v1.sqlite=old.sqlite`.
/// In the blocks marked `console` after it each line that begins with `$` is run there, and what it prints stands under
/// it. `<!-- story with jq: FILES -->` begins one whose commands need that program too.
struct ReadmeStories {
    private let lines: [Substring]
    private let samples: String
    private let now: String
    /// What the stories begin with that are played.
    private let mark: String

    /// - Parameters:
    ///   - samples: the folder with the samples.
    ///   - now: what every command takes for now.
    ///   - program: plays the stories that need it, and no others.
    init(_ page: String, samples: String, now: String, with program: String? = nil) {
        mark = "<!-- story\(program.map { " with \($0)" } ?? ""): "
        lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        self.samples = samples
        self.now = now
    }

    /// The page with what its commands print.
    func played() throws -> (page: String, commands: Int) {
        var result: [Substring] = []
        var folder: ScratchFolder?
        var isBlock = false
        var commands = 0
        for line in lines {
            if line.hasPrefix("<!-- story") {
                folder =
                    line.hasPrefix(mark)
                    ? try makeFolder(with: line.dropFirst(mark.count).dropLast(4).split(separator: " ")) : nil
            } else if folder != nil, line == "```console" {
                isBlock = true
            } else if isBlock, line == "```" {
                isBlock = false
            } else if isBlock {
                guard line.hasPrefix("$ "), let folder else { continue }
                commands += 1
                result.append(line)
                result += try answer(to: line.dropFirst(2), in: folder)
                continue
            }
            result.append(line)
        }
        return (result.joined(separator: "\n"), commands)
    }

    private func makeFolder(with files: [Substring]) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for file in files {
            let names = file.split(separator: "=")
            try FileManager.default.copyItem(
                atPath: "\(samples)/\(names[0])", toPath: "\(folder.path)/\(names[names.count - 1])")
        }
        return folder
    }

    private func answer(to command: Substring, in folder: ScratchFolder) throws -> [Substring] {
        let line = "meterfix() { \"$METERFIX\" \"$@\" --now \(now); }; { \(command); } 2>&1"
        let text = Golden.anonymous(try MeterfixProcess.shell(line, in: folder.path).stdout)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }
}
