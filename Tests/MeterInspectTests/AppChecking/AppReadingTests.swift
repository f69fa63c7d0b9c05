import CoreDataStore
import Foundation
import MeterStore
import MeterTestSupport
import Testing

@testable import MeterInspect

@Suite("the files of an app")
struct AppReadingTests {
    /// Each way in which a Mach-O file lies, and what it loads CloudKit with.
    private static let layouts: [AppFixture.Layout] = [true, false].flatMap { isWide in
        [true, false].flatMap { isBigEndian in
            [(false, false), (true, false), (true, true)].map { isFat, isFatWide in
                var layout = AppFixture.Layout()
                (layout.isWide, layout.isBigEndian, layout.isFat, layout.isFatWide) = (
                    isWide, isBigEndian, isFat, isFatWide
                )
                return layout
            }
        }
    }

    @Test("have entitlements in an executable of 32 and 64 bits, of either byte order, thin or fat", arguments: layouts)
    func executables(_ layout: AppFixture.Layout) throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built, layout: layout, isForMac: true)
        let check = try folder.check()
        #expect(check.lines == [])
        #expect(check.platform == .macOS)
        #expect(check.unknown == [.model, .store])
        var other = layout
        other.libraries = ["/usr/lib/libSystem.B.dylib", "/Library/MyCloudKit.framework/CloudKit"]
        try folder.app(AppFolder.built, layout: other, isForMac: true)
        #expect(try folder.check().lines == ["note cloudkit-not-linked"])
    }

    @Test(
        "load CloudKit weakly, lazily, upward or from another library",
        arguments: [0xC, 0x8000_0018, 0x8000_001F, 0x20, 0x8000_0023])
    func loading(_ command: UInt32) throws {
        let folder = try AppFolder()
        var layout = AppFixture.Layout()
        layout.loadCommand = command
        try folder.app(AppFolder.built, layout: layout, isForMac: true)
        #expect(try folder.check().right.contains(.cloudKitNotLinked))
        layout.loadCommand = 0xD
        try folder.app(AppFolder.built, layout: layout, isForMac: true)
        #expect(try folder.check().lines == ["note cloudkit-not-linked"])
        // On iOS nothing is said of it.
        try folder.app(AppFolder.built, layout: layout, at: "Phone.app")
        #expect(try folder.check("Phone.app").lines == [])
    }

    @Test(
        "of an unsigned app do not say what it may do; those of one signed without entitlements say that it may nothing"
    )
    func unsigned() throws {
        let folder = try AppFolder()
        try folder.app(nil)
        let check = try folder.check()
        #expect(check.lines == [])
        #expect(check.unknown == [.entitlements, .model, .store])
        var layout = AppFixture.Layout()
        layout.slot = 7
        try folder.app(AppFolder.built, layout: layout)
        #expect(
            try folder.check().lines == [
                "error container-missing", "warning push-entitlement-missing", "warning kvstore-missing",
            ])
        // What runs in a simulator has them elsewhere.
        var information = AppFolder.information
        information["CFBundleSupportedPlatforms"] = .array([.string("iPhoneSimulator")])
        try folder.app(AppFolder.built, information: information, layout: layout)
        #expect(try folder.check().unknown == [.entitlements, .model, .store])
        try folder.app(AppFolder.built, information: information)
        #expect(try folder.check().unknown == [.model, .store])
    }

    @Test("are those of an executable that has the app's name, where nothing else names it")
    func unnamedExecutable() throws {
        let folder = try AppFolder()
        var information = AppFolder.information
        information["CFBundleExecutable"] = nil
        try folder.app(AppFolder.built, information: information)
        #expect(try folder.check().unknown == [.model, .store])
        // A name leads to no file outside of the bundle.
        information["CFBundleExecutable"] = .string("../USB Meter")
        try folder.app([:], information: information)
        #expect(try folder.check().unknown == [.entitlements, .model, .store])
    }

    @Test("cannot be read where an executable is damaged, which is said; the rest is read", arguments: 0..<6)
    func damaged(_ number: Int) throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        var bytes = AppFixture.executable(PropertyList.dictionary(AppFolder.built).binaryPropertyList())
        let blob = try #require(bytes.firstRange(of: [0xFA, 0xDE, 0x71, 0x71])).lowerBound
        let signature = try #require(bytes.firstRange(of: [0xFA, 0xDE, 0x0C, 0xC0])).lowerBound
        switch number {
        case 0: bytes = Array("#!/bin/sh".utf8)
        case 1: bytes = Array(bytes.prefix(40))
        case 2: bytes = Array(bytes.dropLast(9))
        // Entitlements of 4 GB, a super blob of 2³² blobs, a load command without an end.
        case 3: bytes.replaceSubrange(blob + 4..<blob + 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        case 4: bytes.replaceSubrange(signature + 8..<signature + 12, with: [0xFF, 0xFF, 0xFF, 0xFF])
        default: bytes.replaceSubrange(36..<40, with: [0, 0, 0, 0])
        }
        try folder.write(bytes, to: "USB Meter.app/USB Meter")
        let check = try folder.check("USB Meter.app")
        #expect(check.lines == ["error unreadable USB Meter.app/USB Meter"])
        #expect(check.unknown == [.entitlements, .model, .store])
    }

    @Test("are fat with 2³² slices, of which the first lies anywhere")
    func fat() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        for offset: [UInt8] in [[0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 1, 0, 0, 0, 0, 0]] {
            let head: [UInt8] = [0xCA, 0xFE, 0xBA, 0xBF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 0, 0, 12, 0, 0, 0, 0]
            try folder.write(head + offset + offset, to: "USB Meter.app/USB Meter")
            #expect(try folder.check("USB Meter.app").lines == ["error unreadable USB Meter.app/USB Meter"])
        }
    }

    @Test("lie in an .ipa, stored or compressed, with a comment behind it or none", arguments: [true, false])
    func archive(isDeflated: Bool) throws {
        let folder = try AppFolder()
        let files = try Self.files(of: AppFolder.built)
        for comment in ["", String(repeating: "c", count: 0xFFFF)] {
            try folder.write(AppFixture.archive(files, isDeflated: isDeflated, comment: comment), to: "USB Meter.IPA")
            let check = try folder.check("USB Meter.IPA")
            #expect(check.lines == [])
            #expect(check.platform == .iOS && check.unknown == [.model, .store])
        }
        // What one program made without knowing sizes beforehand.
        let packed = try AppCheck(["\(AppCase.folder)/packed.ipa"], store: nil)
        #expect(packed.lines == [] && packed.unknown == [.model, .store])
    }

    /// An app in an archive.
    private static func files(
        of entitlements: [String: PropertyList], place: String = "Payload/USB Meter.app/"
    ) throws -> [(name: String, bytes: [UInt8])] {
        [
            (place + "Info.plist", PropertyList.dictionary(AppFolder.information).binaryPropertyList()),
            (place + "USB Meter", AppFixture.executable(PropertyList.dictionary(entitlements).binaryPropertyList())),
        ]
    }

    @Test("in an .ipa are those of its app, and with a compiled model in it")
    func places() throws {
        let folder = try AppFolder()
        let model = ModelArchive.encode(USBMeterModel.v2)
        let files =
            try Self.files(of: AppFolder.built) + Self.files(of: [:], place: "Payload/USB Meter.app/Watch/W.app/")
            + Self.files(of: [:], place: "Symbols/S.app/")
            + [("Payload/USB Meter.app/CKModel.momd/USB_Meter 2.mom", model), ("iTunesMetadata.plist", [0])]
        try folder.write(AppFixture.archive(files), to: "A.ipa")
        let check = try folder.check("A.ipa")
        #expect(check.lines == [] && check.unknown == [.store])
    }

    @Test("cannot be read where an .ipa is damaged, which is said")
    func damagedArchives() throws {
        let folder = try AppFolder()
        let files = try Self.files(of: AppFolder.built)
        let whole = try AppFixture.archive(files)
        for bytes in [[], Array("not a ZIP archive".utf8), Array(whole.dropLast(8))] {
            try folder.write(bytes, to: "A.ipa")
            #expect(try folder.check("A.ipa").lines == ["error unreadable A.ipa"])
        }
        // A directory elsewhere, and one that is larger than the archive.
        for (place, value) in [(6, [UInt8](repeating: 0xFF, count: 4)), (10, [0xFF, 0xFF, 0, 0])] {
            var bytes = whole
            bytes.replaceSubrange(bytes.count - place..<bytes.count - place + 4, with: value)
            try folder.write(bytes, to: "A.ipa")
            #expect(try folder.check("A.ipa").lines == ["error unreadable A.ipa"], "\(place)")
        }
    }

    @Test("in an .ipa expand to what its directory says, and no byte more; an encrypted one is not there")
    func bombs() throws {
        let folder = try AppFolder()
        let bomb = [UInt8](repeating: 0x20, count: 1 << 22)
        var files = try Self.files(of: AppFolder.built)
        files[0].bytes += bomb + [0x20]
        try folder.write(AppFixture.archive(files), to: "A.ipa")
        #expect(try folder.check("A.ipa").lines == ["error unreadable A.ipa/Payload/USB Meter.app/Info.plist"])
        // The directory says less than there is.
        var bytes = try AppFixture.archive(Self.files(of: AppFolder.built))
        let entry = try #require(bytes.firstRange(of: [0x50, 0x4B, 0x01, 0x02])).lowerBound
        bytes.replaceSubrange(entry + 24..<entry + 28, with: [1, 0, 0, 0])
        try folder.write(bytes, to: "A.ipa")
        #expect(try folder.check("A.ipa").lines == ["error unreadable A.ipa/Payload/USB Meter.app/Info.plist"])
        try folder.write(AppFixture.archive(Self.files(of: AppFolder.built), flags: 1), to: "A.ipa")
        #expect(throws: Never.self) { try folder.check("A.ipa") }
        #expect(try folder.check("A.ipa").unknown.count == 4)
    }

    @Test("of an archive of Xcode are those of the app in it, not its own")
    func xcodeArchive() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built, at: "A.xcarchive/Products/Applications/USB Meter.app")
        try folder.write(["CFBundleIdentifier": .string("other")], to: "A.xcarchive/Info.plist")
        try folder.app([:], at: "A.xcarchive/Other/Applications/Other.app")
        try folder.write([:], to: "A.xcarchive/Other.entitlements")
        #expect(try folder.check("A.xcarchive").lines == [])
        #expect(try folder.check("A.xcarchive").unknown == [.model, .store])
    }

    @Test("of extensions, frameworks, tests and symbols are left out, and so are apps in apps")
    func foreign() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        let bundles = [
            "PlugIns/W.appex", "Frameworks/F.framework", "F.xcframework", "A.dSYM", "T.xctest", "Watch/W.app",
        ]
        for name in bundles {
            try folder.write([:], to: "USB Meter.app/\(name)/archived-expanded-entitlements.xcent")
            try folder.write("none", to: "USB Meter.app/\(name)/Info.plist")
            try folder.write("none", to: "USB Meter.app/\(name)/M.momd/M.mom")
        }
        try folder.write("none", to: "F.framework/Info.plist")
        #expect(try folder.check().lines == [])
        for name in ["USB Meter.app/PlugIns/W.appex", "F.framework"] {
            let error = #expect(throws: StoreError.self) { try folder.check(name) }
            #expect(error?.kind == .damaged, "\(name)")
        }
    }

    @Test("of any name are told by what is in them", arguments: [true, false])
    func lists(isBinary: Bool) throws {
        let folder = try AppFolder()
        func write(_ list: [String: PropertyList], to name: String) throws {
            if isBinary { return try folder.write(list, to: name) }
            let values = list.mapValues { value -> Any in
                if let text = value.string { return text }
                return value.array.map { $0.compactMap(\.string) } ?? []
            }
            let bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
            try folder.write([UInt8](bytes), to: name)
        }
        try write(AppFolder.source, to: "Some.plist")
        try write(AppFolder.information, to: "Other.plist")
        try folder.write(["Key": .string("value")], to: "Unknown.plist")
        try folder.write("no list", to: "Broken.plist")
        let check = try folder.check()
        #expect(check.lines == [] && check.unknown == [.model, .store])
        for name in ["Unknown.plist", "Broken.plist"] {
            let error = #expect(throws: StoreError.self) { try folder.check(name) }
            #expect(error?.kind == .damaged, "\(name)")
            #expect(try folder.check("Some.plist", name).ignored == ["\(folder.path)/\(name)"])
        }
    }

    @Test(
        "tell the platform",
        arguments: [
            (["CFBundleIdentifier": PropertyList.string("a")], AppCheck.Platform.iOS),
            (["LSMinimumSystemVersion": .string("13")], .macOS),
            (["CFBundleSupportedPlatforms": .array([.string("MacOSX")])], .macOS),
            (["CFBundleSupportedPlatforms": .array([.string("iPhoneOS")])], .iOS),
        ])
    func platform(_ information: [String: PropertyList], _ wanted: AppCheck.Platform) throws {
        let folder = try AppFolder()
        try folder.write(information, to: "Info.plist")
        #expect(try folder.check().platform == wanted)
        // On a Mac no background mode is needed.
        #expect(try folder.check().lines == (wanted == .iOS ? ["warning push-mode-missing"] : []))
    }

    @Test(
        "tell the platform by entitlements alone",
        arguments: [
            ("aps-environment", AppCheck.Platform?.some(.iOS)), ("com.apple.developer.aps-environment", .macOS),
            ("com.apple.security.app-sandbox", .macOS), ("com.apple.developer.team-identifier", nil),
        ])
    func platformOfEntitlements(_ key: String, _ wanted: AppCheck.Platform?) throws {
        let folder = try AppFolder()
        try folder.write([key: .string("development")], to: "A.entitlements")
        #expect(try folder.check().platform == wanted)
    }

    @Test("are no Info.plist of an app where they are one of something else, or only named so")
    func otherInformation() throws {
        let folder = try AppFolder()
        try folder.write(["API_KEY": .string("a")], to: "Service-Info.plist")
        try folder.write(["CFBundlePackageType": .string("FMWK")], to: "F/Info.plist")
        try folder.write(["CFBundlePackageType": .string("BNDL")], to: "T/Info.plist")
        try folder.write(["NSExtension": .dictionary([:])], to: "E/Info.plist")
        let check = try folder.check()
        #expect(check.lines == [] && check.platform == nil && check.unknown.count == 4)
        try folder.write(["CFBundlePackageType": .string("$(PRODUCT_BUNDLE_PACKAGE_TYPE)")], to: "A/Info.plist")
        #expect(try folder.check().lines == ["warning push-mode-missing"])
    }

    @Test("are looked at only where they are regular files: no pipe, no device, no loop of links")
    func irregular() throws {
        let folder = try AppFolder()
        try folder.write(AppFolder.source, to: "A.entitlements")
        let place = folder.path
        try #require(mkfifo("\(place)/B.entitlements", 0o600) == 0)
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: "\(place)/loop", withDestinationPath: place)
        try manager.createSymbolicLink(atPath: "\(place)/C.entitlements", withDestinationPath: "C.entitlements")
        try manager.createSymbolicLink(atPath: "\(place)/D.entitlements", withDestinationPath: "/dev/zero")
        #expect(try folder.check().lines == [])
        for (name, kind) in [
            ("B.entitlements", StoreError.Kind.damaged), ("C.entitlements", .notFound), ("D.entitlements", .damaged),
            ("E.entitlements", .notFound),
        ] {
            let error = #expect(throws: StoreError.self) { try folder.check(name) }
            #expect(error?.kind == kind, "\(name)")
        }
        // A link that is named is followed.
        try manager.createSymbolicLink(atPath: "\(place)/F.entitlements", withDestinationPath: "A.entitlements")
        #expect(try folder.check("F.entitlements").lines == [])
    }

    @Test("are not read without end, and how deep folders are is no matter")
    func large() throws {
        let folder = try AppFolder()
        let file = "\(folder.path)/A.entitlements"
        try folder.write([], to: "A.entitlements")
        try #require(truncate(file, 1 << 40) == 0)
        #expect(try folder.check("A.entitlements").lines == ["error unreadable A.entitlements"])
        let deep = String(repeating: "d/", count: 40)
        try folder.write([:], to: deep + "B.entitlements")
        let check = try folder.check()
        #expect(check.cut == [folder.path] && check.findings.count == 1)
    }

    @Test("are profiles too; one without entitlements cannot be read")
    func profiles() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        for bytes in [[], Array("</plist><?xml".utf8), AppFixture.profile(AppFolder.xml(["Other": [:]]))] {
            try folder.write(bytes, to: "USB Meter.app/embedded.mobileprovision")
            #expect(
                try folder.check("USB Meter.app").lines == ["error unreadable USB Meter.app/embedded.mobileprovision"])
        }
    }
}
