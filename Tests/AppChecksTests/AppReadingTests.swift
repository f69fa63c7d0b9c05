import CoreDataStore
import Foundation
import MeterTestSupport
import Testing

@testable import AppChecks

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
        try folder.app(AppFolder.builtForMac, layout: layout, isForMac: true)
        let check = try folder.check()
        #expect(check.lines == [])
        #expect(check.platforms == [.macOS])
        #expect(check.unknown == [.model, .store])
        var other = layout
        other.libraries = ["/usr/lib/libSystem.B.dylib", "/Library/MyCloudKit.framework/CloudKit"]
        try folder.app(AppFolder.builtForMac, layout: other, isForMac: true)
        #expect(try folder.check().lines == ["note cloudkit-not-linked"])
    }

    @Test(
        "load CloudKit weakly, lazily, upward or from another library",
        arguments: [0xC, 0x8000_0018, 0x8000_001F, 0x20, 0x8000_0023])
    func loading(_ command: UInt32) throws {
        let folder = try AppFolder()
        var layout = AppFixture.Layout()
        layout.loadCommand = command
        try folder.app(AppFolder.builtForMac, layout: layout, isForMac: true)
        #expect(try folder.check().right.contains(.cloudKitNotLinked))
        layout.loadCommand = 0xD
        try folder.app(AppFolder.builtForMac, layout: layout, isForMac: true)
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

    @Test("whose names begin with ._ are none: a Mac keeps attributes in them")
    func attributes() throws {
        let folder = try AppFolder()
        try folder.write(AppFolder.source, to: "A.entitlements")
        let names = [
            "._A.entitlements", "._Info.plist", "._M.mom", "._A.xcodeproj", "M.xcdatamodel/._contents", "._B.ipa",
        ]
        for name in names { try folder.write([0, 5, 0x16, 7], to: name) }
        let check = try folder.check()
        #expect(check.lines == [] && check.gaps == [])
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
            let gaps = try folder.check("Some.plist", name).gaps
            #expect(
                gaps == [.file(path: "\(folder.path)/\(name)", why: "neither an app nor part of one", command: nil)])
        }
    }

    @Test(
        "tell the platform",
        arguments: [
            (["CFBundleIdentifier": PropertyList.string("a")], AppPlatform.iOS),
            (["LSMinimumSystemVersion": .string("13")], .macOS),
            (["CFBundleSupportedPlatforms": .array([.string("MacOSX")])], .macOS),
            (["CFBundleSupportedPlatforms": .array([.string("iPhoneOS")])], .iOS),
        ])
    func platform(_ information: [String: PropertyList], _ wanted: AppPlatform) throws {
        let folder = try AppFolder()
        try folder.write(information.merging(["UIBackgroundModes": .array([])]) { $1 }, to: "Info.plist")
        #expect(try folder.check().platforms == [wanted])
        // On a Mac no background mode is needed.
        #expect(try folder.check().lines == (wanted == .iOS ? ["warning push-mode-missing"] : []))
    }

    @Test(
        "tell the platform by entitlements alone",
        arguments: [
            ("aps-environment", AppPlatform?.some(.iOS)), ("com.apple.developer.aps-environment", .macOS),
            ("com.apple.security.app-sandbox", .macOS), ("com.apple.developer.team-identifier", nil),
        ])
    func platformOfEntitlements(_ key: String, _ wanted: AppPlatform?) throws {
        let folder = try AppFolder()
        try folder.write([key: .string("development")], to: "A.entitlements")
        #expect(try folder.check().platforms == Set([wanted].compactMap(\.self)))
    }

    @Test("are no Info.plist of an app where they are one of something else, or only named so")
    func otherInformation() throws {
        let folder = try AppFolder()
        try folder.write(["API_KEY": .string("a")], to: "Service-Info.plist")
        try folder.write(["CFBundlePackageType": .string("FMWK")], to: "F/Info.plist")
        try folder.write(["CFBundlePackageType": .string("BNDL")], to: "T/Info.plist")
        try folder.write(["NSExtension": .dictionary([:])], to: "E/Info.plist")
        let check = try folder.check()
        #expect(check.lines == [] && check.platforms == [] && check.unknown.count == 4)
        // A piece, to which Xcode adds the rest.
        let piece: [String: PropertyList] = ["CFBundlePackageType": .string("$(PRODUCT_BUNDLE_PACKAGE_TYPE)")]
        try folder.write(piece, to: "A/Info.plist")
        #expect(try folder.check().lines == [] && folder.check().gaps.count == 1)
        try folder.write(piece.merging(["CFBundleIdentifier": .string("a")]) { $1 }, to: "A/Info.plist")
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
        try manager.createSymbolicLink(atPath: "\(place)/App.app", withDestinationPath: place)
        // What is there and cannot be read is no nothing.
        let name = AppFile.name(of: place)
        #expect(
            try folder.check().lines
                == ["App.app", "B.entitlements", "C.entitlements", "D.entitlements"].map {
                    "error unreadable \(name)/\($0)"
                })
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

    @Test("name the mapping models that are not read, once each")
    func mappingModels() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built, at: "Phone.app")
        try folder.write("NIBArchive", to: "Phone.app/V1toV2.cdm")
        try folder.write("<database/>", to: "V2toV3.xcmappingmodel/xcmapping.xml")
        try folder.write("<plist/>", to: "V2toV3.xcmappingmodel/Info.plist")
        let check = try folder.check()
        #expect(check.lines == [])
        let files = check.gaps.compactMap { if case .file(let path, _, _) = $0 { path } else { nil } }
        #expect(files.map { $0.split(separator: "/").last } == ["V1toV2.cdm", "V2toV3.xcmappingmodel"])
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
        #expect(check.gaps == [.file(path: folder.path, why: "not all that is in it could be looked at", command: nil)])
        #expect(check.findings.count == 1)
    }

    @Test("are executables whose entitlements are too large, which is not a damaged signature")
    func largeEntitlements() throws {
        let folder = try AppFolder()
        let long = PropertyList.string(String(repeating: "x", count: 1 << 20))
        try folder.app(AppFolder.built.merging(["long": long]) { $1 })
        #expect(try folder.check().findings[0].message.contains("more than 1 MiB"))
    }

    @Test("are executables that name how a store is loaded, which nothing is said of but that")
    func options() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        #expect(try folder.check().options == [])
        let executable = "\(folder.path)/USB Meter.app/USB Meter"
        let names = "\0_NSPersistentHistoryTrackingKey\0_NSMergeByPropertyStoreTrumpMergePolicy\0"
        let gap = [UInt8](repeating: 0, count: 1 << 20)
        try FileBytes.write(FileBytes.read(executable) + gap + Array(names.utf8), to: executable)
        let check = try folder.check()
        #expect(check.options == [.historyTracking, .mergePolicy] && check.lines == [])
    }

    @Test(
        "are profiles in one piece or in several, as whoever signs them cuts them",
        arguments: [0, 7, 100, 1_000, 70_000])
    func pieces(_ size: Int) throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built)
        let list = AppFolder.xml(["Entitlements": [:], "Other": ["x": .string(String(repeating: "y", count: 99_999))]])
        try folder.write(AppFixture.profile(list, pieces: size), to: "USB Meter.app/embedded.mobileprovision")
        #expect(
            try folder.check("USB Meter.app").lines
                == ["error profile-lacks aps-environment"]
                + ["container-identifiers", "services"].map { "error profile-lacks com.apple.developer.icloud-\($0)" })
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
