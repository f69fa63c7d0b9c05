import CoreDataStore
import Foundation
import JSON
import MeterTestSupport
import Testing

@testable import AppChecks

@Suite("the entitlements of an app")
struct AppEntitlementsTests {
    /// Those of a build with changes; an empty text takes a key out.
    private static func built(
        _ changes: [String: PropertyList], isForMac: Bool = false
    ) -> [String: PropertyList] {
        (isForMac ? AppFolder.builtForMac : AppFolder.built).merging(changes) { $1 }
            .filter { $0.value != .string("") }
    }

    /// What there is to say of an app with these.
    private static func lines(
        _ changes: [String: PropertyList], profile: [String: PropertyList]? = nil, isForMac: Bool = false
    ) throws -> [String] {
        let folder = try AppFolder()
        try folder.app(built(changes, isForMac: isForMac), profile: profile, isForMac: isForMac)
        return try folder.check().lines
    }

    @Test(
        "name containers, in a list or alone",
        arguments: [
            (PropertyList.array([]), ["error container-missing"]), (.string(""), ["error container-missing"]),
            (.bool(true), ["error container-missing"]), (.string(AppCheck.container), []),
            (.array([.string("iCloud.a"), .string(AppCheck.container)]), []),
            (.array([.string("iCloud.b"), .string("iCloud.a")]), ["error container-other iCloud.b, iCloud.a"]),
        ])
    func containers(_ value: PropertyList, _ wanted: [String]) throws {
        #expect(try Self.lines([AppEntitlements.containers: value]) == wanted)
    }

    @Test("with an environment that Apple does not know are not right")
    func unknownEnvironments() throws {
        let folder = try AppFolder()
        try folder.app(Self.built([AppEntitlements.environment: .string("Prod")]))
        let check = try folder.check()
        #expect(check.lines == [] && check.gaps.map(\.value) == ["Prod"])
        #expect(!check.right.contains(.environmentDevelopment))
        for value in [PropertyList.string("prod"), .array([.string("production")])] {
            #expect(try Self.lines(["aps-environment": value]).contains { $0.contains("push-entitlement-missing") })
        }
    }

    @Test("of an app without its executable were not seen, which is said")
    func withoutExecutable() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        try FileManager.default.removeItem(atPath: folder.path + "/USB Meter.app/USB Meter")
        let check = try folder.check("USB Meter.app")
        #expect("\(check.gaps)".contains("its executable USB Meter is not in it"), "\(check.gaps)")
    }

    @Test("are held against another container where that is named")
    func otherContainer() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        let check = try folder.check(container: "iCloud.com.example.Other")
        #expect(check.lines == ["error container-other iCloud.ro.xdev.USB-Meter"])
        #expect(check.container == "iCloud.com.example.Other")
    }

    @Test(
        "of a source name a container by the bundle's identifier, if that is known",
        arguments: [
            ("iCloud.$(CFBundleIdentifier)", "ro.xdev.USB-Meter", [String](), false),
            ("iCloud.${PRODUCT_BUNDLE_IDENTIFIER}", "ro.xdev.USB-Meter", [], true),
            ("iCloud.$(CFBundleIdentifier)", "com.other", ["error container-other iCloud.com.other"], false),
            ("iCloud.$(CFBundleIdentifier)", "$(PRODUCT_BUNDLE_IDENTIFIER)", [], true),
            ("$(CONTAINER)", "com.other", [], true),
        ])
    func resolved(_ container: String, _ bundle: String, _ wanted: [String], isOpen: Bool) throws {
        let folder = try AppFolder()
        var source = AppFolder.source
        source[AppEntitlements.containers] = .array([.string(container)])
        try folder.write(source, to: "A.entitlements")
        var information = AppFolder.information
        information["CFBundleIdentifier"] = .string(bundle)
        try folder.write(information, to: "Info.plist")
        let check = try folder.check()
        #expect(check.lines == wanted)
        #expect(check.gaps.map(\.value) == (isOpen ? [container] : []))
        #expect(check.right.contains(.containerOther) == (wanted.isEmpty && !isOpen))
    }

    @Test(
        "list CloudKit among the services, where there are a container or services",
        arguments: [
            (PropertyList.array([.string("CloudKit-Anonymous")]), true, true), (.string("CloudKit"), true, false),
            (.string(""), true, true), (.string(""), false, false), (.array([.string("CloudDocuments")]), false, true),
        ])
    func services(_ value: PropertyList, hasContainer: Bool, isFound: Bool) throws {
        var changes = [AppEntitlements.services: value]
        if !hasContainer { changes[AppEntitlements.containers] = .string("") }
        let lines = try Self.lines(changes)
        #expect(lines.contains("error cloudkit-service-missing") == isFound)
        #expect(lines.contains("error container-missing") == !hasContainer)
    }

    @Test("of a build have no setting left, at any depth; what it would be is then not asked")
    func unresolved() throws {
        let lines = try Self.lines([
            AppEntitlements.containers: .array([.string("iCloud.$(CFBundleIdentifier)")]),
            AppEntitlements.keyValueStore: .string("${TeamIdentifierPrefix}ro.xdev.USB-Meter"),
        ])
        #expect(
            lines == [
                "error unresolved-setting ${TeamIdentifierPrefix}ro.xdev.USB-Meter",
                "error unresolved-setting iCloud.$(CFBundleIdentifier)",
            ])
    }

    @Test(
        "are not more than the profile gives",
        arguments: [
            (AppEntitlements.containers, PropertyList.array([.string("iCloud.other")]), true),
            (AppEntitlements.containers, .string(""), true), (AppEntitlements.containers, .string("*"), false),
            (AppEntitlements.containers, .string("iCloud.ro.*"), false),
            (AppEntitlements.services, .array([.string("CloudDocuments")]), true),
            (AppEntitlements.services, .string("*"), false), ("aps-environment", .string("development"), true),
            ("aps-environment", .string(""), true),
            (AppEntitlements.environment, .string("Development"), true),
            (AppEntitlements.environment, .array([.string("Development"), .string("Production")]), false),
            // What is no claim to the mirror is not asked.
            (AppEntitlements.keyValueStore, .string(""), false),
        ])
    func profile(_ key: String, _ value: PropertyList, isFound: Bool) throws {
        let lines = try Self.lines([:], profile: Self.built([key: value]))
        #expect(lines == (isFound ? ["error profile-lacks \(key)"] : []))
    }

    @Test("of a profile count for a Mac too, and nothing of it but they is kept")
    func profileOfMac() throws {
        let key = "com.apple.developer.aps-environment"
        let lacking = Self.built([key: .string("")], isForMac: true)
        #expect(try Self.lines([:], profile: lacking, isForMac: true) == ["error profile-lacks \(key)"])
        #expect(try Self.lines([:], profile: Self.built([:], isForMac: true), isForMac: true) == [])

        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        let profile = AppFolder.xml([
            "Entitlements": AppFolder.built, "Provisioned": ["Device": .string("SECRET-DEVICE")],
            "Certificates": ["One": .string("SECRET-CERTIFICATE")],
        ])
        try folder.write(AppFixture.profile(profile), to: "USB Meter.app/embedded.mobileprovision")
        let check = try folder.check()
        #expect(check.lines == [])
        var text = ""
        dump(check, to: &text)
        text += check.text(pretty: false)
        #expect(!text.contains("SECRET"))
    }

    @Test(
        "of a build for distribution name the production services; a debugger may attach to another",
        arguments: ["get-task-allow", "com.apple.security.get-task-allow"])
    func distribution(_ key: String) throws {
        let changes: [String: PropertyList] = [
            AppEntitlements.environment: .string("Development"), "aps-environment": .string("development"),
        ]
        #expect(try Self.lines(changes) == ["error environment-development", "warning push-development"])
        #expect(try Self.lines(changes.merging([key: .bool(true)]) { $1 }) == [])
        #expect(try Self.lines([AppEntitlements.environment: .string("")]) == [])
        // A key that is not there is one that is not true.
        let bare = changes.merging(["get-task-allow": .string("")]) { $1 }
        #expect(try Self.lines(bare) == ["error environment-development", "warning push-development"])
    }

    @Test("of a Mac's build name push by its own key")
    func pushOfMac() throws {
        let key = "com.apple.developer.aps-environment"
        #expect(try Self.lines([:], isForMac: true) == [])
        // That of a phone does not do.
        let phone: [String: PropertyList] = [key: .string(""), "aps-environment": .string("production")]
        #expect(try Self.lines(phone, isForMac: true) == ["warning push-entitlement-missing"])
        #expect(try Self.lines([key: .string("development")], isForMac: true) == ["warning push-development"])
        // Of a source whose platform is not known, either does.
        let folder = try AppFolder()
        try folder.write(
            AppFolder.source.merging([key: .string("development")]) { $1 }.filter { $0.key != "aps-environment" },
            to: "A.entitlements")
        #expect(try folder.check().lines == [])
    }

    @Test("of a Mac's build have the application identifier of its profile, if they name a container")
    func applicationIdentifier() throws {
        let key = AppEntitlements.applicationOfMac
        let id = "error application-identifier-missing"
        let none: [String: PropertyList] = [key: .string("")]
        #expect(try Self.lines(none, isForMac: true) == [id])
        let phone: [String: PropertyList] = ["application-identifier": .string("ABCDE12345.ro.xdev.USB-Meter")]
        #expect(try Self.lines(none.merging(phone) { $1 }, isForMac: true) == [id])
        #expect(try Self.lines(none, isForMac: false) == [])
        for (value, wanted) in [
            ("ABCDE12345.ro.xdev.USB-Meter", []), ("ABCDE12345.*", []),
            ("ABCDE12345.other", ["\(id) ABCDE12345.ro.xdev.USB-Meter"]),
        ] {
            let profile = Self.built([key: .string(value)], isForMac: true)
            #expect(try Self.lines([:], profile: profile, isForMac: true) == wanted, "\(value)")
        }
        #expect(
            try !Self.lines([key: .string(""), AppEntitlements.containers: .string("")], isForMac: true).contains(id))
    }

    @Test("with both environments leave it to the export, in whatever order they stand")
    func environments() throws {
        func check(_ names: String...) throws -> AppCheck {
            let folder = try AppFolder()
            try folder.app(Self.built([AppEntitlements.environment: .array(names.map { .string($0) })]))
            return try folder.check()
        }
        let both = try check("Development", "Production")
        #expect(both.lines == [] && !both.right.contains(.environmentDevelopment))
        #expect(both.gaps.map(\.value) == ["Development, Production"])
        #expect(try check("Production", "Development").gaps == both.gaps)
        #expect(try check("Development").lines == ["error environment-development"])
        #expect(try check("Production").right.contains(.environmentDevelopment))
    }

    @Test("of a source pin an environment, which is a note")
    func pinned() throws {
        for (value, wanted) in [("Production", ["note environment-pinned"]), ("Development", [])] {
            let folder = try AppFolder()
            var source = AppFolder.source
            source[AppEntitlements.environment] = .string(value)
            try folder.write(source, to: "A.entitlements")
            #expect(try folder.check().lines == wanted)
        }
    }

    @Test("of several targets use one database; one without iCloud does not count")
    func mixed() throws {
        let folder = try AppFolder()
        var source = AppFolder.source
        try folder.write(source, to: "iOS/A.entitlements")
        try folder.write(source, to: "macOS/B.entitlements")
        #expect(try folder.check().lines == [])
        #expect(try folder.check().right.contains(.environmentMixed))
        source[AppEntitlements.environment] = .string("Production")
        try folder.write(source, to: "macOS/B.entitlements")
        #expect(try folder.check().lines == ["note environment-pinned", "warning environment-mixed"])
        try folder.write(source, to: "iOS/A.entitlements")
        #expect(try folder.check().lines == ["note environment-pinned"])
        source[AppEntitlements.containers] = nil
        source[AppEntitlements.environment] = nil
        try folder.write(source, to: "iOS/A.entitlements")
        #expect(try !folder.check().lines.contains("warning environment-mixed"))
    }

    @Test("of several builds: one without the key is in production only if it is for distribution")
    func mixedBuilds() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        try folder.app(Self.built([AppEntitlements.environment: .string("")]), at: "Other.app")
        #expect(try folder.check().lines == [])
        try folder.app(
            Self.built([AppEntitlements.environment: .string(""), "get-task-allow": .bool(true)]), at: "Other.app")
        #expect(try folder.check().lines == ["warning environment-mixed"])
    }

    @Test(
        "of a build have the key-value store of the bundle",
        arguments: [
            ("ABCDE12345.ro.xdev.USB-Meter", [String]()), ("", ["warning kvstore-missing"]),
            ("ABCDE12345.ro.xdev.USB-Meter2", ["warning kvstore-other ABCDE12345.ro.xdev.USB-Meter2"]),
            ("ABCDE12345ro.xdev.USB-Meter", ["warning kvstore-other ABCDE12345ro.xdev.USB-Meter"]),
            ("ABCDE12345.x.ro.xdev.USB-Meter", ["warning kvstore-other ABCDE12345.x.ro.xdev.USB-Meter"]),
        ])
    func keyValueStore(_ value: String, _ wanted: [String]) throws {
        #expect(try Self.lines([AppEntitlements.keyValueStore: .string(value)]) == wanted)
    }

    @Test(
        "name the key-value store of the bundle or of the container; whose bundle is not known, that is said",
        arguments: [
            ("$(TeamIdentifierPrefix)$(CFBundleIdentifier)", true, true),
            ("${AppIdentifierPrefix}${CFBundleIdentifier}", true, true),
            ("$(TeamIdentifierPrefix)ro.xdev.USB-Meter", true, true), ("ABCDE12345.ro.xdev.USB-Meter", true, true),
            ("$(TeamIdentifierPrefix)com.example.App", true, nil),
            ("$(TeamIdentifierPrefix)com.example.Other", false, nil),
            ("$(TeamIdentifierPrefix)$(NAME)", nil, nil), ("$(STORE)", nil, nil),
        ] as [(String, Bool?, Bool?)])
    func keyValueStoreOfSource(_ value: String, _ beside: Bool?, _ alone: Bool?) throws {
        let folder = try AppFolder()
        try folder.write(
            AppFolder.source.merging([AppEntitlements.keyValueStore: .string(value)]) { $1 }, to: "A.entitlements")
        for (wanted, hasInformation) in [(alone, false), (beside, true)] {
            if hasInformation {
                try folder.write(
                    AppFolder.information.merging(["CFBundleIdentifier": .string("com.example.App")]) { $1 },
                    to: "Info.plist")
            }
            let check = try folder.check()
            #expect(check.lines == (wanted == false ? ["warning kvstore-other \(value)"] : []), "\(hasInformation)")
            #expect(check.gaps.map(\.value) == (wanted == nil ? [value] : []), "\(hasInformation)")
            #expect(check.right.contains(.keyValueStoreOther) == (wanted == true))
        }
    }

    @Test("of a source without any key of iCloud are another target's, beside some with")
    func otherTarget() throws {
        let folder = try AppFolder()
        try folder.write(["com.apple.security.app-sandbox": .bool(true)], to: "W.entitlements")
        #expect(try folder.check().lines.first == "error container-missing")
        try folder.write(AppFolder.source, to: "A.entitlements")
        let check = try folder.check()
        #expect(check.lines == [] && check.gaps.count == 1)
    }

    @Test("of a build count more than those of a source, and so does its Info.plist")
    func precedence() throws {
        let folder = try AppFolder()
        try folder.write([:], to: "A.entitlements")
        try folder.write(["CFBundleIdentifier": .string("ro.xdev.USB-Meter")], to: "Info.plist")
        try folder.app(AppFolder.built)
        #expect(try folder.check().lines == [])
        try folder.app([:])
        try folder.write(AppFolder.source, to: "A.entitlements")
        #expect(
            try folder.check().lines == [
                "error container-missing", "warning push-entitlement-missing", "warning kvstore-missing",
            ])
    }

    @Test("in a .xcent are those of a build, in the bundle of an unsigned app or alone")
    func expanded() throws {
        for name in ["USB Meter.app/archived-expanded-entitlements.xcent", "USB Meter.app.xcent"] {
            let folder = try AppFolder()
            try folder.app(nil)
            try folder.write(Self.built(["aps-environment": .string("development")]), to: name)
            #expect(try folder.check().lines == ["warning push-development"], "\(name)")
        }
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        try folder.write([:], to: "USB Meter.app/archived-expanded-entitlements.xcent")
        #expect(try folder.check().lines == [])
    }
}
