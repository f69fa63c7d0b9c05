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
            arguments: arguments,
            environment: [
                "LD_PRELOAD": library ?? "",
                "FAULTY_CALLS": "\(folder.path)/:\(number):\(fault.rawValue):\(count.path)/count",
            ])
        let text = try? String(contentsOfFile: count.path + "/count", encoding: .utf8)
        return (answer, text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    }
}
