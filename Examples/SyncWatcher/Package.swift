// swift-tools-version: 6.1
import PackageDescription

// A package of its own, as an app's is: it sees only what `CoreDataStore` makes public. An app names the repository by its
// address instead of a path.
let package = Package(
    name: "SyncWatcher",
    platforms: [.macOS(.v13)],
    dependencies: [.package(name: "meterfix", path: "../..")],
    targets: [
        .executableTarget(
            name: "SyncWatcher", dependencies: [.product(name: "CoreDataStore", package: "meterfix")])
    ]
)
