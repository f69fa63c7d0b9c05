// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "StoreReader",
    platforms: [.macOS(.v13)],
    dependencies: [
        // In a package of your own: .package(url: "…", from: "…").
        .package(name: "meterfix", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "StoreReader", dependencies: [.product(name: "CoreDataStore", package: "meterfix")])
    ],
    swiftLanguageModes: [.v6]
)
