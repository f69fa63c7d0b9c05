import Foundation
import MeterTestSupport
import Testing

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

    /// Whether every call meets a fault; otherwise some do.
    static let isThorough = ProcessInfo.processInfo.environment["METERFIX_ALL_FAULTS"] != nil

    /// The library, beside the program; nil where there is none.
    static let library: String? = {
        let path = (MeterfixProcess.program as NSString).deletingLastPathComponent + "/libFaultyCalls.so"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }()

    /// Runs `meterfix` in `folder`, in which call number `number` meets the fault.
    /// - Parameter temporary: the folder for temporary files, where it is in `folder` too.
    /// - Returns: what it answered, and how many calls there were; nil where it was killed.
    static func run(
        _ arguments: [String], in folder: ScratchFolder, _ fault: Fault, at number: Int, temporary: String? = nil
    ) throws -> (answer: MeterfixProcess.Answer, calls: Int?) {
        let count = try ScratchFolder()
        let answer = try run(
            arguments, in: folder, "\(number):\(fault.rawValue):\(count.path)/count", temporary: temporary)
        let text = try? String(contentsOfFile: count.path + "/count", encoding: .utf8)
        return (answer, text.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
    }

    /// Runs `meterfix` in `folder`, and `body` while it waits before call number `number`.
    static func run(
        _ arguments: [String], in folder: ScratchFolder, stoppedAt number: Int, _ body: (MeterfixProcess) throws -> Void
    ) throws -> MeterfixProcess.Answer {
        let count = try ScratchFolder()
        let process = try MeterfixProcess.start(
            arguments, in: folder.path, environment: environment(folder, "\(number):stop:\(count.path)/count"))
        while process.isRunning, !process.isStopped { usleep(200) }
        if process.isRunning { try body(process) }
        process.send(SIGCONT)
        return try process.answer()
    }

    /// A call that changes a file, or waits for the disk.
    struct Call {
        /// From 1.
        let number: Int
        /// As libc has it.
        let name: String
        /// In the folder of the run; of two paths the new one.
        let path: String

        var isWrite: Bool { ["write", "pwrite64", "ftruncate64"].contains(name) }
        var isSync: Bool { ["fsync", "fdatasync"].contains(name) }
    }

    /// Runs `meterfix` in `folder`, where nothing fails.
    /// - Parameter temporary: the folder for temporary files, where it is in `folder` too.
    /// - Returns: what it answered, and its calls, in their order.
    static func sequence(
        _ arguments: [String], in folder: ScratchFolder, temporary: String? = nil
    ) throws -> (answer: MeterfixProcess.Answer, calls: [Call]) {
        let log = try ScratchFolder()
        let answer = try run(
            arguments, in: folder, "\(Int.max):once:\(log.path)/count", sequence: log.path + "/sequence",
            temporary: temporary)
        let text = try String(contentsOfFile: log.path + "/sequence", encoding: .utf8)
        let calls = text.split(separator: "\n").compactMap { line -> Call? in
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let number = Int(words[0]) else { return nil }
            return Call(number: number, name: String(words[1]), path: String(words[2].dropFirst(folder.path.count + 1)))
        }
        return (answer, calls)
    }

    /// Runs `meterfix` in `folder`, where write number `number` of all calls writes another byte and says that all is
    /// well.
    static func lie(
        _ arguments: [String], in folder: ScratchFolder, at number: Int
    ) throws -> MeterfixProcess.Answer {
        try run(arguments, in: folder, "\(number):lie:\(ScratchFolder().path)/count")
    }

    private static func run(
        _ arguments: [String], in folder: ScratchFolder, _ fault: String, sequence: String? = nil,
        temporary: String? = nil
    ) throws -> MeterfixProcess.Answer {
        var environment = environment(folder, fault)
        environment["FAULTY_CALLS_SEQUENCE"] = sequence
        if let temporary { environment["TMPDIR"] = folder.path + "/" + temporary }
        return try folder.meterfix(arguments: arguments, environment: environment)
    }

    private static func environment(_ folder: ScratchFolder, _ fault: String) -> [String: String] {
        ["LD_PRELOAD": library ?? "", "FAULTY_CALLS": "\(folder.path)/:\(fault)"]
    }
}

extension Trait where Self == ConditionTrait {
    static var faultyCalls: Self {
        .enabled(
            if: FaultyCalls.library != nil && !Sanitizer.isOn,
            "no library can be put in front of the system's here, or a sanitizer's own must be the first")
    }

    static var signalsAreSeen: Self {
        .enabled(
            if: FileManager.default.fileExists(atPath: "/proc/self/status"),
            "no /proc says what a program does with a signal here")
    }
}
