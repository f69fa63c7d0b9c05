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
        /// Whether an `.xcconfig` that was not handed over has settings, too.
        let lacksFile: Bool
    }

    let configurations: [Configuration]
    /// The names of `.entitlements` that only other targets use: extensions and helpers.
    let foreignEntitlements: Set<String>
    let namesCloudKit: Bool

    /// - Parameter files: the texts of the `.xcconfig` files, by name.
    init(_ list: [String: PropertyList], settings files: [String: String]) {
        let objects = (list["objects"]?.dictionary ?? [:]).compactMapValues(\.dictionary)
        func configurations(of object: [String: PropertyList]) -> [String] {
            let list = object["buildConfigurationList"]?.string.flatMap { objects[$0] }
            return (list?["buildConfigurations"]?.array ?? []).compactMap(\.string)
        }
        var filed: [String: BuildSettings?] = [:]
        /// The settings of a configuration, and whether a file of them was not handed over. A file is read once.
        func settings(of object: [String: PropertyList]) -> (BuildSettings, lacksFile: Bool) {
            let own = BuildSettings(object["buildSettings"]?.dictionary ?? [:])
            let reference = object["baseConfigurationReference"]?.string
            let path =
                object["baseConfigurationReferenceRelativePath"]?.string
                ?? reference.map { objects[$0]?["path"]?.string ?? "" }
            guard let path else { return (own, false) }
            let name = AppFile.name(of: path)
            let base = filed[name] ?? BuildSettings(file: name, among: files)
            filed[name] = base
            return (base.map(own.inheriting) ?? own, base == nil)
        }
        /// By configurations: the target, its name, and whether it makes an app.
        var targets: [String: (id: String, name: String, isApp: Bool)] = [:]
        var inherited: [String: (BuildSettings, lacksFile: Bool)] = [:]
        for (id, object) in objects {
            switch object["isa"]?.string {
            case "PBXNativeTarget":
                let isApp = object["productType"]?.string == "com.apple.product-type.application"
                for configuration in configurations(of: object) {
                    targets[configuration] = (id, object["name"]?.string ?? "", isApp)
                }
            case "PBXProject":
                for configuration in configurations(of: object).compactMap({ objects[$0] }) {
                    inherited[configuration["name"]?.string ?? ""] = settings(of: configuration)
                }
            default: break
            }
        }
        namesCloudKit = objects.values.contains { object in
            ["path", "name"].contains { object[$0]?.string?.hasSuffix("CloudKit.framework") ?? false }
        }
        var foreign: Set<String> = []
        var found: [Configuration] = []
        for (id, object) in objects.sorted(byBytesOf: \.key) where object["isa"]?.string == "XCBuildConfiguration" {
            let (name, target) = (object["name"]?.string ?? id, targets[id])
            let (own, lacksOwn) = settings(of: object)
            let (others, lacksOthers) = inherited[name] ?? (BuildSettings(), false)
            let names = BuildSettings(target.map { ["TARGET_NAME": .string($0.name)] } ?? [:])
            let settings = own.inheriting(others).inheriting(names)
            let entitlements = settings.all("CODE_SIGN_ENTITLEMENTS")
            guard target?.isApp ?? true else {
                foreign.formUnion(entitlements.map(AppFile.name))
                continue
            }
            guard own.has("PRODUCT_BUNDLE_IDENTIFIER") else { continue }
            let modes = settings.all("INFOPLIST_KEY_UIBackgroundModes")
                .flatMap { $0.split(separator: " ").map(String.init) }
            let bundleIdentifier = settings.one("PRODUCT_BUNDLE_IDENTIFIER")
            found.append(
                Configuration(
                    name: name,
                    // A project that does not say which target has which configuration: those of one bundle.
                    target: target?.id ?? bundleIdentifier ?? "", entitlements: entitlements, modes: Set(modes),
                    infoFile: settings.all("INFOPLIST_FILE").min(), bundleIdentifier: bundleIdentifier,
                    isForMac: (settings.one("SDKROOT") ?? list["SDKROOT"]?.string) == "macosx",
                    lacksFile: lacksOwn || lacksOthers))
        }
        self.configurations = found
        foreignEntitlements = foreign.subtracting(found.flatMap(\.entitlements).map(AppFile.name))
    }
}
