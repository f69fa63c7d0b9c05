internal import Foundation

/// A folder with samples and the table that describes them.
package struct SampleFolder: Sendable {
    package let path: String
    private let samples: [Sample]
    private let readme: String
    /// Folders in it that have samples of their own.
    private let subfolders: Set<String>

    /// The folder of the stores.
    package init(_ path: String) {
        self.path = path
        samples = SampleShelf.samples
        readme = SampleShelf.readme
        subfolders = ["kv"]
    }

    /// The folder of the dumps, `kv` in the folder of the stores.
    package init(dumpsBeside stores: String) {
        path = stores + "/kv"
        samples = SampleShelf.dumps
        readme = SampleShelf.dumpsReadme
        subfolders = []
    }

    /// Brings the folder up to date. A sample that says the same as a fresh one stays byte for byte. Returns the names
    /// of the files written.
    package func update() throws -> [String] {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return try withFreshSamples { fresh in
            var written: [String] = []
            for sample in samples where try difference(in: sample, from: fresh) != nil {
                for file in sample.fileNames {
                    try FileBytes.removeIfThere(path + "/" + file)
                    try FileBytes.write(try FileBytes.read(fresh + "/" + file), to: path + "/" + file)
                    written.append(file)
                }
            }
            if try !readmeIsCurrent() {
                try FileBytes.write(Array(readme.utf8), to: path + "/README.md")
                written.append("README.md")
            }
            for stray in try strayFiles() {
                try FileBytes.removeIfThere(path + "/" + stray)
                written.append(stray + " (removed)")
            }
            return written
        }
    }

    /// In what the folder differs from freshly made samples, a text each; empty where it does not.
    package func differences() throws -> [String] {
        try withFreshSamples { fresh in
            var differences = try samples.compactMap { try difference(in: $0, from: fresh) }
            if try !readmeIsCurrent() { differences.append("README.md is not the table of the shelf") }
            return try differences + strayFiles().map { "\($0) is no sample's file" }
        }
    }

    private func withFreshSamples<Result>(_ use: (_ folder: String) throws -> Result) throws -> Result {
        try TemporaryFolder.use { fresh in
            for sample in samples { try sample.make(fresh) }
            return try use(fresh)
        }
    }

    private func difference(in sample: Sample, from fresh: String) throws -> String? {
        for file in sample.fileNames where !FileManager.default.fileExists(atPath: path + "/" + file) {
            return "\(file) is missing"
        }
        let here = try LogicalContents(of: path + "/" + sample.storeName)
        let there = try LogicalContents(of: fresh + "/" + sample.storeName)
        return here.firstDifference(from: there).map { "\(sample.storeName): \($0)" }
    }

    private func readmeIsCurrent() throws -> Bool {
        let current = path + "/README.md"
        guard FileManager.default.fileExists(atPath: current) else { return false }
        return try FileBytes.read(current) == Array(readme.utf8)
    }

    private func strayFiles() throws -> [String] {
        let known = Set(samples.flatMap(\.fileNames) + ["README.md"]).union(subfolders)
        return try FileManager.default.contentsOfDirectory(atPath: path).filter { !known.contains($0) }.sorted()
    }
}
