internal import CoreDataStore
internal import JSON
internal import Texts

/// A platform that an app is built for.
package enum AppPlatform: String, Sendable, CaseIterable, Comparable {
    case iOS, macOS, tvOS, visionOS

    /// By its name in build settings, that of its simulator included.
    fileprivate init?(named name: some StringProtocol) {
        switch name {
        case "iphoneos", "iphonesimulator": self = .iOS
        case "macosx": self = .macOS
        case "appletvos", "appletvsimulator": self = .tvOS
        case "xros", "xrsimulator": self = .visionOS
        default: return nil
        }
    }

    package static func < (one: AppPlatform, other: AppPlatform) -> Bool { one.rawValue < other.rawValue }
}

/// A target that makes an app, in one configuration and for one platform, as Xcode resolved its build settings.
struct AppTarget: Sendable {
    let name: String
    let configuration: String
    let platform: AppPlatform
    private let settings: [String: String]

    /// Each target, configuration and platform of what `xcodebuild` printed. Settings are of the platform they were printed
    /// for; where only another's were handed over, those count.
    static func all(in objects: [XcodeSettings.Object]) -> [AppTarget] {
        let apps = Dictionary(grouping: objects.filter(\.isOfApp)) { [$0.target, $0.settings["CONFIGURATION"] ?? ""] }
        return apps.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { key, objects in
            let platforms = objects.reduce(into: Set<AppPlatform>()) { $0.formUnion($1.platforms) }
            return platforms.sorted().flatMap { platform in
                let own = objects.filter { $0.platform == platform }
                // Settings of visionOS and tvOS are as those of iOS.
                let near = objects.filter { ($0.platform == .macOS) == (platform == .macOS) }
                return (own.isEmpty ? near.isEmpty ? objects : near : own).map { object in
                    AppTarget(
                        name: key[0], configuration: key[1], platform: platform, settings: object.settings)
                }
            }
        }
    }

    /// As messages name it.
    var title: String { "target \(name), configuration \(configuration)" }

    /// `CODE_SIGN_ENTITLEMENTS`, below `SRCROOT`.
    var entitlements: String? { path("CODE_SIGN_ENTITLEMENTS") }

    /// `INFOPLIST_FILE`, below `SRCROOT`.
    var information: String? { path("INFOPLIST_FILE") }

    /// The background modes that Xcode writes into the Info.plist that it makes.
    var modes: [String] {
        guard settings["GENERATE_INFOPLIST_FILE"] == "YES" else { return [] }
        return (settings["INFOPLIST_KEY_UIBackgroundModes"] ?? "").split { " \"".contains($0) }.map(String.init)
    }

    private func path(_ key: String) -> String? {
        guard var path = settings[key], !path.isEmpty else { return nil }
        if let root = settings["SRCROOT"], path.hasPrefix("\(root)/") { path.removeFirst(root.count + 1) }
        let parts = path.split(separator: "/").reduce(into: [Substring]()) { parts, part in
            if part == "..", !parts.isEmpty {
                parts.removeLast()
            } else if part != ".", part != ".." {
                parts.append(part)
            }
        }
        return parts.joined(separator: "/")
    }

    private static let derivedPrefix = "maccatalyst."

    /// Whether the app has another identifier on the Mac.
    private var isDerived: Bool {
        settings["SUPPORTS_MACCATALYST"] == "YES" && settings["DERIVE_MACCATALYST_PRODUCT_BUNDLE_IDENTIFIER"] == "YES"
    }

    /// The values for texts in the target's files, and the identifier that is the app's own, on whatever platform.
    /// - Parameter identifier: `CFBundleIdentifier` of the target's Info.plist.
    func values(identifier: String?) -> (SettingValues, own: String?) {
        var values = settings
        let product = settings["PRODUCT_BUNDLE_IDENTIFIER"].map(common)
        values["PRODUCT_BUNDLE_IDENTIFIER"] = product.map {
            isDerived && platform == .macOS ? Self.derivedPrefix + $0 : $0
        }
        let stated = identifier.map { SettingValues(values: values).text($0) }
        let bundle = stated.map { $0.isOpen ? nil : $0.resolved } ?? values["PRODUCT_BUNDLE_IDENTIFIER"]
        values["CFBundleIdentifier"] = bundle
        if let team = settings["DEVELOPMENT_TEAM"], !team.isEmpty {
            for name in ["TeamIdentifierPrefix", "AppIdentifierPrefix"] { values[name] = "\(team)." }
        }
        return (SettingValues(values: values), bundle.map(common))
    }

    /// An identifier without what is put in front of it on the Mac.
    private func common(_ identifier: String) -> String {
        isDerived && identifier.hasPrefix(Self.derivedPrefix)
            ? String(identifier.dropFirst(Self.derivedPrefix.count)) : identifier
    }
}

/// What `xcodebuild -showBuildSettings -json` prints: an array of objects, one a target, with settings whose values are
/// resolved. Lines of xcodebuild's own may stand before and behind it.
enum XcodeSettings {
    static let command = "xcodebuild -showBuildSettings -json -scheme NAME -configuration Release > settings.json"

    struct Object: Sendable {
        let target: String
        let settings: [String: String]

        var isOfApp: Bool {
            settings["PRODUCT_TYPE"] == "com.apple.product-type.application" && !platforms.isEmpty
        }

        var platform: AppPlatform? { settings["PLATFORM_NAME"].flatMap { AppPlatform(named: $0) } }

        /// All that the target is built for, but for the watch.
        var platforms: Set<AppPlatform> {
            let names = (settings["SUPPORTED_PLATFORMS"] ?? settings["PLATFORM_NAME"] ?? "").split(separator: " ")
            let isCatalyst = settings["SUPPORTS_MACCATALYST"] == "YES"
            return Set(names.compactMap { AppPlatform(named: $0) }).union(isCatalyst ? [.macOS] : [])
        }
    }

    /// Whether a file begins as settings that were printed without `-json`.
    static func isPlain(_ head: [UInt8]) -> Bool {
        let line = "Build settings for action "
        return head.starts(with: line.utf8) || ByteSearch.firstIndex(of: "\n\(line)", in: head) != nil
    }

    /// Whether a file begins with settings, or, where `mayBeEmpty`, with an array that has none.
    static func isBeginning(_ head: [UInt8], mayBeEmpty: Bool) -> Bool {
        starts(in: head).contains { start in
            guard let element = element(in: head, after: start), head[element] == UInt8(ascii: "{") else {
                return mayBeEmpty
            }
            guard let key = self.element(in: head, after: element) else { return false }
            return ["action", "buildSettings", "target"].contains { head[key...].starts(with: "\"\($0)\"".utf8) }
        }
    }

    /// The objects in what was printed, of every array: several answers may be in one file.
    /// - Throws: `StoreError`, `damaged` where an array behind another one, or the only one, is cut off or is no JSON.
    static func objects(in bytes: [UInt8], at path: String) throws(StoreError) -> [Object] {
        var found: [Object]?
        var (place, failed) = (0, 0)
        var failure: JSONError?
        for start in starts(in: bytes) where start >= place {
            try Interruption.check(path)
            guard failed < tries, found == nil || failed == 0 else { break }
            guard let end = end(of: bytes, from: start) else {
                failed += 1
                continue
            }
            do {
                let value = try JSONReader().value(of: Array(bytes[start..<end]), limits: JSONLimits())
                guard case .array(let elements) = value else { continue }
                found = (found ?? []) + elements.compactMap(object)
                (place, failed) = (end, 0)
            } catch {
                failure = failure ?? error
                failed += 1
            }
        }
        if let found, failed == 0 { return found }
        throw StoreError(
            .damaged, at: path, "build settings that \(failure.map { "are no JSON: \($0.reason)" } ?? "break off")")
    }

    private static func object(_ value: JSONValue) -> Object? {
        guard let target = value["target"]?.string, case .object(let members)? = value["buildSettings"] else {
            return nil
        }
        let settings = members.compactMap { member in member.value.string.map { (member.key, $0) } }
        return Object(target: target, settings: Dictionary(settings) { $1 })
    }

    /// How many brackets are tried.
    private static let tries = 8

    /// Where lines begin with `[` and an object, or nothing, in it.
    private static func starts(in bytes: [UInt8]) -> some Sequence<Int> {
        bytes.indices.lazy.filter { place in
            guard bytes[place] == UInt8(ascii: "["), let element = element(in: bytes, after: place),
                bytes[element] == UInt8(ascii: "{") || bytes[element] == UInt8(ascii: "]")
            else { return false }
            let before = bytes[..<place].last { $0 != 0x20 && $0 != 0x09 }
            return before == nil || before == UInt8(ascii: "\n") || before == UInt8(ascii: "\r")
        }
    }

    /// Where the first byte behind a bracket is that is no white space.
    private static func element(in bytes: [UInt8], after place: Int) -> Int? {
        bytes[(place + 1)...].firstIndex { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    }

    /// Behind the bracket that closes the one at `start`; nil where none does.
    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        var (depth, isInText) = (0, false)
        var place = start
        while place < bytes.count {
            switch bytes[place] {
            case UInt8(ascii: "\\") where isInText: place += 1
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isInText ? 0 : 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isInText ? 0 : 1
            default: break
            }
            place += 1
            if depth == 0, !isInText { return place }
        }
        return nil
    }
}
