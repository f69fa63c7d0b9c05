import Foundation
import GRDB
import MeterTestSupport
import Testing

/// A folder for a test, gone when the value is.
final class ScratchFolder: Sendable {
    /// Free of symbolic links.
    let path: String

    init() throws {
        let parent = TemporaryFolder.parent
        path = parent + "/meterfix-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    /// Whether the file system takes a name that is not UTF-8; Apple's does not.
    static let takesAnyName: Bool = {
        guard let folder = try? ScratchFolder() else { return false }
        return mkdir(Array(folder.path.utf8CString.dropLast()) + [0x2F, CChar(bitPattern: 0xFF), 0], 0o700) == 0
    }()

    /// A folder with a copy of a sample's files.
    convenience init(of sample: Sample) throws {
        try self.init()
        for name in sample.fileNames { try copy(name, as: name) }
    }

    /// A folder with a copy of the sample of this name.
    convenience init(sample name: String) throws { try self.init(samples: [name]) }

    /// A folder with a copy of several samples.
    convenience init(samples names: String...) throws { try self.init(samples: names) }

    /// A folder with a store.
    convenience init(of fixture: StoreFixture, as name: String = "store.sqlite") throws {
        try self.init()
        try fixture.write(to: path + "/" + name)
    }

    convenience init(samples names: [String]) throws {
        try self.init()
        for name in names {
            guard let sample = SampleShelf.sample(name) else {
                throw MeterfixProcess.Failure(description: "no sample is named \(name)")
            }
            for file in sample.fileNames { try copy(file, as: file) }
        }
    }

    /// Copies a sample's store under its own name or another one, with its log.
    func copyStore(_ sample: String, as name: String? = nil) throws {
        let file = sample + ".sqlite"
        for suffix in ["", "-wal"]
        where suffix.isEmpty || FileManager.default.fileExists(atPath: "\(PackageFolder.samples)/\(file)\(suffix)") {
            try copy(file + suffix, as: (name ?? file) + suffix)
        }
    }

    /// Another folder with the same files.
    func copy() throws -> ScratchFolder {
        let copy = try ScratchFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.copyItem(atPath: path + "/" + name, toPath: copy.path + "/" + name)
        }
        return copy
    }

    deinit {
        chmod(path, 0o700)
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Copies a file of a sample; a main file comes with the empty log beside it.
    func copySampleFile(_ name: String, as newName: String) throws {
        try copy(name, as: newName)
        let log = PackageFolder.samples + "/" + name + "-wal"
        if FileManager.default.fileExists(atPath: log), try FileBytes.read(log).isEmpty {
            try copy(name + "-wal", as: newName + "-wal")
        }
    }

    private func copy(_ name: String, as newName: String) throws {
        try FileBytes.write(FileBytes.read(PackageFolder.samples + "/" + name), to: path + "/" + newName)
    }

    func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: path + "/" + name, withIntermediateDirectories: true)
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
    }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path + "/" + name) }

    func bytes(_ name: String) throws -> [UInt8] { try FileBytes.read(path + "/" + name) }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func write(_ text: String, to name: String) throws { try FileBytes.write(Array(text.utf8), to: path + "/" + name) }

    /// Changes a store behind meterfix's back.
    func execute(_ sql: String, in name: String) throws { try DatabaseQueue.script(at: path + "/" + name, sql) }

    /// Lists the table `places` in a store, as a module that no SQLite has would have made it.
    func makeTableOfUnknownModule(in name: String) throws {
        try execute(
            """
            PRAGMA writable_schema = ON;
            INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)
            VALUES ('table', 'places', 'places', 0, 'CREATE VIRTUAL TABLE places USING vec0(a)')
            """, in: name)
    }

    func meterfix(_ arguments: String..., environment: [String: String] = [:]) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.run(arguments, in: path, environment: environment)
    }

    func meterfix(arguments: [String], environment: [String: String] = [:]) throws -> MeterfixProcess.Answer {
        try MeterfixProcess.run(arguments, in: path, environment: environment)
    }

    /// Runs `meterfix`, which must leave the folder as it was.
    /// - Parameter withFolder: whether a file that was made and removed again counts, too.
    func traceless(
        _ arguments: [String], withFolder: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> MeterfixProcess.Answer {
        let before = try snapshot
        let answer = try meterfix(arguments: arguments)
        let differences = try snapshot.differences(from: before, withFolder: withFolder)
        #expect(differences.isEmpty, "\(arguments)", sourceLocation: sourceLocation)
        return answer
    }

    var snapshot: FolderSnapshot { get throws { try FolderSnapshot(path) } }
}
