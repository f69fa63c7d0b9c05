import Foundation
import MeterTestSupport
import Testing

/// What the commands say of a sound Core Data store that is not USB Meter's: a SwiftData store by its name, with a
/// composite attribute.
@Suite("another app's store")
struct OtherAppTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try Kitchen.write(to: folder.path + "/default.store")
        try Kitchen.addComposite(to: folder.path + "/default.store")
        try folder.write("{\"MeterNames\": {\"A4:C1:38:00:00:01\": \"Lab\"}}", to: "names.json")
    }

    /// What names a store that this is not, or asks for one.
    private static func asksForMeters(_ text: String) -> Bool {
        ["CKModel", "app's own store", "the app's store", "0 meters", "cloudStoreRebuildVersion"].contains {
            text.contains($0)
        }
    }

    private static let looks = [
        ["verify"], ["status"], ["log"], ["sync"], ["undo", "--list"], ["status", "--verbose"], ["verify", "--strict"],
    ]

    @Test("can be looked at, and what is said is about that store", arguments: looks)
    func looked(command: [String]) throws {
        let answer = try folder.traceless(command + ["default.store"], withFolder: false)
        #expect(answer.code == 0)
        #expect(!Self.asksForMeters(answer.stdout + answer.stderr), "\(answer.stdout)\(answer.stderr)")
    }

    @Test("has its composite attributes named")
    func composite() throws {
        let answer = try folder.meterfix("status", "default.store").stdout
        #expect(answer.contains("\ncomposite  Person.home (type 2100) of name, point.lat and point.lon\n"))
        #expect(answer.contains("\nmodel      Kitchen 3, written by Core Data 1344\n"))
        #expect(answer.contains("good, 3 of 3, 1 with derived or composite attributes not checked\n"))
    }

    private static let refused = [
        ["meters"], ["show", "Lab"], ["show", "--row", "1"], ["meters", "--locked"], ["devices"], ["lost"],
        ["rebuild", "-n"], ["rebuild"], ["migrate", "-n"], ["migrate"], ["import-kv", "names.json"], ["fix", "--all"],
        ["fix", "mirror-orphan"], ["set", "A4:C1:38:00:00:01", "--name", "Lab"], ["unlock", "A4:C1:38:00:00:01"],
        ["delete", "--row", "1"], ["restore-record", "--row", "1"], ["compare", "default.store"],
    ]

    @Test("is refused, in plain words, by what needs meters", arguments: refused)
    func refusals(command: [String]) throws {
        try folder.traceless(command + ["default.store"], withFolder: false).expectRefusal(
            4, "default.store: a Core Data store without DeviceSettings records; it has Dish, Cake, Soup, Person",
            hint: "this command needs USB Meter's store; `meterfix status` shows what is in this one")
    }

    @Test("can be redacted and recovered, without a word about meters")
    func copies() throws {
        for command in [["redact", "default.store", "copy.sqlite"], ["recover", "default.store", "saved.sqlite"]] {
            let answer = try folder.meterfix(arguments: command)
            #expect(answer.code == 0)
            #expect(!Self.asksForMeters(answer.stdout + answer.stderr), "\(answer.stdout)\(answer.stderr)")
        }
        #expect(try folder.meterfix("redact", "default.store", "other.sqlite").stdout.contains("verify and sync give"))
        // A column that the model has only in a composite attribute is no harmless one.
        #expect(try !folder.bytes("copy.sqlite").contains(Array("Sinaia".utf8)))
    }

    @Test("has no cure that is a command, because no command repairs it")
    func mirrored() throws {
        let folder = try ScratchFolder(sample: "check-mirror-orphan")
        try folder.execute(
            """
            PRAGMA legacy_alter_table = ON; ALTER TABLE ZDEVICESETTINGS RENAME TO ZDISH;
            UPDATE Z_PRIMARYKEY SET Z_NAME = 'Dish' WHERE Z_NAME = 'DeviceSettings'; DELETE FROM Z_MODELCACHE;
            """, in: "check-mirror-orphan.sqlite")
        let answer = try folder.meterfix("verify", "check-mirror-orphan.sqlite").stdout
        #expect(answer.contains("1 object of Dish deleted without a delete in the history"))
        #expect(answer.contains("→ meterfix repairs only USB Meter's store\n"))
        #expect(!answer.contains("→ meterfix fix"))
        #expect(!Self.asksForMeters(answer), "\(answer)")
    }

    @Test("in a folder is named, for whoever wants to look at it")
    func inFolder() throws {
        try folder.makeFolder("Library")
        try Kitchen.write(to: folder.path + "/Library/default.store")
        try folder.meterfix("status", "Library").expect(
            66, saying: "hint: name the file to look at another app's store: Library/default.store\n")
    }
}
