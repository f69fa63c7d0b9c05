internal import CoreDataStore
internal import Texts

/// What an `Info.plist` says of an app, as far as it matters here.
struct AppInformation: Sendable {
    /// `CFBundleIdentifier`.
    let identifier: String?
    /// `CFBundleExecutable`.
    let executable: String?
    /// `CFBundleSupportedPlatforms`.
    let platforms: [String]
    /// `UIBackgroundModes`; nil where the key is not there.
    let modes: [String]?
    /// Whether it is that of an app, and of no extension, framework or test; files of other kinds are named so, too.
    let isOfApp: Bool
    private let hasSystemOfMac: Bool
    /// Whether a key says that it is for iPhone or iPad.
    let isForPhone: Bool

    /// Keys of apps in the app: on its watch, and a part of it that is loaded alone.
    private static let keysOfOthers = [
        "NSExtension", "EXAppExtensionAttributes", "WKApplication", "WKWatchKitApp", "WKWatchOnly",
        "WKCompanionAppBundleIdentifier", "NSAppClip",
    ]

    init(_ list: [String: PropertyList]) {
        let type = list["CFBundlePackageType"]?.string ?? "APPL"
        // Xcode adds keys to an empty one.
        let isInformation = list.isEmpty || list.keys.contains { $0.starts(with: /CFBundle|UI|NS|LS/) }
        isOfApp =
            isInformation && (type == "APPL" || SettingText.hasSetting(type))
            && !Self.keysOfOthers.contains { list[$0] != nil }
        identifier = list["CFBundleIdentifier"]?.string
        executable = list["CFBundleExecutable"]?.string
        platforms = list["CFBundleSupportedPlatforms"]?.array?.compactMap(\.string) ?? []
        modes = list["UIBackgroundModes"]?.array?.compactMap(\.string)
        hasSystemOfMac = list["LSMinimumSystemVersion"] != nil
        isForPhone =
            list["LSRequiresIPhoneOS"] == .bool(true) || list["UIDeviceFamily"] != nil
            || platforms.contains("iPhoneOS")
    }

    var isForMac: Bool { hasSystemOfMac || platforms.contains("MacOSX") }

    /// Whether Xcode adds the rest, so that background modes cannot be told by it.
    var isPiece: Bool { identifier == nil && modes == nil }
}

/// An app that was built; or what lies beside such, sources and files on their own.
struct AppPart: Sendable {
    /// Whether it is a bundle with `Contents`, as those of macOS are.
    var hasContents = false
    /// Each `Info.plist` by its path, those of others than the app included.
    var information: [String: AppInformation] = [:]
    var entitlements: [AppEntitlements] = []
    /// Of an embedded profile nothing but its entitlements is kept.
    var profile: AppEntitlements?
    /// Nil where there is no executable.
    var loadsCloudKit: Bool?
    /// What the executable names of how a store is loaded.
    var options: Set<StoreOption> = []

    /// Those of the app.
    var infos: [AppInformation] { information.sorted(byBytesOf: \.key).map(\.value).filter(\.isOfApp) }

    /// What it is for, by itself; empty where nothing says it.
    var platforms: Set<AppPlatform> {
        if infos.contains(where: \.isForMac) {
            // Beside an Info.plist of the Mac, another one is that of another platform.
            return infos.contains { !$0.isForMac && !$0.isPiece } ? [.iOS, .macOS] : [.macOS]
        }
        if hasContents { return [.macOS] }
        // One set of entitlements can be that of both.
        if entitlements.contains(where: \.isForMac) {
            return infos.contains(where: \.isForPhone) ? [.iOS, .macOS] : [.macOS]
        }
        return infos.isEmpty && !entitlements.contains(where: \.asksForPushOfPhone) ? [] : [.iOS]
    }

    /// The bundle's identifier; nil where there is none, where a build setting stands in its place, or where there are
    /// several.
    var bundleIdentifier: String? {
        let identifiers = Set(infos.compactMap(\.identifier).filter { !SettingText.hasSetting($0) })
        return identifiers.count == 1 ? identifiers.first : nil
    }
}
