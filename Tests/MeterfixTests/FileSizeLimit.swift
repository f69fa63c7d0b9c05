import Foundation
import Testing

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
