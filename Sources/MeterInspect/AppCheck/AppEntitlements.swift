internal import CoreDataStore
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

    /// Those that a provisioning profile gives: its property list stands as plain text in the signed message.
    /// - Throws: `StoreError`, `damaged`.
    init(profile bytes: [UInt8], at path: String) throws(StoreError) {
        func place(_ text: StaticString) -> Int? {
            let text = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            return bytes.withUnsafeBufferPointer { ByteSearch.firstIndex(of: text, in: $0) }
        }
        guard let start = place("<?xml") ?? place("<plist"), let end = place("</plist>"), start < end,
            let list = try PropertyListFile.dictionary(Array(bytes[start..<end + 8]), at: path)["Entitlements"],
            let values = list.dictionary
        else { throw StoreError(.damaged, at: path, "no profile with entitlements") }
        self.init(path: path, isBuilt: true, values: values)
    }

    static let containers = "com.apple.developer.icloud-container-identifiers"
    static let services = "com.apple.developer.icloud-services"
    static let environment = "com.apple.developer.icloud-container-environment"
    static let keyValueStore = "com.apple.developer.ubiquity-kvstore-identifier"
    private static let push = "aps-environment"
    private static let pushOfMac = "com.apple.developer.aps-environment"
    /// What a profile has to give where a signature claims it.
    static let claims = [containers, services, push, pushOfMac]

    /// The texts of a key, which may have one or a list.
    func texts(_ key: String) -> [String] {
        let value = values[key]
        return (value?.array ?? value.map { [$0] } ?? []).compactMap(\.string).filter { !$0.isEmpty }
    }

    func text(_ key: String) -> String? { texts(key).first }

    /// The environment of push notifications, under either name.
    var pushEnvironment: String? { text(Self.push) ?? text(Self.pushOfMac) }

    var isForMac: Bool { values[Self.pushOfMac] != nil || values["com.apple.security.app-sandbox"] != nil }

    var asksForPushOfPhone: Bool { values[Self.push] != nil }

    /// Whether it is a build for distribution: a debugger may not attach to it.
    var isForDistribution: Bool {
        isBuilt && !["get-task-allow", "com.apple.security.get-task-allow"].contains { values[$0] == .bool(true) }
    }

    /// Texts with a build setting in them.
    var unresolved: [String] { values.values.flatMap(\.texts).filter(Self.hasSetting) }

    static func hasSetting(_ text: String) -> Bool { text.contains("$(") || text.contains("${") }

    /// The container identifiers with the bundle's identifier in its place; nil for one that cannot be known.
    func resolvedContainers(_ bundle: String?) -> [String?] {
        texts(Self.containers).map { container in
            guard Self.hasSetting(container) else { return container }
            guard let bundle, !isBuilt else { return nil }
            let resolved = ["CFBundleIdentifier", "PRODUCT_BUNDLE_IDENTIFIER"].reduce(container) {
                $0.replacing("$(\($1))", with: bundle).replacing("${\($1)}", with: bundle)
            }
            return Self.hasSetting(resolved) ? nil : resolved
        }
    }

    /// Whether a profile gives all that is claimed under a key; `*` stands for anything in it, at the end of a text.
    func isGiven(_ key: String, by profile: AppEntitlements) -> Bool {
        texts(key).allSatisfy { claim in
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
