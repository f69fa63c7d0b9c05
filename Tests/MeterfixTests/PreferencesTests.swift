import Foundation
import JSON
import MeterTestSupport
import Testing

@Suite("verify with the app's own preferences")
struct PreferencesTests {
    private static let file = "ro.xdev.USB-Meter.plist"

    private static func xml(_ marker: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict><key>AppleLanguages</key><array><string>de</string></array>\(marker)</dict></plist>
        """
    }

    private static let done = "<key>cloudStoreRebuildVersion.3</key><true/>"

    private func run(_ sample: String, _ preferences: String, _ options: String...) throws -> MeterfixProcess.Answer {
        let folder = try ScratchFolder(sample: sample)
        try folder.write(preferences, to: Self.file)
        return try folder.traceless(
            ["verify", "--preferences", Self.file, "\(sample).sqlite", "--now", SampleSession.now] + options)
    }

    @Test(
        "reads the marker in each of its forms",
        arguments: [
            ("<key>cloudStoreRebuildVersion.3</key><true/>", 3),
            ("<key>cloudStoreRebuildVersion</key><integer>3</integer>", 3),
            ("<key>cloudStoreRebuildVersion</key><string>3</string>", 3),
            ("<key>cloudStoreRebuildVersion.3</key><integer>1</integer>", 3),
            ("<key>cloudStoreRebuildVersion.3</key><string>YES</string>", 3),
            ("<key>cloudStoreRebuildVersion.2</key><true/><key>cloudStoreRebuildVersion.3</key><false/>", 2),
            ("<key>cloudStoreRebuildVersion.3</key><integer>0</integer>", nil), ("", nil),
        ])
    func forms(marker: String, version: Int64?) throws {
        let answer = try run("healthy", Self.xml(marker), "--json")
        let compared = try #require(try answer.json["preferences"])
        #expect(compared["path"]?.string == Self.file)
        #expect(compared["cloudStoreRebuildVersion"] == version.map { .integer($0) } ?? .null)
        #expect(compared["storeMarker"] == .integer(3))
        #expect(compared["agrees"] == .bool(version == 3))
    }

    @Test("reads a binary property list, and what defaults read prints")
    func formats() throws {
        let folder = try ScratchFolder(sample: "healthy")
        let binary = try PropertyListSerialization.data(
            fromPropertyList: ["cloudStoreRebuildVersion.3": true], format: .binary, options: 0)
        try FileBytes.write(Array(binary), to: folder.path + "/binary.plist")
        try folder.write("{\n    \"cloudStoreRebuildVersion.3\" = 1;\n}\n", to: "read.txt")
        for name in ["binary.plist", "read.txt"] {
            let answer = try folder.meterfix(
                "verify", "--preferences", name, "healthy.sqlite", "--now", SampleSession.now)
            #expect(answer.code == 0)
            #expect(
                answer.stdout.contains(
                    "the app's preferences say that rebuild 3 was done, and the store's metadata say that rebuild 3 was done"
                ), "\(answer.stdout)\(answer.stderr)")
        }
    }

    @Test("says where the two disagree, and what it means")
    func disagreement() throws {
        let app = try run("check-rebuild-marker-missing", Self.xml(Self.done))
        #expect(
            app.stdout.contains(
                """
                the app's preferences say that rebuild 3 was done, but the store's metadata have no rebuild marker
                this does no harm: no meter has several records, and a rebuild relies on the data

                """))
        #expect(app.code == 0)
        let store = try run("healthy", Self.xml(""))
        #expect(
            store.stdout.contains(
                """
                the app's preferences have no rebuild marker, but the store's metadata say that rebuild 3 was done
                the app rebuilds this store once more when it opens it, and finds nothing to do

                """))
        let neither = try run("check-rebuild-marker-missing", Self.xml(""))
        #expect(neither.stdout.contains("have no rebuild marker, and the store's metadata have no rebuild marker\n"))
    }

    @Test("finds that the app calls a store rebuilt whose marker is missing")
    func missing() throws {
        let folder = try ScratchFolder(sample: "v1")
        try folder.write(Self.xml(Self.done), to: Self.file)
        func findings(_ options: String...) throws -> [JSONValue] {
            let answer = try folder.meterfix(
                arguments: ["verify", "v1.sqlite", "--json", "--now", SampleSession.now] + options)
            return try #require(try answer.json["findings"]?.elements)
                .filter { $0["id"]?.string == "rebuild-marker-missing" }
        }
        #expect(try findings().isEmpty)
        let found = try findings("--preferences", Self.file)
        #expect(
            found.map { $0["message"]?.string }
                == ["the app's preferences say rebuild 3, but the metadata has no cloudStoreRebuildVersion"])
        #expect(found.first?["cure"]?.string?.hasPrefix("do nothing: the marker is only evidence") == true)
        try folder.write(Self.xml("<key>cloudStoreRebuildVersion</key><integer>2</integer>"), to: Self.file)
        #expect(try findings("--preferences", Self.file).isEmpty)
    }

    @Test("finds that the app calls a store rebuilt that has duplicates")
    func lie() throws {
        let answer = try run("check-duplicate-mac", Self.xml(Self.done), "--json")
        #expect(answer.code == 1)
        let findings = try #require(try answer.json["findings"]?.elements)
        #expect(
            findings.map { $0["id"]?.string }
                == ["duplicate-mac", "rebuild-marker-lies", "rebuild-marker-old", "not-mirrored"])
        #expect(
            findings[1]["message"]?.string == "the app's preferences say rebuild 3, but 1 meter has several records")
        #expect(findings[1]["cure"]?.string == "meterfix rebuild check-duplicate-mac.sqlite")
        let text = try run("check-duplicate-mac", Self.xml(Self.done))
        #expect(
            text.stdout.contains(
                "the app does not rebuild this store again by itself, although 1 meter has several records\n"))
        let ignored = try run("check-duplicate-mac", Self.xml(Self.done), "--json", "--ignore", "rebuild-marker-lies")
        #expect(!ignored.stdout.contains("rebuild-marker-lies"))
        // Both lie.
        let both = try run("check-rebuild-marker-lies", Self.xml(Self.done))
        #expect(both.stdout.contains("  store  the marker says rebuild 3, but"))
        #expect(both.stdout.contains("  store  the app's preferences say rebuild 3, but"))
        // Without the option nothing of it is said.
        let folder = try ScratchFolder(sample: "check-duplicate-mac")
        #expect(try !folder.meterfix("verify", "check-duplicate-mac.sqlite").stdout.contains("preferences"))
    }

    @Test(
        "refuses what is no property list",
        arguments: [
            ("", "not a property list but an empty file"), ("hello", "not a property list"),
            ("{\"cloudStoreRebuildVersion\": 3}", "not a property list"),
            ("<plist><array/></plist>", "a property list without a dictionary at its top"),
            ("<plist><dict><key>a</key>", "line 1"),
        ])
    func unreadable(text: String, sentence: String) throws {
        let answer = try run("healthy", text)
        #expect(answer.code == 65)
        #expect(answer.stderr.hasPrefix("meterfix: \(Self.file): "))
        #expect(answer.stderr.contains(sentence), "\(answer.stderr)")
        #expect(answer.stdout.isEmpty)
    }

    @Test("refuses a file that is not there, a directory, a picture, and several stores")
    func wrongFiles() throws {
        let folder = try ScratchFolder(sample: "healthy")
        try folder.makeFolder("Preferences")
        try folder.copySampleFile("photo.jpg", as: "photo.jpg")
        try folder.write(Self.xml(Self.done), to: Self.file)
        func run(_ preferences: String, _ stores: [String] = ["healthy.sqlite"]) throws -> MeterfixProcess.Answer {
            try folder.meterfix(arguments: ["verify", "--preferences", preferences] + stores)
        }
        try run("missing.plist").expectRefusal(66, "missing.plist: no such file", hint: "check the path")
        try run("Preferences").expect(65, saying: "a directory, not a property list")
        try run("photo.jpg").expect(65, saying: "not a property list but a JPEG picture")
        try run(Self.file, ["healthy.sqlite", "healthy.sqlite"]).expect(
            64, saying: "--preferences belongs to one device; name one STORE")
    }
}
