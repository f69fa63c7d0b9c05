internal import Foundation
internal import MeterTestSupport

// swift run make-samples [--check] [FOLDER]: writes the samples into Samples/, or compares them with what is there.
var arguments = Array(CommandLine.arguments.dropFirst())
let isCheck = arguments.first == "--check"
if isCheck { arguments.removeFirst() }
guard arguments.count <= 1, arguments.first?.hasPrefix("-") != true else {
    FileHandle.standardError.write(Data("usage: make-samples [--check] [FOLDER]\n".utf8))
    exit(64)
}
let path = arguments.first ?? "Samples"
let folders = [SampleFolder(path), SampleFolder(dumpsBeside: path)]
if isCheck {
    let differences = try folders.flatMap { try $0.differences() }
    for difference in differences { print(difference) }
    print(differences.isEmpty ? "the samples are current" : "run: swift run make-samples")
    exit(differences.isEmpty ? 0 : 1)
}
let written = try folders.flatMap { try $0.update() }
for file in written { print(file) }
print("\(SampleShelf.samples.count + SampleShelf.dumps.count) samples, \(written.count) files written")
