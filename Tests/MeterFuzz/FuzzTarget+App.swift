internal import AppChecks
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

    /// What xcodebuild prints of build settings, beside entitlements that it names.
    static let appSettings = app(
        "app-settings", file: "A/settings.json",
        seeds: {
            let printed = try FileBytes.read(apps + "31-settings-resolve-the-container/settings.json")
            return [
                printed, Array("Command line invocation:\n[x]\n".utf8) + printed,
                try FileBytes.read(apps + "22-settings-release-without-entitlements/release.json"),
            ]
        },
        besides: [
            "A/App.entitlements": """
            <plist><dict><key>com.apple.developer.icloud-container-identifiers</key>
            <string>iCloud.$(APP_PREFIX:rfc1034identifier).${$(A)}</string></dict></plist>
            """
        ])

    /// What codesign prints of entitlements.
    static let appPrinted = app(
        "app-printed", file: "A.entitlements",
        seeds: {
            let text = """
                Executable=/Applications/A.app/A
                [Dict]
                \t[Key] aps-environment
                \t[Value]
                \t\t[String] production
                \t[Key] com.apple.developer.icloud-services
                \t[Value]
                \t\t[Array]
                \t\t\t[String] CloudKit
                \t[Key] get-task-allow
                \t[Value]
                \t\t[Bool] false
                """
            let list = try FileBytes.read(apps + "02-entitlements-no-icloud/USB Meter.entitlements")
            return [Array(text.utf8), [0xFA, 0xDE, 0x71, 0x71, 0, 0, 0, 9] + list]
        })

    /// A provisioning profile.
    static let appProfile = app(
        "app-profile", file: "A.app/embedded.mobileprovision",
        seeds: {
            let list = "<?xml version=\"1.0\"?><plist><dict><key>Entitlements</key><dict/></dict></plist>"
            return [0, 9].map { AppFixture.profile(Array(list.utf8), pieces: $0) }
        })

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
