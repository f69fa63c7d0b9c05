import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@Suite("a private folder")
struct PrivateFolderTests {
    private let parent: TemporaryFolder
    private var place: PrivateFolder.Place { .beside(parent.path + "/file") }

    init() throws { parent = try TemporaryFolder() }

    @Test("is removed with the value, with all that is in it")
    func removed() throws {
        var folder: PrivateFolder? = try PrivateFolder(place)
        let path = try #require(folder?.path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o700)
        try FileBytes.write([1], to: path + "/file")
        folder = nil
        #expect(try FolderSnapshot(parent.path).names.isEmpty)
    }

    /// A folder with a file in it, as a run that was killed leaves it.
    private func leave(_ name: String, mode: mode_t = 0o700) throws {
        let path = parent.path + "/" + name
        #expect(mkdir(path, 0o700) == 0)
        try FileBytes.write([1], to: path + "/store.sqlite")
        #expect(chmod(path, mode) == 0)
    }

    @Test("of a run that was killed is removed by the next, and none that a process has")
    func leftover() throws {
        let living = try PrivateFolder(place)
        try leave(".meterfix-private-aB3dE6")
        PrivateFolder.removeLeftovers(at: place)
        #expect(FileManager.default.fileExists(atPath: living.path))
        #expect(!FileManager.default.fileExists(atPath: parent.path + "/.meterfix-private-aB3dE6"))
        try leave(".meterfix-private-aB3dE6")
        let next = try PrivateFolder(place)
        let names = [living.path, next.path].map { String($0.dropFirst(parent.path.count + 1)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted() == names.sorted())
    }

    @Test("is not taken for what is another's")
    func foreign() throws {
        try leave(".meterfix-private-abc")
        try leave(".meterfix-private-abcdefg")
        try leave("meterfix-private-abcdef")
        try leave(".meterfix-abcdef")
        try leave(".meterfix-private-shared", mode: 0o755)
        try leave(".meterfix-private-public", mode: 0o755)
        try FileBytes.write([1], to: parent.path + "/.meterfix-private-afile1")
        #expect(symlink("meterfix-private-abcdef", parent.path + "/.meterfix-private-alink1") == 0)
        let before = try FolderSnapshot(parent.path)
        PrivateFolder.removeLeftovers(at: place)
        #expect(try FolderSnapshot(parent.path).differences(from: before) == [])
    }
}
