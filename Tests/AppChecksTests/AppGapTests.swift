import CoreDataStore
import MeterTestSupport
import Testing

@testable import AppChecks

/// What of an app nobody saw, and was called right.
@Suite("an app of which a part was not seen")
struct AppGapTests {
    private static func gaps(_ check: AppCheck) -> [String] {
        check.gaps.map { gap in
            switch gap {
            case .file(let path, let why, _): "\(path): \(why)"
            case .item(let key, let value, let why): "\(key) \(value): \(why)"
            }
        }
    }

    @Test("because it has no signature says that")
    func unsigned() throws {
        let folder = try AppFolder()
        try folder.app(nil)
        let check = try folder.check("USB Meter.app")
        #expect(check.lines.isEmpty && Self.gaps(check).contains { $0.contains("no code signature") })
        #expect(check.unknown.contains(.entitlements))
    }

    @Test("because it was built for the simulator says that, whatever its signature has")
    func simulated() throws {
        var information = AppFolder.information
        information["CFBundleSupportedPlatforms"] = .array([.string("iPhoneSimulator")])
        for entitlements in [[:], ["get-task-allow": .bool(true)]] as [[String: PropertyList]] {
            let folder = try AppFolder()
            try folder.app(entitlements, information: information)
            let check = try folder.check("USB Meter.app")
            #expect(check.lines.isEmpty && Self.gaps(check).contains { $0.contains("simulator") })
        }
    }

    @Test("because it lies beside in a profile or an archive says which")
    func beside() throws {
        for name in ["USB Meter.app.zip", "x.mobileprovision", "USB Meter.dmg", "Setup.pkg"] {
            let folder = try AppFolder()
            try folder.write(AppFolder.source, to: "USB Meter.entitlements")
            try folder.write(AppFolder.information, to: "Info.plist")
            try folder.write("anything", to: name)
            let check = try folder.check()
            #expect(check.lines.isEmpty && Self.gaps(check).contains { $0.contains("/\(name): a") }, "\(name)")
        }
    }

    @Test(
        "has its own background modes, and not those of its watch app, its clip or another app",
        arguments: [
            ["WKApplication": .bool(true)], ["NSAppClip": .dictionary([:])],
            ["CFBundleIdentifier": .string("ro.xdev.Lite")],
        ] as [[String: PropertyList]])
    func modes(other: [String: PropertyList]) throws {
        let folder = try AppFolder()
        try folder.write(AppFolder.source, to: "USB Meter.entitlements")
        var information = AppFolder.information
        information["UIBackgroundModes"] = .array([.string("bluetooth-central")])
        try folder.write(information, to: "App/Info.plist")
        try folder.write(AppFolder.information.merging(other) { $1 }, to: "Other/Info.plist")
        #expect(try folder.check().lines == ["warning push-mode-missing"])
    }

    @Test("with the sandbox of the Mac is looked at as an iPhone's, too, where its Info.plist says so")
    func both() throws {
        let folder = try AppFolder()
        try folder.write(
            AppFolder.source.merging(["com.apple.security.app-sandbox": .bool(true)]) { $1 },
            to: "USB Meter.entitlements")
        var information = AppFolder.information
        information["UIBackgroundModes"] = .array([])
        information["LSRequiresIPhoneOS"] = .bool(true)
        try folder.write(information, to: "Info.plist")
        let check = try folder.check()
        #expect(check.platforms == [.iOS, .macOS] && check.lines == ["warning push-mode-missing"])
    }
}
