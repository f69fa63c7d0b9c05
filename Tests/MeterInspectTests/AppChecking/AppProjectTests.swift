import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("the project of an app")
struct AppProjectTests {
    private static let identifier = "PRODUCT_BUNDLE_IDENTIFIER = \"ro.xdev.USB-Meter\";"
    private static let modes = "INFOPLIST_KEY_UIBackgroundModes = \"remote-notification\";"
    private static let entitlements = "CODE_SIGN_ENTITLEMENTS = A.entitlements;"

    /// A project of configurations with these settings.
    private static func project(
        _ configurations: [(name: String, settings: String)], end: String = "", extra: String = ""
    ) -> String {
        let objects = configurations.enumerated().map { index, configuration in
            "C\(index) = { isa = XCBuildConfiguration; \(extra) buildSettings = { \(configuration.settings) }; "
                + "name = \(configuration.name); };"
        }
        return "// !$*UTF8*$!\n{ objects = { \(objects.joined(separator: "\n")) }; \(end) }"
    }

    private static func check(_ project: String, _ more: (AppFolder) throws -> Void = { _ in }) throws -> AppCheck {
        let folder = try AppFolder()
        try folder.write(project, to: "A.xcodeproj/project.pbxproj")
        try more(folder)
        return try folder.check()
    }

    @Test("of an app and a widget is read for the app, with what all targets inherit")
    func targets() throws {
        let path = "\(AppCase.folder)/two-targets.xcodeproj"
        let check = try AppCheck([path], store: nil)
        #expect(check.lines == [] && check.platform == nil)
        #expect(check.unknown == [.entitlements, .model, .store])
        #expect(check.right == [.pushModeMissing, .entitlementsNotAssigned, .entitlementsDiffer])
        let text = String(decoding: try FileBytes.read("\(path)/project.pbxproj"), as: UTF8.self)
        // The target sets nothing, the project does.
        let setting = "CODE_SIGN_ENTITLEMENTS = \"USB Meter/USB Meter.entitlements\";"
        let bare = text.replacing(setting, with: "")
        #expect(
            try Self.check(bare).lines == [
                "error entitlements-not-assigned Debug", "error entitlements-not-assigned Release",
            ])
        let inherited = bare.replacing("SDKROOT = iphoneos;", with: "SDKROOT = iphoneos; \(setting)")
        #expect(try Self.check(inherited).lines == [])
        // Debug and Release of a target belong together, whatever their identifiers are.
        let place = try #require(text.range(of: setting)).lowerBound
        let other =
            text[..<place]
            + text[place...].replacing(setting, with: "CODE_SIGN_ENTITLEMENTS = B.entitlements;", maxReplacements: 1)
        #expect(try Self.check(String(other)).lines == ["warning entitlements-differ"])
    }

    @Test("assigns entitlements to each configuration, unless a file of settings may do so")
    func assigned() throws {
        let configurations = [
            ("Debug", Self.identifier + Self.modes), ("Release", Self.identifier + Self.modes + Self.entitlements),
            ("Empty", Self.identifier + Self.modes + "CODE_SIGN_ENTITLEMENTS = \"\";"),
            ("Mac", Self.identifier + Self.modes + "\"CODE_SIGN_ENTITLEMENTS[sdk=macosx*]\" = A.entitlements;"),
        ]
        #expect(
            try Self.check(Self.project(configurations)).lines == [
                "error entitlements-not-assigned Debug", "error entitlements-not-assigned Empty",
            ])
        let extra = "baseConfigurationReference = F0;"
        #expect(try Self.check(Self.project(configurations, extra: extra)).lines == [])
        // A configuration without a bundle is that of the whole project.
        #expect(try Self.check(Self.project([("Debug", "")])).lines == [])
    }

    @Test("has the settings of an .xcconfig that is at hand, with what that includes")
    func settingsFiles() throws {
        let project = Self.project(
            [("Debug", Self.identifier), ("Release", Self.identifier)], extra: "baseConfigurationReference = F0;"
        ).replacing("objects = {", with: "objects = { F0 = { isa = PBXFileReference; path = Config/App.xcconfig; };")
        func lines(_ files: [String: String]) throws -> [String] {
            try Self.check(project) { folder in
                for (name, text) in files { try folder.write(text, to: "Config/\(name).xcconfig") }
                try folder.write(AppFolder.source, to: "App/Dev.entitlements")
                try folder.write([:], to: "Widget/W.entitlements")
            }.lines
        }
        let modes = "INFOPLIST_KEY_UIBackgroundModes[sdk=iphone*] = remote-notification // for pushes\n"
        let own = "CODE_SIGN_ENTITLEMENTS = App/$(KIND).entitlements\nKIND=${OTHER}\n\tOTHER = Dev\n"
        #expect(try lines(["App": modes + own]) == [])
        #expect(try lines(["App": "#include? \"../x/Base.xcconfig\"\n" + own, "Base": modes]) == [])
        #expect(try lines(["App": modes]).suffix(1) == ["error entitlements-not-assigned Release"])
        #expect(try lines(["App": own]) == ["warning push-mode-missing"])
        // What leads to itself leads nowhere.
        let circle = "#include \"App.xcconfig\"\nKIND = $(KIND)$(KIND)\n"
        #expect(try lines(["App": own + modes + circle]).first == "error container-missing")
    }

    @Test("leaves out the .entitlements of other targets")
    func otherTargets() throws {
        let path = "\(AppCase.folder)/two-targets.xcodeproj"
        let text = String(decoding: try FileBytes.read("\(path)/project.pbxproj"), as: UTF8.self)
        let named = "CODE_SIGN_ENTITLEMENTS = \"USB Meter/USB Meter.entitlements\";"
        let widget = "PRODUCT_BUNDLE_IDENTIFIER = \"ro.xdev.USB-Meter.Widget\";"
        #expect(text.contains(widget))
        let project = text.replacing(named, with: "CODE_SIGN_ENTITLEMENTS = \"$(KIND).entitlements\";")
            .replacing(widget, with: "\(widget) CODE_SIGN_ENTITLEMENTS = \"$(TARGET_NAME)/W.entitlements\";")
        let check = try Self.check(project) { folder in
            try folder.write(AppFolder.source, to: "App/A.entitlements")
            try folder.write([:], to: "Widget/W.entitlements")
        }
        #expect(check.lines == [])
        #expect(!check.unknown.contains(.entitlements))
    }

    @Test("uses one file for all configurations of a target")
    func differing() throws {
        func lines(_ second: String, _ identifier: String = Self.identifier) throws -> [String] {
            try Self.check(
                Self.project([
                    ("Debug", Self.identifier + Self.modes + Self.entitlements),
                    ("Release", identifier + Self.modes + second),
                ])
            ).lines
        }
        #expect(try lines(Self.entitlements) == [])
        #expect(try lines("CODE_SIGN_ENTITLEMENTS = B.entitlements;") == ["warning entitlements-differ"])
        #expect(try lines("CODE_SIGN_ENTITLEMENTS = B.entitlements;", "PRODUCT_BUNDLE_IDENTIFIER = other;") == [])
    }

    @Test("that makes the Info.plist itself has the background mode in a setting")
    func generated() throws {
        let base = Self.identifier + Self.entitlements
        func lines(_ settings: String...) throws -> [String] {
            let check = try Self.check(Self.project(settings.enumerated().map { ("C\($0)", base + $1) }))
            #expect(!check.unknown.contains(.backgroundModes))
            return check.lines
        }
        #expect(try lines(Self.modes, Self.modes) == [])
        #expect(try lines("", "") == ["warning push-mode-missing"])
        #expect(try lines("INFOPLIST_KEY_UIBackgroundModes = \"bluetooth-central\";") == ["warning push-mode-missing"])
        #expect(try lines("INFOPLIST_KEY_UIBackgroundModes = \"a remote-notification b\";") == [])
        #expect(try lines("INFOPLIST_KEY_UIBackgroundModes = (a, \"remote-notification\");") == [])
        #expect(try lines(Self.modes, "") == ["warning push-mode-missing C1"])
    }

    @Test("that names an Info.plist is known where that is at hand")
    func named() throws {
        let project = Self.project([
            ("Release", Self.identifier + Self.entitlements + "INFOPLIST_FILE = \"A/Info.plist\";")
        ])
        let alone = try Self.check(project)
        #expect(alone.lines == [] && alone.unknown.contains(.backgroundModes))
        #expect(try Self.check(project) { try $0.write(AppFolder.information, to: "A/Info.plist") }.lines == [])
        #expect(
            try Self.check(project) { folder in
                try folder.write(["CFBundleIdentifier": .string("a")], to: "A/Info.plist")
                try folder.write(AppFolder.information, to: "B/Info.plist")
            }.lines == ["warning push-mode-missing"])
        let file = "baseConfigurationReference = F0;"
        #expect(
            try Self.check(Self.project([("Release", Self.identifier)], extra: file)).unknown
                .contains(.backgroundModes))
    }

    @Test("for a Mac needs no background mode, and should name CloudKit", arguments: [true, false])
    func mac(isInSettings: Bool) throws {
        let settings = Self.identifier + Self.entitlements + (isInSettings ? "SDKROOT = macosx;" : "")
        let project = Self.project([("Release", settings)], end: isInSettings ? "" : "SDKROOT = macosx;")
        let check = try Self.check(project)
        #expect(check.lines == ["note cloudkit-not-linked"])
        #expect(!check.unknown.contains(.backgroundModes))
        let linked = project.replacing(
            "objects = {",
            with: "objects = { F1 = { isa = PBXFileReference; path = System/Library/Frameworks/CloudKit.framework; };")
        #expect(try Self.check(linked).lines == [])
        #expect(try Self.check(linked).right.contains(.cloudKitNotLinked))
        #expect(
            try Self.check(Self.project([("Release", Self.identifier + Self.entitlements + Self.modes)])) { folder in
                try folder.write(["com.apple.security.app-sandbox": .bool(true)], to: "B.entitlements")
            }.lines.contains("note cloudkit-not-linked"))
    }

    @Test("says which of several .entitlements files are the app's")
    func chosen() throws {
        let project = Self.project([("Release", Self.identifier + Self.modes + Self.entitlements)])
        let check = try Self.check(project) { folder in
            try folder.write(AppFolder.source, to: "USB Meter/A.entitlements")
            try folder.write([:], to: "Widget/W.entitlements")
        }
        #expect(check.lines == [])
        let unnamed = try Self.check(project) { try $0.write([:], to: "Widget/W.entitlements") }
        #expect(unnamed.lines.first == "error container-missing")
    }

    @Test("with one target may have a database for each configuration, with several not")
    func environments() throws {
        func check(_ identifier: String) throws -> AppCheck {
            let project = Self.project([
                ("Debug", Self.identifier + Self.modes + Self.entitlements),
                ("Release", identifier + Self.modes + "CODE_SIGN_ENTITLEMENTS = B.entitlements;"),
            ])
            return try Self.check(project) { folder in
                var source = AppFolder.source
                try folder.write(source, to: "A.entitlements")
                source[AppEntitlements.environment] = .string("Production")
                try folder.write(source, to: "B.entitlements")
            }
        }
        #expect(try check(Self.identifier).lines == ["note environment-pinned", "warning entitlements-differ"])
        #expect(
            try check("PRODUCT_BUNDLE_IDENTIFIER = other;").lines == [
                "note environment-pinned", "warning environment-mixed",
            ])
    }

    @Test("gives the bundle an identifier, by which a container is named")
    func container() throws {
        let project = Self.project([("Release", Self.identifier + Self.modes + Self.entitlements)])
        for (identifier, wanted) in [
            ("ro.xdev.USB-Meter", []), ("other", ["error container-other iCloud.$(CFBundleIdentifier)"]),
        ] {
            let lines = try Self.check(project.replacing("ro.xdev.USB-Meter", with: identifier)) { folder in
                var source = AppFolder.source
                source[AppEntitlements.containers] = .array([.string("iCloud.$(CFBundleIdentifier)")])
                try folder.write(source, to: "A.entitlements")
            }.lines
            #expect(lines == wanted, "\(identifier)")
        }
    }

    @Test("cannot be read where it is no property list")
    func damaged() throws {
        for text in ["", "{ objects = {", "nothing"] {
            let check = try Self.check(text)
            #expect(check.findings.map(\.requirement) == [.unreadable], "\(text)")
            #expect(check.unknown.count == 4)
        }
        // Nothing in it is what it should be.
        let odd = "{ objects = { a = b; c = { isa = XCBuildConfiguration; buildSettings = d; }; e = (f); }; }"
        #expect(try Self.check(odd).lines == [])
        #expect(try Self.check("{ objects = d; }").lines == [])
    }

    @Test("of 50 MB is read, and one without end is not")
    func large() throws {
        let folder = try AppFolder()
        let settings = Self.identifier + Self.modes + Self.entitlements
        let filler = String(repeating: "/* \(String(repeating: "x", count: 1_000)) */\n", count: 50_000)
        try folder.write(Self.project([("Release", settings)], end: filler), to: "A.xcodeproj/project.pbxproj")
        #expect(try folder.check().lines == [])
    }
}
