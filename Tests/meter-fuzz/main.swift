// libFuzzer on one of the targets, the one that METERFIX_FUZZ_TARGET names. Without arguments for libFuzzer:
// `meter-fuzz --targets` lists the names, `meter-fuzz --seeds FOLDER` writes the target's seeds into a folder.
import Foundation
import MeterFuzz

/// libFuzzer's own way in for a program that has a `main` (https://llvm.org/docs/LibFuzzer.html).
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

let words = CommandLine.arguments.dropFirst()
if words.first == "--targets" {
    for target in FuzzTarget.all { print(target.name, target.longestInput) }
    exit(0)
}
let name = ProcessInfo.processInfo.environment["METERFIX_FUZZ_TARGET"] ?? ""
guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    FileHandle.standardError.write(Data("meter-fuzz: METERFIX_FUZZ_TARGET names no target: \(name)\n".utf8))
    exit(64)
}
if words.first == "--seeds", let folder = words.last {
    for (index, seed) in try target.seeds().enumerated() {
        try Data(seed).write(to: URL(fileURLWithPath: "\(folder)/seed-\(index)"))
    }
    exit(0)
}
nonisolated(unsafe) let read = try target.entry()
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
    runDriver(&count, &arguments) { bytes, size in
        do {
            try read(Array(UnsafeBufferPointer(start: bytes, count: size)))
        } catch {
            fatalError("\(error)")
        }
        return 0
    })
