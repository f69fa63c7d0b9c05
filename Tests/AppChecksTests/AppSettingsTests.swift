import CoreDataStore
import JSON
import MeterTestSupport
import Testing

@testable import AppChecks

@Suite("the build settings of an app")
struct AppSettingsTests {
    /// An object of what xcodebuild prints. An empty text takes a setting out.
    static func object(_ changes: [String: String] = [:], target: String = "USB Meter") -> JSONValue {
        let settings = [
            "CODE_SIGN_ENTITLEMENTS": "App/A.entitlements", "CONFIGURATION": "Release",
            "GENERATE_INFOPLIST_FILE": "YES",
            "INFOPLIST_KEY_UIBackgroundModes": "bluetooth-central remote-notification", "PLATFORM_NAME": "iphoneos",
            "PRODUCT_BUNDLE_IDENTIFIER": "ro.xdev.USB-Meter", "PRODUCT_NAME": "USB Meter",
            "PRODUCT_TYPE": "com.apple.product-type.application", "SRCROOT": "/Users/dev/USB-Meter",
            "SUPPORTED_PLATFORMS": "iphoneos iphonesimulator",
        ].merging(changes) { $1 }.filter { !$0.value.isEmpty }
        let members = settings.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value) }
        return ["action": "build", "target": target, "buildSettings": JSONValue.object(members)]
    }

    private static func printed(_ objects: [JSONValue]) -> String { JSONValue.array(objects).text(pretty: true) }

    /// What there is to say of these settings, beside entitlements.
    private static func check(
        _ objects: JSONValue..., source: [String: PropertyList]? = AppFolder.source,
        _ more: (AppFolder) throws -> Void = { _ in }
    ) throws -> AppCheck {
        let folder = try AppFolder()
        try folder.write(printed(objects), to: "settings.json")
        if let source { try folder.write(source, to: "App/A.entitlements") }
        try more(folder)
        return try folder.check()
    }

    private static func source(_ key: String, _ value: String) -> [String: PropertyList] {
        AppFolder.source.merging([key: .string(value)]) { $1 }
    }

    @Test("are told by what is in them, whatever xcodebuild prints before and behind them")
    func recognised() throws {
        let text = Self.printed([Self.object()])
        let front = "Command line invocation:\n    xcodebuild -json\n\n[MT] a line\n{ platform:iOS, name:Any [iOS] }\n"
        for (text, name) in [
            (text, "settings.json"), (front + text + "\nstill waiting\n", "out.txt"), ("\u{FEFF}" + text, "a"),
            (JSONValue.array([Self.object()]).text(pretty: false), "one-line.log"),
        ] {
            let folder = try AppFolder()
            try folder.write(text, to: name)
            try folder.write(AppFolder.source, to: "App/A.entitlements")
            let check = try folder.check()
            #expect(check.lines == [] && check.gaps == [] && check.unknown == [.model, .store], "\(name)")
            #expect(check.platforms == [.iOS])
        }
    }

    @Test("of Debug alone do not say that every configuration is right, nor does a value that comes to nothing")
    func incomplete() throws {
        let debug = try Self.check(Self.object(["CONFIGURATION": "Debug"]))
        #expect(debug.lines == [] && !debug.right.contains(.entitlementsNotAssigned))
        #expect("\(debug.gaps)".contains("customers get"), "\(debug.gaps)")
        for value in ["", "prod"] {
            let check = try Self.check(
                Self.object(["APS": value.isEmpty ? " " : value]), source: Self.source("aps-environment", "$(APS)"))
            #expect(check.lines == ["warning push-entitlement-missing"], "\(value)")
        }
    }

    @Test("that are cut off cannot be read; without an app, or printed without -json, they are not looked at")
    func unusable() throws {
        let folder = try AppFolder()
        let text = Self.printed([Self.object()])
        try folder.write(AppFolder.information, to: "Info.plist")
        for cut in [String(text.dropLast(9)), text.replacing("\"target\"", with: ",\"target\"")] {
            try folder.write(cut, to: "settings.json")
            #expect(try folder.check("settings.json", "Info.plist").lines == ["error unreadable settings.json"])
        }
        let widget = Self.object(["PRODUCT_TYPE": "com.apple.product-type.app-extension"])
        let watch = Self.object(["SUPPORTED_PLATFORMS": "watchos watchsimulator"])
        for text in [
            "[]", "[\n]\n", Self.printed([widget]), Self.printed([watch]),
            "Build settings for action build and target App:\n    ACTION = build\n",
        ] {
            try folder.write(text, to: "settings.json")
            let check = try folder.check("settings.json", "Info.plist")
            #expect(check.lines == [], "\(text.prefix(20))")
            guard case .file("settings.json", _, let command) = try #require(check.gaps.first) else {
                Issue.record("\(check.gaps)")
                continue
            }
            #expect(command == XcodeSettings.command && check.gaps.count == 1)
            let error = #expect(throws: StoreError.self) { try folder.check("settings.json") }
            #expect(error?.kind == .damaged && error?.hint?.contains(XcodeSettings.command) == true)
        }
    }

    @Test("are those of each answer that one file has, and not read where the second one breaks off")
    func severalAnswers() throws {
        let folder = try AppFolder()
        let second = Self.printed([Self.object(["CODE_SIGN_ENTITLEMENTS": "", "CONFIGURATION": "Release"])])
        try folder.write(AppFolder.source, to: "App/A.entitlements")
        try folder.write(Self.printed([Self.object()]) + "\n" + second, to: "settings.json")
        #expect(try folder.check().lines.contains { $0.contains("entitlements-not-assigned") })
        try folder.write(Self.printed([Self.object()]) + "\n" + second.dropLast(20), to: "settings.json")
        #expect(try folder.check().lines.contains { $0.contains("unreadable") })
    }

    @Test("give each configuration its entitlements; of several apps the target is named, too")
    func assigned() throws {
        let none = ["CODE_SIGN_ENTITLEMENTS": ""]
        let debug = Self.object(none.merging(["CONFIGURATION": "Debug"]) { $1 })
        #expect(try Self.check(debug, Self.object()).lines == ["error entitlements-not-assigned Debug"])
        let check = try Self.check(debug, Self.object(), Self.object(none, target: "Other"))
        #expect(
            check.lines == [
                "error entitlements-not-assigned Other, Release", "error entitlements-not-assigned USB Meter, Debug",
            ])
        #expect(check.findings[1].message.contains("target USB Meter"))
        // Widgets, tests and watch apps need none.
        let test = Self.object(
            none.merging(["PRODUCT_TYPE": "com.apple.product-type.bundle.unit-test"]) { $1 }, target: "T")
        #expect(try Self.check(Self.object(), test).lines == [])
    }

    @Test("use one file of entitlements for all configurations of a target, on one platform")
    func differing() throws {
        let debug = Self.object(["CONFIGURATION": "Debug", "CODE_SIGN_ENTITLEMENTS": "App/B.entitlements"])
        let both = try Self.check(debug, Self.object()) { try $0.write(AppFolder.source, to: "App/B.entitlements") }
        #expect(both.lines == ["warning entitlements-differ"])
        let mac = ["PLATFORM_NAME": "macosx", "SUPPORTED_PLATFORMS": "iphoneos macosx"]
        let check = try Self.check(
            Self.object(["SUPPORTED_PLATFORMS": "iphoneos macosx"]),
            Self.object(mac.merging(["CODE_SIGN_ENTITLEMENTS": "App/B.entitlements"]) { $1 })
        ) { folder in
            try folder.write(
                AppFolder.source.merging(["com.apple.developer.aps-environment": .string("development")]) { $1 },
                to: "App/B.entitlements")
        }
        #expect(check.lines == [] && check.platforms == [.iOS, .macOS])
    }

    @Test("name files by their path below SRCROOT, or by a name that only one has; what is not there is said")
    func files() throws {
        #expect(
            try Self.check(Self.object(["CODE_SIGN_ENTITLEMENTS": "/Users/dev/USB-Meter/App/A.entitlements"])).gaps
                == [])
        #expect(try Self.check(Self.object(["CODE_SIGN_ENTITLEMENTS": "Elsewhere/../X/A.entitlements"])).gaps == [])
        let missing = try Self.check(Self.object(), source: nil)
        #expect(missing.lines == [] && missing.unknown.contains(.entitlements))
        #expect(
            missing.gaps == [
                .file(
                    path: "App/A.entitlements", why: "the build settings name it, and it was not handed over",
                    command: nil)
            ])
        let check = try Self.check(Self.object()) { folder in
            try folder.write([:], to: "Widget/A.entitlements")
            try folder.write([:], to: "Widget/W.entitlements")
        }
        #expect(check.lines == [])
        let paths = check.gaps.map { gap in if case .file(let path, _, _) = gap { path } else { "" } }
        #expect(
            paths.map { $0.split(separator: "/").suffix(2).joined(separator: "/") } == [
                "Widget/A.entitlements", "Widget/W.entitlements",
            ])
        let unreadable = try Self.check(Self.object(), source: nil) { try $0.write("none", to: "App/A.entitlements") }
        #expect(unreadable.gaps == [] && unreadable.findings.map(\.requirement) == [.unreadable])
    }

    @Test("say the background modes, or the Info.plist that they name does")
    func modes() throws {
        func check(_ changes: [String: String], _ list: [String: PropertyList]? = nil) throws -> AppCheck {
            try Self.check(Self.object(changes)) { folder in
                if let list { try folder.write(list, to: "App/Info.plist") }
            }
        }
        let none = ["INFOPLIST_KEY_UIBackgroundModes": ""]
        let named = none.merging(["INFOPLIST_FILE": "App/Info.plist"]) { $1 }
        #expect(try check(none).lines == ["warning push-mode-missing"])
        // Where Xcode does not make the file, its keys are no settings.
        #expect(try check(["GENERATE_INFOPLIST_FILE": "NO"]).lines == ["warning push-mode-missing"])
        #expect(try check(named, AppFolder.information).lines == [])
        #expect(
            try check(named, ["ITSAppUsesNonExemptEncryption": .bool(false)]).lines == ["warning push-mode-missing"])
        let away = try check(named)
        #expect(away.lines == [] && away.unknown.contains(.backgroundModes) && away.gaps.count == 1)
        let open = try check(named, ["UIBackgroundModes": .array([.string("$(MODE)")])])
        #expect(open.lines == [] && open.gaps.contains { $0.value == "$(MODE)" })
        #expect(
            try check(
                named.merging(["MODE": "remote-notification"]) { $1 },
                ["UIBackgroundModes": .array([.string("$(MODE)")])]
            ).lines == [])
        // A Mac needs none.
        let mac = ["SUPPORTED_PLATFORMS": "macosx", "PLATFORM_NAME": "macosx"]
        #expect(try check(none.merging(mac) { $1 }).lines == ["warning push-entitlement-missing"])
    }

    @Test("are for a set of platforms, each of which needs its own")
    func platforms() throws {
        let all = "iphoneos iphonesimulator macosx xros appletvos watchos"
        let changes = ["SUPPORTED_PLATFORMS": all, "INFOPLIST_KEY_UIBackgroundModes": ""]
        for name in ["iphoneos", "macosx"] {
            let check = try Self.check(Self.object(changes.merging(["PLATFORM_NAME": name]) { $1 }))
            #expect(check.platforms == [.iOS, .macOS, .tvOS, .visionOS])
            #expect(check.lines == ["warning push-entitlement-missing", "warning push-mode-missing"], "\(name)")
            #expect(check.findings[0].message.contains("com.apple.developer.aps-environment"))
            #expect(check.findings[0].message.contains("target USB Meter, configuration Release"))
        }
        let both = AppFolder.source.merging(["com.apple.developer.aps-environment": .string("development")]) { $1 }
        #expect(try Self.check(Self.object(["SUPPORTED_PLATFORMS": all]), source: both).lines == [])
        #expect(try Self.check(Self.object(["SUPPORTS_MACCATALYST": "YES"])).platforms == [.iOS, .macOS])
    }

    @Test("of Catalyst may give the Mac's app another identifier, and what follows that is not the app's own")
    func catalyst() throws {
        let both = AppFolder.source.merging(["com.apple.developer.aps-environment": .string("development")]) { $1 }
        let derived = [
            "SUPPORTS_MACCATALYST": "YES", "DERIVE_MACCATALYST_PRODUCT_BUNDLE_IDENTIFIER": "YES",
            "DEVELOPMENT_TEAM": "ABCDE12345",
        ]
        let mac = [
            "PLATFORM_NAME": "macosx", "PRODUCT_BUNDLE_IDENTIFIER": "maccatalyst.ro.xdev.USB-Meter",
        ]
        let wanted = "warning kvstore-other ABCDE12345.maccatalyst.ro.xdev.USB-Meter"
        #expect(try Self.check(Self.object(derived), source: both).lines == [wanted])
        #expect(try Self.check(Self.object(derived.merging(mac) { $1 }), source: both).lines == [wanted])
        var container = both
        container[AppEntitlements.containers] = .array([.string("iCloud.$(CFBundleIdentifier)")])
        #expect(
            try Self.check(Self.object(derived), source: container).lines == [
                "error container-other iCloud.maccatalyst.ro.xdev.USB-Meter", wanted,
            ])
        container[AppEntitlements.keyValueStore] = .string("$(TeamIdentifierPrefix)ro.xdev.USB-Meter")
        container[AppEntitlements.containers] = .array([.string(AppCheck.container)])
        #expect(try Self.check(Self.object(derived), source: container).lines == [])
        #expect(try Self.check(Self.object(["SUPPORTS_MACCATALYST": "YES"]), source: both).lines == [])
    }

    @Test(
        "stand in entitlements by their names; a name that they lack is said, and judged neither way",
        arguments: [
            ("iCloud.$(PREFIX).USB-Meter", String?.none, String?.none),
            ("iCloud.${PREFIX}.USB-Meter", nil, nil), ("iCloud.$(CFBundleIdentifier)", nil, nil),
            ("iCloud.$(PRODUCT_BUNDLE_IDENTIFIER)", nil, nil),
            ("iCloud.ro.xdev.$(PRODUCT_NAME:rfc1034identifier)", nil, nil),
            ("iCloud.$(CFBundleIdentifier:rfc1034identifier)", "iCloud.ro-xdev-USB-Meter", nil),
            ("iCloud.$(ODD:rfc1034identifier)", "iCloud.---9-", nil),
            ("iCloud.$($(WHICH))", "iCloud.ro.xdev", nil), ("iCloud.$(PREFIX)", "iCloud.ro.xdev", nil),
            ("iCloud.$(GONE).App", nil, "iCloud.$(GONE).App"),
            ("iCloud.$(PREFIX).$(GONE)", nil, "iCloud.$(PREFIX).$(GONE)"),
            ("iCloud.$(PREFIX:upper)", nil, "iCloud.$(PREFIX:upper)"), ("iCloud.$(PREFIX", nil, "iCloud.$(PREFIX"),
        ])
    func resolved(_ container: String, other: String?, open: String?) throws {
        let object = Self.object(["PREFIX": "ro.xdev", "WHICH": "PREFIX", "ODD": "1.ß9_"])
        let check = try Self.check(object, source: Self.source(AppEntitlements.containers, container))
        #expect(check.lines == (other.map { ["error container-other \($0)"] } ?? []))
        #expect(check.gaps.map(\.value) == (open.map { [$0] } ?? []))
        #expect(check.right.contains(.containerOther) == (other == nil && open == nil))
    }

    @Test("resolve by each configuration, and the message names the one that is wrong")
    func configurations() throws {
        let source = Self.source(AppEntitlements.containers, "$(CONTAINER)")
        let check = try Self.check(
            Self.object(["CONTAINER": "iCloud.test", "CONFIGURATION": "Debug"]),
            Self.object(["CONTAINER": AppCheck.container]), source: source)
        #expect(check.lines == ["error container-other iCloud.test"])
        #expect(check.findings[0].message.contains("target USB Meter, configuration Debug"))
    }

    @Test("give every target one database, in each configuration")
    func environments() throws {
        let other = ["CODE_SIGN_ENTITLEMENTS": "Mac/B.entitlements"]
        func check(_ changes: [String: String], target: String) throws -> [String] {
            try Self.check(Self.object(), Self.object(other.merging(changes) { $1 }, target: target)) { folder in
                try folder.write(Self.source(AppEntitlements.environment, "Production"), to: "Mac/B.entitlements")
            }.lines
        }
        #expect(try check([:], target: "Mac") == ["note environment-pinned", "warning environment-mixed"])
        #expect(
            try check(["CONFIGURATION": "Debug"], target: "USB Meter") == [
                "note environment-pinned", "warning entitlements-differ",
            ])
    }

    @Test("count less than what a build says")
    func built() throws {
        let check = try Self.check(Self.object(), source: [:]) { try $0.app(AppFolder.built) }
        #expect(check.lines == [] && check.gaps == [])
    }

    @Test(
        "are what is read of a project: its files bring no finding, and alone they are refused",
        arguments: [
            "A.xcodeproj/project.pbxproj", "A.xcodeproj/project.xcproj", "A.xcworkspace/contents.xcworkspacedata",
            "Base.xcconfig", "project.yml", "Project.swift",
        ])
    func projects(_ name: String) throws {
        let folder = try AppFolder()
        try folder.write("{ not = read }", to: name)
        let top = String(name.prefix { $0 != "/" })
        let error = #expect(throws: StoreError.self) { try folder.check(top) }
        #expect(error?.kind == .damaged && error?.hint?.contains(XcodeSettings.command) == true)
        try folder.write(AppFolder.source, to: "A.entitlements")
        let check = try folder.check()
        #expect(check.lines == [] && check.gaps.count == 1)
        guard case .file(let path, _, XcodeSettings.command) = check.gaps.first else {
            Issue.record("\(check.gaps)")
            return
        }
        #expect(path.hasSuffix("/\(top)"))
    }
}

extension AppGap {
    /// Of an item.
    var value: String? { if case .item(_, let value, _) = self { value } else { nil } }
}
