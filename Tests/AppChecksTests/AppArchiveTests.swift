import CoreDataStore
import Foundation
import MeterStore
import MeterTestSupport
import Testing

@testable import AppChecks

@Suite("the archives of an app")
struct AppArchiveTests {
    @Test("lie in an .ipa, stored or compressed, with a comment behind it or none", arguments: [true, false])
    func archive(isDeflated: Bool) throws {
        let folder = try AppFolder()
        let files = try Self.files(of: AppFolder.built)
        for comment in ["", String(repeating: "c", count: 0xFFFF)] {
            try folder.write(AppFixture.archive(files, isDeflated: isDeflated, comment: comment), to: "USB Meter.IPA")
            let check = try folder.check("USB Meter.IPA")
            #expect(check.lines == [])
            #expect(check.platforms == [.iOS] && check.unknown == [.model, .store])
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

    /// Why an archive is refused, if that is all that was handed over; beside something else it is a finding.
    private static func refusal(_ bytes: [UInt8], _ name: String = "A.ipa") throws -> String {
        let folder = try AppFolder()
        try folder.write(bytes, to: name)
        let error = #expect(throws: StoreError.self) { try folder.check(name) }
        #expect(error?.kind == .damaged)
        try folder.write(AppFolder.source, to: "B.entitlements")
        let check = try folder.check(name, "B.entitlements")
        #expect(!check.findings.isEmpty && check.findings.allSatisfy { $0.requirement == .unreadable })
        return error?.message ?? ""
    }

    @Test("cannot be read where an .ipa is damaged, which is said")
    func damagedArchives() throws {
        let whole = try AppFixture.archive(Self.files(of: AppFolder.built))
        for bytes in [[], Array("not a ZIP archive".utf8), Array(whole.dropLast(8))] {
            #expect(try Self.refusal(bytes).hasPrefix("not a ZIP archive"))
        }
        // A directory elsewhere, one that is larger than the archive, and one of fewer files than the end record has.
        for (place, value, reason) in [
            (6, [UInt8](repeating: 0xFE, count: 4), "a directory of"), (10, [0xFF, 0xFF, 0, 0], "a directory of"),
            (12, [9, 0], "breaks off after 2 of 9 files"), (6, [0xFF, 0xFF, 0xFF, 0xFF], "ZIP64"),
        ] {
            var bytes = whole
            bytes.replaceSubrange(bytes.count - place..<bytes.count - place + value.count, with: value)
            #expect(try Self.refusal(bytes).contains(reason), "\(place)")
        }
        // Files that share their bytes.
        var bytes = whole
        let second = try #require(bytes.lastRange(of: [0x50, 0x4B, 0x01, 0x02])).lowerBound
        bytes.replaceSubrange(second + 42..<second + 46, with: [1, 0, 0, 0])
        #expect(try Self.refusal(bytes).contains("share bytes"))
        // A byte of a file.
        bytes = try AppFixture.archive(Self.files(of: AppFolder.built), isDeflated: false)
        let place = try #require(bytes.firstRange(of: Array("remote-notification".utf8))).lowerBound
        bytes[place] = 0x52
        let folder = try AppFolder()
        try folder.write(bytes, to: "A.ipa")
        let check = try folder.check("A.ipa")
        #expect(check.findings[0].message.contains("checksum") && check.findings.count == 1)
    }

    @Test("in an .ipa that has no app where one belongs, or a file that is not read, are never nothing")
    func archivesWithoutApp() throws {
        let files = try Self.files(of: AppFolder.built)
        #expect(
            try Self.refusal(AppFixture.archive(Self.files(of: [:], place: "U.app/"))).contains("no app in its Payload")
        )
        #expect(try Self.refusal(AppFixture.archive([])).contains("no app in its Payload"))
        #expect(try Self.refusal(AppFixture.archive(files, flags: 1)) == "it is encrypted")
        for method in [12, 14] {
            #expect(try Self.refusal(AppFixture.archive(files, method: method)).contains("method \(method)"))
        }
        #expect(try Self.refusal(AppFixture.archive(files, mode: 0o120_777)).contains("a link"))
        // Other bytes in front, as of a program that unpacks it.
        let folder = try AppFolder()
        try folder.write(Array("#!/bin/sh\n".utf8) + AppFixture.archive(files), to: "A.ipa")
        #expect(try folder.check("A.ipa").unknown == [.model, .store])
        // In a folder, and with one file that cannot be read.
        try folder.write(AppFixture.archive(files), to: "Export/B.ipa")
        #expect(try folder.check().lines == [])
        try folder.write("none", to: "Export/Info.plist")
        #expect(try folder.check().lines.count == 1)
    }

    @Test("in an .ipa expand to what its directory says, and no byte more")
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
    }

    @Test("are not read without end together, either")
    func sum() throws {
        let folder = try AppFolder()
        for number in 0..<130 {
            try folder.write([], to: "\(number).entitlements")
            try #require(truncate("\(folder.path)/\(number).entitlements", 1 << 22) == 0)
        }
        let findings = try folder.check().findings
        #expect(findings.count == 130)
        #expect(findings.filter { $0.message.contains("more than is read at once") }.count == 2)
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
        let empty = try AppFolder()
        try empty.write(AppFolder.information, to: "A.xcarchive/Info.plist")
        let error = #expect(throws: StoreError.self) { try empty.check("A.xcarchive") }
        #expect(error?.message == "there is no app in its Products/Applications")
    }

    @Test("of an iPhone's app on a Mac lie in its wrapper")
    func wrapper() throws {
        let folder = try AppFolder()
        try folder.app(AppFolder.built, at: "USB Meter.app/Wrapper/USB Meter.app")
        try folder.write(["SoftwareVersionBundleId": .string("a")], to: "USB Meter.app/Wrapper/iTunesMetadata.plist")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/USB Meter.app/WrappedBundle", withDestinationPath: "Wrapper/USB Meter.app")
        for check in try [folder.check(), folder.check("USB Meter.app")] {
            #expect(check.lines == [] && check.gaps == [])
            #expect(check.platforms == [.iOS] && check.unknown == [.model, .store])
        }
    }
}
