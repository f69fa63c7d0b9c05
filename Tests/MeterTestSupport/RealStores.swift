internal import Foundation

/// Stores written by Apple's Core Data. They are not part of the package: `METERFIX_REAL_STORES` says where they are,
/// or they lie in `shared/real-stores` beside the package. Tests work on copies.
package enum RealStores {
    /// The path of the folder, nil where there is none.
    package static let folder: String? = {
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let beside = package.deletingLastPathComponent().appendingPathComponent("shared/real-stores").path
        let path = ProcessInfo.processInfo.environment["METERFIX_REAL_STORES"] ?? beside
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue ? path : nil
    }()

    package static var isAvailable: Bool { folder != nil }
}
