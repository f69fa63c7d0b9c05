import Foundation

/// A file system under the real program that fails when it is told to, or at which the program dies. Only on Linux, where
/// a library can be put in front of the system's.
enum FaultyCalls {
    enum Fault: String, CaseIterable, Sendable {
        /// SIGKILL before the call.
        case killed = "kill"
        /// SIGKILL in the middle of it.
        case torn
        /// The call fails with EIO.
        case failed = "once"
        /// From the call on the disk is full.
        case full
    }

    /// The library, beside the program; nil where there is none.
    static let library: String? = {
        let path = (MeterfixProcess.program as NSString).deletingLastPathComponent + "/libFaultyCalls.so"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// Runs `meterfix` in `folder`, in which call number `number` meets the fault.
    /// - Returns: what it answered, and how many calls there were; nil where it was killed.
    static func run(
        _ arguments: [String], in folder: ScratchFolder, _ fault: Fault, at number: Int
    ) throws -> (answer: MeterfixProcess.Answer, calls: Int?) {
        let count = try ScratchFolder()
        let answer = try folder.meterfix(
            arguments: arguments, environment: environment(folder, number, fault.rawValue, count))
        let text = try? String(contentsOfFile: count.path + "/count", encoding: .utf8)
        return (answer, text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    }

    /// Runs `meterfix` in `folder`, and `body` while it waits before call number `number`.
    static func run(
        _ arguments: [String], in folder: ScratchFolder, stoppedAt number: Int, _ body: () throws -> Void
    ) throws -> MeterfixProcess.Answer {
        let count = try ScratchFolder()
        let process = try MeterfixProcess.start(
            arguments, in: folder.path, environment: environment(folder, number, "stop", count))
        while process.isRunning, !process.isStopped { usleep(200) }
        if process.isRunning { try body() }
        process.send(SIGCONT)
        return try process.answer()
    }

    private static func environment(
        _ folder: ScratchFolder, _ number: Int, _ kind: String, _ count: ScratchFolder
    ) -> [String: String] {
        [
            "LD_PRELOAD": library ?? "", "FAULTY_CALLS": "\(folder.path)/:\(number):\(kind):\(count.path)/count",
        ]
    }
}
