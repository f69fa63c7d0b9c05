internal import Foundation

/// What iCloud Drive leaves of a file that is in the cloud and not on the Mac: `.NAME.icloud`, a property list of some
/// hundred bytes. Whoever copies the folder copies these.
package enum CloudPlaceholder {
    /// The name of the placeholder beside the place where a file should be; nil where there is none.
    package static func name(ofMissing path: String) -> String? {
        let name = "." + (path.split(separator: "/").last.map(String.init) ?? "") + suffix
        let status = try? FileStatus(path: FileReplacement.folder(of: path) + "/" + name)
        return status?.isRegular == true ? name : nil
    }

    /// The name of the file that a placeholder stands for; nil for any other file. Nothing is opened.
    package static func original(of path: String) -> String? {
        guard let name = path.split(separator: "/").last, name.hasPrefix("."), name.hasSuffix(suffix),
            name.utf8.count > suffix.utf8.count + 1
        else { return nil }
        return String(name.dropFirst().dropLast(suffix.count))
    }

    private static let suffix = ".icloud"

    /// What to do, without a full stop.
    package static let advice =
        "iCloud Drive has the file: on the Mac, choose Download Now for its folder in the Finder, and send the folder again "
        + "when nothing in it shows a cloud any more"

    /// The error for a file that is not there; nil where there is no placeholder for it either.
    package static func error(ofMissing path: String, ofKind kind: StoreError.Kind) -> StoreError? {
        guard let file = name(ofMissing: path).flatMap(original) else { return nil }
        return error(at: path, ofKind: kind, standingFor: file)
    }

    static func error(at path: String, ofKind kind: StoreError.Kind, standingFor name: String) -> StoreError {
        StoreError(
            kind, at: path, "not downloaded from iCloud Drive: there is only a placeholder for \(name)", hint: advice)
    }
}
