import AppChecks
import CoreDataStore
import Foundation
import JSON
import MeterModel
import MeterTestSupport
import Testing

@Suite("check-app")
struct CheckAppTests {
    private static let apps = PackageFolder.path + "/Tests/Apps"

    private static let cases: [(name: String, wanted: JSONValue)] = {
        let bytes = (try? FileBytes.read("\(apps)/expected.json")) ?? []
        guard let document = try? JSONValue(parsing: bytes), case .object(let inputs)? = document["inputs"] else {
            return []
        }
        return inputs.map { ($0.key, $0.value) }
    }()

    private static func words(_ value: JSONValue?) -> [String] {
        value?.elements?.compactMap(\.string) ?? []
    }

    /// A folder with what was handed over.
    private static func folder(_ name: String) throws -> ScratchFolder {
        let folder = try ScratchFolder()
        for file in try FileManager.default.contentsOfDirectory(atPath: "\(apps)/\(name)") {
            try FileManager.default.copyItem(atPath: "\(apps)/\(name)/\(file)", toPath: "\(folder.path)/\(file)")
        }
        return folder
    }

    private static func arguments(_ wanted: JSONValue) -> [String] {
        ["check-app"] + words(wanted["arguments"]) + (wanted["store"]?.string.map { ["--store", $0] } ?? [])
    }

    @Test("exits with what it found, says it as JSON, and leaves no trace", arguments: cases.map(\.name))
    func inputs(_ name: String) throws {
        let wanted = try #require(Self.cases.first { $0.name == name }).wanted
        let folder = try Self.folder(name)
        let answer = try folder.traceless(Self.arguments(wanted) + ["--json"])
        #expect(answer.code == wanted["exit"]?.number.map { Int32($0) })
        #expect(try folder.traceless(Self.arguments(wanted) + ["--quiet"]).stdout.isEmpty)
        #expect(answer.leftovers.isEmpty)
        let document = try answer.json
        guard wanted["findings"] != nil else {
            #expect(document["error"]?["code"]?.number == wanted["exit"]?.number)
            return
        }
        for key in ["platform", "unknown"] { #expect(document[key] == wanted[key]) }
        if let gaps = wanted["notLookedAt"]?.elements {
            #expect(document["notLookedAt"]?.elements?.count == gaps.count)
        }
        #expect(document["inputs"] == wanted["arguments"])
        #expect(document["schema"] == .integer(1) && document["command"] == "check-app")
        #expect(document["container"] == "iCloud.ro.xdev.USB-Meter")
        let findings = try #require(document["findings"]?.elements)
        let expected = try #require(wanted["findings"]?.elements)
        #expect(findings.count == expected.count)
        // What was not read, or cannot be seen, is never without fault.
        let isWhole = document["notLookedAt"]?.elements?.isEmpty == true
        let text = try folder.meterfix(arguments: Self.arguments(wanted)).stdout
        #expect(text.contains("nothing is wrong") == (findings.isEmpty && isWhole))
        for (finding, expected) in zip(findings, expected) {
            for key in ["id", "severity", "subject"] { #expect(finding[key] == expected[key], "\(key)") }
            for key in ["message", "cure"] { #expect(finding[key]?.string?.isEmpty == false, "\(key)") }
        }
    }

    @Test("is what Tests/Goldens/check-app says")
    func golden() throws {
        let folder = try ScratchFolder()
        for name in [
            "01-all-good-source", "13-app-unresolved-xcent", "16-model-relationships",
            "22-settings-release-without-entitlements", "24-not-a-plist", "29-project-alone",
            "30-project-beside-entitlements",
            "32-setting-not-resolved",
        ] {
            try FileManager.default.copyItem(
                atPath: "\(Self.apps)/\(name)", toPath: "\(folder.path)/\(name.prefix(2))")
        }
        try FileManager.default.copyItem(atPath: "\(Self.apps)/packed.ipa", toPath: "\(folder.path)/packed.ipa")
        try folder.copyStore("v1")
        let transcript = Transcript(in: folder)
        try transcript.run(all: [
            "check-app 01", "check-app 01 --store v1.sqlite", "check-app 01 --store 01",
            "check-app 13 --format markdown", "check-app 16", "check-app 22", "check-app 24 v1.sqlite", "check-app 30",
            "check-app 29", "check-app 32", "check-app 32 --json",
            "check-app packed.ipa --container iCloud.com.example.Other", "check-app packed.ipa --json",
            "check-app v1.sqlite", "check-app missing.app",
        ])
        try transcript.compare(with: "check-app/check-app.txt")
    }

    @Test("needs something to look at")
    func usage() throws {
        let folder = try ScratchFolder()
        #expect(try folder.meterfix("check-app").code == 64)
        #expect(try folder.meterfix("check-app", "--store", "CKModel.sqlite").code == 64)
        #expect(try folder.meterfix("check-app", "").code == 66)
        // The store of the environment is not asked for.
        let answer = try folder.meterfix(
            arguments: ["check-app", "\(Self.apps)/packed.ipa"], environment: ["METERFIX_STORE": "gone.sqlite"])
        #expect(answer.code == 0)
    }

    @Test("makes control characters visible, in every format")
    func hostileText() throws {
        let folder = try ScratchFolder()
        let list = { (container: String) in
            "<plist><dict><key>com.apple.developer.icloud-container-identifiers</key><string>\(container)</string></dict></plist>"
        }
        try folder.write(list("iCloud.\u{1B}[31m\u{202E}&lt;b&gt;|x"), to: "A\u{1B}[2J.entitlements")
        try folder.write("none", to: "B\u{7}.entitlements")
        for format in ["text", "markdown", "html", "json"] {
            let answer = try folder.meterfix("check-app", ".", "--format", format)
            #expect(answer.code == 1)
            let text = answer.stdout + answer.stderr
            #expect(text.contains("container-other"), "\(format)")
            #expect(!text.unicodeScalars.contains { ["\u{1B}", "\u{202E}", "\u{7}"].contains($0) }, "\(format)")
            #expect(format != "html" || !text.contains("<b>|x"))
        }
    }

    @Test("has on its page every id, by how grave it is")
    func page() throws {
        let page = try PackageFolder.text("Documentation/check-app.md")
        for (severity, title) in [("error", "Errors"), ("warning", "Warnings"), ("note", "Notes")] {
            let start = try #require(page.range(of: "\n\(title): "))
            let list = page[start.upperBound...].prefix { $0 != "." }.split(separator: /,\s+/)
            let ids = AppRequirement.allCases.filter { $0.severity.rawValue == severity }
            #expect(list.map { $0.filter { $0 != "`" } } == ids.map(\.id))
        }
    }

    @Test("is where an error of the mirror leads that is one of the build")
    func advice() throws {
        let folder = try ScratchFolder()
        try folder.write(
            """
            2026-11-20 07:14:00.000000+0000 error USB Meter[1:2] [com.apple.coredata:cloudkit] CoreData+CloudKit: \
            -[PFCloudKitSetupAssistant _initializeCloudKitForObservedStore:andNoteMonitor:](1): Failed to set up \
            CloudKit integration: Error Domain=CKErrorDomain Code=8 "Missing entitlement"
            """, to: "console.log")
        #expect(try folder.meterfix("explain", "console.log").stdout.contains("meterfix check-app"))
        let ids = ["entitlement-missing", "push-mode-missing", "push-entitlement-missing"]
        let faults = MirrorFault.all.filter { ids.contains($0.id) }
        #expect(faults.count == 5 && faults.allSatisfy { $0.advice.contains("`meterfix check-app`") })
    }
}
