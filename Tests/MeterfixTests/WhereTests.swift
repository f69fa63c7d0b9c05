import Foundation
import MeterInspect
import MeterRepair
import MeterTestSupport
import Testing

@Suite("where")
struct WhereTests {
    private static let phone = "home/Library/Containers/0B7E21/Data/Library/Application Support"
    private static let group = "home/Library/Group Containers/group.meter"
    private static let plain = "home/Library/Application Support/USB Meter"

    /// A home folder with a store in each place, another app's store, and much that is none.
    private static func home() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        let names = [
            (phone, "duplicates"), (group + "/Library/Application Support", "healthy"), (plain, "not-a-database"),
            ("home/Library/Containers/com.example.other/Data/Library/Application Support", "other-app"),
        ]
        for (place, sample) in names {
            try folder.makeFolder(place)
            try folder.copySampleFile(sample + ".sqlite", as: place + "/CKModel.sqlite")
        }
        try folder.makeFolder("home/Library/Containers/empty")
        try folder.makeFolder("home/Library/Containers/other/Data/Library/Application Support/CKModel.sqlite")
        try folder.copySampleFile("healthy.sqlite", as: "home/CKModel.sqlite")
        return folder
    }

    @Test("lists each store of the app in a home folder, with what is in it, and nothing else")
    func places() throws {
        let folder = try Self.home()
        #expect(
            try folder.meterfix("rebuild", "-q", "--now", SampleSession.now, Self.phone + "/CKModel.sqlite").code == 0)
        let answer = try folder.traceless(["where", "home", "--now", SampleSession.now])
        #expect(
            answer.stdout == """
                'home/Library/Application Support/USB Meter/CKModel.sqlite'  cannot be read: not a SQLite database but a text file
                'home/Library/Containers/0B7E21/Data/Library/Application Support/CKModel.sqlite'  13 records, schema v2, last changed 21 Nov 2026, 12:00, now, complete, 1 backup, app ro.xdev.USB-Meter, UUID FFED7342-3FCB-45A1-B805-5024B73BFE4A
                'home/Library/Group Containers/group.meter/Library/Application Support/CKModel.sqlite'  5 records, schema v2, last changed 20 Nov 2026, 06:00, 1 day ago, complete, app ro.xdev.USB-Meter, UUID FFED7342-3FCB-45A1-B805-5024B73BFE4A
                times are UTC

                """)
        #expect(answer.code == 0 && answer.stderr.isEmpty)
    }

    #if os(macOS)
        @Test("looks into the home folder where no folder is named; in a test that is never the real one")
        func ownHome() throws {
            let folder = try Self.home()
            let answer = try folder.meterfix("where", environment: ["CFFIXED_USER_HOME": folder.path + "/home"])
            #expect(answer.stdout.contains("0B7E21"), "\(answer)")
            #expect(try folder.meterfix("where").code == 66)
        }
    #endif

    @Test("says which folders are closed, and how to open them", .enabled(if: Unprivileged.words != nil))
    func closed() throws {
        let folder = try Self.home()
        let path = folder.path + "/" + Self.phone
        #expect(chmod(path, 0) == 0)
        defer { chmod(path, 0o755) }
        let answer = try folder.unprivilegedMeterfix("where", "home")
        #expect(!answer.stdout.contains("0B7E21"))
        answer.expect(0, saying: "1 folder could not be looked into: allow the program")
    }

    @Test("lists what a device's backup has of the app, and copies it out; the backup stays as it was")
    func deviceBackup() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        var backup = try DeviceBackupFixture(at: folder.path + "/ana", fileID: DeviceBackup.fileID)
        try backup.add(store: folder.path + "/wal-only.sqlite")
        try backup.add([1, 2, 3], DeviceBackupFixture.domain, "Library/Preferences/ro.xdev.USB-Meter.plist")
        backup.add(.init("0", DeviceBackupFixture.domain, "../\u{1B}[2J/CKModel.sqlite"))
        try backup.finish()
        let before = try FolderSnapshot(folder.path + "/ana")
        let list = try folder.meterfix("where", "ana")
        #expect(
            list.stdout == """
                AppDomain-ro.xdev.USB-Meter
                  CKModel.sqlite             70 kB  Library/Application Support/CKModel.sqlite
                  CKModel.sqlite-wal         54 kB  Library/Application Support/CKModel.sqlite-wal
                  ro.xdev.USB-Meter.plist  3 bytes  Library/Preferences/ro.xdev.USB-Meter.plist

                  → meterfix where --copy-to NEWFOLDER ana

                """)
        #expect(list.stderr.hasPrefix("meterfix: warning: Manifest.db has a path that leads out of its domain: "))
        list.expect(0, saying: "\\u{1b}[2J")
        let copy = try folder.meterfix("where", "-q", "--copy-to", "out", "ana")
        #expect(copy.stdout.isEmpty && copy.code == 0)
        #expect(try folder.meterfix("status", "-q", "out").code == 0)
        #expect(try folder.meterfix("where", "--copy-to", "out", "ana").code == 73)
        #expect(try folder.meterfix("where", "--copy-to", "other", "out").code == 4)
        let refused = try folder.meterfix("rebuild", "ana")
        refused.expectRefusal(
            66, "ana: a backup of a device",
            hint: "copy the app's store out of it: meterfix where --copy-to NEWFOLDER ana")
        let after = try FolderSnapshot(folder.path + "/ana")
        #expect(after.differences(from: before).isEmpty)
        for answer in [list, copy, refused] { #expect(answer.leftovers.isEmpty) }
        let all = try folder.meterfix("where", ".", "--now", SampleSession.now)
        #expect(all.stdout.contains("./ana  a backup of a device: meterfix where ./ana\n"))
    }

    @Test("does not call a store complete whose backup's list was shortened, and no write runs on the copy")
    func prunedBackup() throws {
        let folder = try ScratchFolder(sample: "wal-only")
        var backup = try DeviceBackupFixture(at: folder.path + "/ana", fileID: DeviceBackup.fileID)
        let main = try FileBytes.read(folder.path + "/wal-only.sqlite")
        try backup.add(main, DeviceBackupFixture.domain, DeviceBackupFixture.storePath)
        backup.listsFolders = false
        try backup.finish()
        let list = try folder.meterfix("where", "ana")
        #expect(!list.stdout.contains("complete"))
        list.expect(0, saying: "the list of this backup was shortened")
        #expect(try folder.meterfix("where", "--json", "ana").stdout.contains("\"walMissing\": true"))
        try folder.meterfix("where", "--copy-to", "out", "ana").expect(0, saying: "newest changes are missing")
        let store = "out/CKModel.sqlite"
        #expect(try folder.meterfix("verify", store).stdout.contains("wal-missing"))
        #expect(try folder.meterfix("rebuild", store).code == 65)
    }

    @Test("says that there is no store, with the code for that")
    func none() throws {
        let folder = try ScratchFolder()
        try folder.makeFolder("home/Library/Containers/empty")
        let answer = try folder.meterfix("where", "home")
        #expect(answer.stdout.hasPrefix("no store of the app in home: there is no CKModel.sqlite"))
        #expect(answer.code == 66 && answer.stderr.isEmpty)
        let document = try folder.meterfix("where", "home", "--json")
        #expect(document.stdout.contains(/"stores": \[\s*\]/))
        #expect(document.code == 66)
    }

    @Test("is refused for what is no folder")
    func noFolder() throws {
        let folder = try ScratchFolder(sample: "healthy")
        #expect(try folder.meterfix("where", "nonesuch").code == 66)
        try folder.meterfix("where", "healthy.sqlite").expect(66, saying: "not a folder")
        #expect(try folder.meterfix("where", "").stderr.hasPrefix("meterfix: '': an empty path\n"))
    }

    #if !os(macOS)
        @Test("asks for a home folder where the app does not run, as status asks for a store")
        func elsewhere() throws {
            let folder = try ScratchFolder()
            let answer = try folder.meterfix("where")
            #expect(answer.stdout.isEmpty)
            #expect(answer.stderr.hasPrefix("meterfix: name a FOLDER"))
            #expect(answer.code == 64)
            try folder.meterfix("status").expect(64, saying: "name a STORE")
        }
    #endif
}
