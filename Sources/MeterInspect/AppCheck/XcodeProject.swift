internal import CoreDataStore
internal import Texts

/// What a `project.pbxproj` says of how the app is built. It is an old-style property list: the objects by their ids,
/// and each has its class in `isa`.
struct XcodeProject: Sendable {
    /// A build configuration of a target that makes an app.
    struct Configuration: Sendable {
        let name: String
        /// What is equal for the configurations of one target.
        let target: String
        /// `CODE_SIGN_ENTITLEMENTS`, that for each platform included.
        let entitlements: Set<String>
        /// `INFOPLIST_KEY_UIBackgroundModes`.
        let modes: Set<String>
        /// `INFOPLIST_FILE`.
        let infoFile: String?
        let bundleIdentifier: String?
        let isForMac: Bool
        /// Whether an `.xcconfig` has settings, too, which is not read.
        let hasFile: Bool
    }

    let configurations: [Configuration]
    let namesCloudKit: Bool

    init(_ list: [String: PropertyList]) {
        let objects = (list["objects"]?.dictionary ?? [:]).compactMapValues(\.dictionary)
        func configurations(of object: [String: PropertyList]) -> [String] {
            let list = object["buildConfigurationList"]?.string.flatMap { objects[$0] }
            return (list?["buildConfigurations"]?.array ?? []).compactMap(\.string)
        }
        var targets: [String: String] = [:]
        var others: Set<String> = []
        var inherited: [String: [String: PropertyList]] = [:]
        for (id, object) in objects {
            switch object["isa"]?.string {
            case "PBXNativeTarget":
                let isApp = object["productType"]?.string == "com.apple.product-type.application"
                for configuration in configurations(of: object) {
                    if isApp { targets[configuration] = id } else { others.insert(configuration) }
                }
            case "PBXProject":
                for configuration in configurations(of: object).compactMap({ objects[$0] }) {
                    inherited[configuration["name"]?.string ?? ""] = configuration["buildSettings"]?.dictionary
                }
            default: break
            }
        }
        namesCloudKit = objects.values.contains { object in
            ["path", "name"].contains { object[$0]?.string?.hasSuffix("CloudKit.framework") ?? false }
        }
        self.configurations = objects.sorted(byBytesOf: \.key).compactMap { id, object in
            guard object["isa"]?.string == "XCBuildConfiguration", !others.contains(id),
                let own = object["buildSettings"]?.dictionary, own["PRODUCT_BUNDLE_IDENTIFIER"] != nil
            else { return nil }
            let name = object["name"]?.string ?? id
            let settings = own.merging(inherited[name] ?? [:]) { own, _ in own }
            /// The values of a setting, those under a condition such as `[sdk=macosx*]` included.
            func values(_ key: String) -> Set<String> {
                let values = settings.filter { $0.key == key || $0.key.hasPrefix("\(key)[") }.values
                return Set(
                    values.flatMap { $0.array?.compactMap(\.string) ?? [$0.string ?? ""] }.filter { !$0.isEmpty })
            }
            let modes = values("INFOPLIST_KEY_UIBackgroundModes").flatMap { $0.split(separator: " ").map(String.init) }
            let bundleIdentifier = settings["PRODUCT_BUNDLE_IDENTIFIER"]?.string
            return Configuration(
                name: name,
                // A project that does not say which target has which configuration: those of one bundle.
                target: targets[id] ?? bundleIdentifier ?? "", entitlements: values("CODE_SIGN_ENTITLEMENTS"),
                modes: Set(modes), infoFile: values("INFOPLIST_FILE").min(), bundleIdentifier: bundleIdentifier,
                isForMac: (settings["SDKROOT"]?.string ?? list["SDKROOT"]?.string) == "macosx",
                hasFile: object["baseConfigurationReference"] != nil)
        }
    }
}
