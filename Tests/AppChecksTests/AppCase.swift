import CoreDataStore
import Foundation
import JSON
import MeterModel
import MeterTestSupport
import Testing

@testable import AppChecks

/// What was handed over of an app, made for these tests, and what there is to say of it: `Tests/Apps`.
struct AppCase: CustomTestStringConvertible {
    let name: String
    let wanted: JSONValue

    var testDescription: String { name }

    static let folder =
        URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().path + "/Apps"

    static let all: [AppCase] = {
        let bytes = (try? FileBytes.read("\(folder)/expected.json")) ?? []
        guard let document = try? JSONValue(parsing: bytes), case .object(let inputs)? = document["inputs"] else {
            return []
        }
        return inputs.map { AppCase(name: $0.key, wanted: $0.value) }
    }()

    func path(_ name: String) -> String { "\(Self.folder)/\(self.name)/\(name)" }

    func check() throws -> AppCheck {
        let paths = try #require(wanted["arguments"]?.elements).compactMap(\.string).map(path)
        return try AppCheck(paths, store: wanted["store"]?.string.map(path))
    }
}

/// A folder that is filled with parts of an app.
final class AppFolder {
    let folder: TemporaryFolder
    var path: String { folder.path }

    init() throws { folder = try TemporaryFolder() }

    /// The entitlements of a build that lacks nothing.
    static let built: [String: PropertyList] = source.merging([
        AppEntitlements.keyValueStore: .string("ABCDE12345.ro.xdev.USB-Meter"), "get-task-allow": .bool(false),
        "aps-environment": .string("production"), AppEntitlements.environment: .string("Production"),
    ]) { $1 }

    /// The same for a Mac.
    static let builtForMac: [String: PropertyList] = built.filter { $0.key != "aps-environment" }.merging([
        AppEntitlements.applicationOfMac: .string("ABCDE12345.ro.xdev.USB-Meter"),
        AppEntitlements.pushOfMac: .string("production"),
    ]) { $1 }

    /// Those of a source that lacks nothing.
    static let source: [String: PropertyList] = [
        AppEntitlements.containers: .array([.string(AppCheck.container)]),
        AppEntitlements.services: .array([.string("CloudKit")]),
        AppEntitlements.keyValueStore: .string("$(TeamIdentifierPrefix)$(CFBundleIdentifier)"),
        "aps-environment": .string("development"),
    ]

    static let information: [String: PropertyList] = [
        "CFBundleIdentifier": .string("ro.xdev.USB-Meter"), "CFBundleExecutable": .string("USB Meter"),
        "UIBackgroundModes": .array([.string("remote-notification")]),
    ]

    func write(_ bytes: [UInt8], to name: String) throws {
        let place = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: URL(filePath: place).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try FileBytes.write(bytes, to: place)
    }

    func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

    func write(_ list: [String: PropertyList], to name: String) throws {
        try write(PropertyList.dictionary(list).binaryPropertyList(), to: name)
    }

    /// An app that was built; nil entitlements are an unsigned executable.
    func app(
        _ entitlements: [String: PropertyList]?, information: [String: PropertyList] = information,
        profile: [String: PropertyList]? = nil, layout: AppFixture.Layout = .init(), isForMac: Bool = false,
        at name: String = "USB Meter.app"
    ) throws {
        let base = isForMac ? "\(name)/Contents/" : "\(name)/"
        try write(information, to: base + "Info.plist")
        let list = entitlements.map { PropertyList.dictionary($0).binaryPropertyList() }
        try write(AppFixture.executable(list, layout), to: base + (isForMac ? "MacOS/USB Meter" : "USB Meter"))
        if let profile {
            let list = Self.xml(["Entitlements": profile])
            try write(
                AppFixture.profile(list), to: base + "embedded.\(isForMac ? "provisionprofile" : "mobileprovision")")
        }
    }

    /// A property list of texts, lists and truth values as XML.
    static func xml(_ list: [String: [String: PropertyList]]) -> [UInt8] {
        func text(_ value: PropertyList) -> String {
            if let string = value.string { return "<string>\(string)</string>" }
            if let elements = value.array { return "<array>\(elements.map(text).joined())</array>" }
            return value == .bool(true) ? "<true/>" : "<false/>"
        }
        let body = list.sorted { $0.key < $1.key }.map { key, values in
            let entries = values.sorted { $0.key < $1.key }.map { "<key>\($0.key)</key>\(text($0.value))" }
            return "<key>\(key)</key><dict>\(entries.joined())</dict>"
        }
        return Array("<?xml version=\"1.0\"?>\n<plist version=\"1.0\"><dict>\(body.joined())</dict></plist>\n".utf8)
    }

    /// A model as Xcode writes it.
    func model(_ entities: String, to name: String = "M.xcdatamodel") throws {
        try write("<?xml version=\"1.0\"?><model>\(entities)</model>", to: "\(name)/contents")
    }

    func check(_ names: String..., store: String? = nil, container: String = AppCheck.container) throws -> AppCheck {
        let names = names.isEmpty ? [path] : names.map { "\(path)/\($0)" }
        return try AppCheck(names, store: store.map { "\(path)/\($0)" }, container: container)
    }
}

extension AppCheck {
    /// Findings in one line each: `error container-other iCloud.other`.
    var lines: [String] {
        findings.map { finding in
            [finding.severity.rawValue, finding.requirement.id, finding.subject].compactMap(\.self)
                .joined(separator: " ")
        }
    }
}

extension JSONValue {
    var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
}
