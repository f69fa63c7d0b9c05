internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterInspect
internal import MeterTestSupport

extension FuzzTarget {
    /// The executable of an app: load commands, and the entitlements in the code signature.
    static let appExecutable = app(
        "app-executable", file: "A.app/A",
        seeds: {
            let list = try FileBytes.read(apps + "02-entitlements-no-icloud/USB Meter.entitlements")
            var fat = AppFixture.Layout()
            (fat.isFat, fat.isBigEndian, fat.isWide) = (true, true, false)
            return [
                AppFixture.executable(list), AppFixture.executable(list, fat), AppFixture.executable(nil),
                try FileBytes.read(apps + "26-mac-app-good/USB Meter.app/Contents/MacOS/USB Meter"),
            ]
        })

    /// An `.ipa`.
    static let appArchive = app(
        "app-archive", file: "A.ipa",
        seeds: {
            let place = apps + "08-app-signed-good/USB Meter.app/"
            let files = try ["Info.plist", "USB Meter", "embedded.mobileprovision"].map {
                (name: "Payload/USB Meter.app/\($0)", bytes: try FileBytes.read(place + $0))
            }
            return [
                try AppFixture.archive(files),
                try AppFixture.archive(files, isDeflated: false, comment: "made by hand"),
                try FileBytes.read(apps + "packed.ipa"),
            ]
        })

    /// A `project.pbxproj`.
    static let appProject = app(
        "app-project", file: "A.xcodeproj/project.pbxproj",
        seeds: {
            [
                try FileBytes.read(
                    apps + "22-project-release-without-entitlements/USB Meter.xcodeproj/project.pbxproj"),
                try FileBytes.read(apps + "two-targets.xcodeproj/project.pbxproj"),
            ]
        })

    /// An `.xcconfig`, beside a project that names it.
    static let appSettings = app(
        "app-settings", file: "A/A.xcconfig",
        seeds: {
            let settings = """
                #include? "A.xcconfig" // itself
                CODE_SIGN_ENTITLEMENTS[sdk=iphone*] = $(SRCROOT)/${KIND}.entitlements
                KIND = $(TARGET_NAME)$(KIND)
                INFOPLIST_KEY_UIBackgroundModes = remote-notification
                """
            return [Array(settings.utf8)]
        },
        besides: [
            "A/A.xcodeproj/project.pbxproj": """
            { objects = { F = { isa = PBXFileReference; path = A.xcconfig; }; C = { isa = XCBuildConfiguration;
            baseConfigurationReference = F; buildSettings = { PRODUCT_BUNDLE_IDENTIFIER = "$(KIND)"; }; }; }; }
            """
        ])

    private static let apps =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path + "/Apps/"

    /// What `check-app` says where one file of an app has any bytes.
    private static func app(
        _ name: String, file: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
        besides others: [String: String] = [:]
    ) -> FuzzTarget {
        FuzzTarget(
            name: name, longestInput: 1 << 15, shortRun: 150, seeds: seeds,
            entry: {
                let folder = try TemporaryFolder()
                let place = "\(folder.path)/\(file)"
                for (name, text) in others.merging([file: ""], uniquingKeysWith: { text, _ in text }) {
                    let path = "\(folder.path)/\(name)"
                    try FileManager.default.createDirectory(
                        atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
                    try FileBytes.write(Array(text.utf8), to: path)
                }
                return { bytes in
                    try FileBytes.write(bytes, to: place)
                    let check: AppCheck
                    do throws(StoreError) {
                        check = try AppCheck(["\(folder.path)/\(file.prefix { $0 != "/" })"], store: nil)
                    } catch {
                        guard error.kind == .damaged else { throw error }
                        return
                    }
                    let wrong = Set(check.findings.map(\.requirement))
                    guard wrong.isDisjoint(with: check.right), check.findings.count == Set(check.findings).count else {
                        throw BrokenLaw("something is both right and wrong, or said twice")
                    }
                    _ = check.text(pretty: false)
                }
            })
    }
}
