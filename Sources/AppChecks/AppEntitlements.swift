internal import CoreDataStore
internal import MeterInspect
internal import Texts

/// A set of entitlements: what a target asks for in its source, or what a signature gives a build.
struct AppEntitlements: Sendable {
    let path: String
    /// Whether a product has them, and no source, in which Xcode replaces build settings and, at export, environments.
    let isBuilt: Bool
    let values: [String: PropertyList]

    init(path: String, isBuilt: Bool, values: [String: PropertyList]) {
        (self.path, self.isBuilt, self.values) = (path, isBuilt, values)
    }

    /// Those in a file of their own: a property list, or what codesign printed of a build.
    /// - Throws: `StoreError`, `damaged`.
    init(_ bytes: [UInt8], at path: String) throws(StoreError) {
        if let values = try PrintedEntitlements.values(bytes, at: path) {
            self.init(path: path, isBuilt: true, values: values)
        } else {
            let values = try PropertyListFile.dictionary(bytes, at: path)
            self.init(path: path, isBuilt: path.hasSuffix(".xcent"), values: values)
        }
    }

    /// Those that a provisioning profile gives: its property list stands as plain text in the signed message.
    /// - Throws: `StoreError`, `damaged`.
    init(profile bytes: [UInt8], at path: String) throws(StoreError) {
        guard let list = Self.list(inProfile: bytes),
            let values = try PropertyListFile.dictionary(list, at: path)["Entitlements"]?.dictionary
        else { throw StoreError(.damaged, at: path, "no profile with entitlements") }
        self.init(path: path, isBuilt: true, values: values)
    }

    /// The property list in a message of CMS. A program that signs in one pass cuts it into pieces, each an OCTET STRING.
    private static func list(inProfile bytes: [UInt8]) -> [UInt8]? {
        let places = ["<?xml", "<plist"].compactMap { ByteSearch.firstIndex(of: $0, in: bytes) }
        guard let start = places.min() else { return nil }
        var list: [UInt8] = []
        // The header of an OCTET STRING has two to five bytes.
        var piece = (2...5).lazy.compactMap { octets(in: bytes, at: start - $0) }.first { $0.lowerBound == start }
        while let found = piece {
            list += bytes[found]
            piece = octets(in: bytes, at: found.upperBound)
        }
        let text = list.isEmpty ? Array(bytes[start...]) : list
        return ByteSearch.firstIndex(of: "</plist>", in: text).map { Array(text[..<($0 + 8)]) }
    }

    /// The contents of the OCTET STRING at a place; nil where there is none.
    private static func octets(in bytes: [UInt8], at place: Int) -> Range<Int>? {
        guard place >= 0, place + 1 < bytes.count, bytes[place] == 0x04 else { return nil }
        let first = Int(bytes[place + 1])
        guard first >= 0x80 else { return range(from: place + 2, count: first, in: bytes) }
        let size = first - 0x80
        guard (1...3).contains(size), let count = bytes.number(at: place + 2, bytes: size, isBigEndian: true) else {
            return nil
        }
        return range(from: place + 2 + size, count: count, in: bytes)
    }

    private static func range(from start: Int, count: Int, in bytes: [UInt8]) -> Range<Int>? {
        count > 0 && start + count <= bytes.count ? start..<start + count : nil
    }

    static let containers = "com.apple.developer.icloud-container-identifiers"
    static let services = "com.apple.developer.icloud-services"
    static let environment = "com.apple.developer.icloud-container-environment"
    static let keyValueStore = "com.apple.developer.ubiquity-kvstore-identifier"
    static let applicationOfMac = "com.apple.application-identifier"
    static let push = "aps-environment"
    static let pushOfMac = "com.apple.developer.aps-environment"
    /// What a profile has to give where a signature claims it.
    static let claims = [containers, services, environment, push, pushOfMac]
    static let environments = ["Development", "Production"]
    static let pushEnvironments = ["development", "production"]

    /// Whether these are the keys of entitlements, whatever the file is called.
    static func areKeys(_ keys: some Sequence<String>) -> Bool {
        keys.contains { $0.hasPrefix("com.apple.") || $0.hasPrefix("aps-") }
    }

    /// The texts of a key, which may have one or a list.
    func texts(_ key: String) -> [String] {
        let value = values[key]
        return (value?.array ?? value.map { [$0] } ?? []).compactMap(\.string).filter { !$0.isEmpty }
    }

    /// Where the platform has its push environment.
    static func push(on platform: AppPlatform) -> String { platform == .macOS ? pushOfMac : push }

    var isForMac: Bool { values[Self.pushOfMac] != nil || values["com.apple.security.app-sandbox"] != nil }

    var asksForPushOfPhone: Bool { values[Self.push] != nil }

    var hasCloud: Bool {
        values.keys.contains {
            $0.hasPrefix("com.apple.developer.icloud-") || $0.hasPrefix("com.apple.developer.ubiquity-")
        }
    }

    /// Whether it is a build for distribution: a debugger may not attach to it.
    var isForDistribution: Bool {
        isBuilt && !["get-task-allow", "com.apple.security.get-task-allow"].contains { values[$0] == .bool(true) }
    }

    /// Texts with a build setting in them.
    var unresolved: [String] { values.values.flatMap(\.texts).filter(SettingText.hasSetting) }

    /// Whether a profile gives all that is claimed under a key; `*` stands for anything in it, at the end of a text. One that
    /// names no database gives any.
    func isGiven(_ key: String, by profile: AppEntitlements) -> Bool {
        key == Self.environment && profile.values[key] == nil
            || texts(key).allSatisfy { claim in
                profile.texts(key).contains { $0 == claim || $0.hasSuffix("*") && claim.hasPrefix($0.dropLast()) }
            }
    }
}

extension PropertyList {
    /// All texts in it, at any depth.
    fileprivate var texts: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(\.texts)
        case .dictionary(let entries): entries.values.flatMap(\.texts)
        case .null, .bool, .integer, .unsigned, .real, .date, .data, .uid: []
        }
    }
}
