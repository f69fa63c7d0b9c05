internal import Foundation

/// Stores written by Apple's Core Data. They are not part of the package: `METERFIX_REAL_STORES` says where they are,
/// or they lie in `shared/real-stores` beside the package. Tests work on copies.
package enum RealStores {
    /// The path of the folder, nil where there is none.
    package static let folder = sharedFolder(
        "real-stores", or: ProcessInfo.processInfo.environment["METERFIX_REAL_STORES"])

    package static var isAvailable: Bool { folder != nil }
}

/// The folder of this name in `shared` beside the package, or the one of a path; nil where there is none.
func sharedFolder(_ name: String, or path: String? = nil) -> String? {
    let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let path = path ?? package.deletingLastPathComponent().appendingPathComponent("shared/\(name)").path
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue ? path : nil
}
