internal import Foundation
internal import Texts

/// Which of the files at a path contains the model, and its version.
package struct ModelPlace {
    let file: String
    let version: String?

    static let hint = "name an .xcdatamodeld, .xcdatamodel, .momd or .mom"

    /// - Throws: `notFound`, or `damaged` for a folder without a model, or with several if it does not say which is
    ///   current.
    init(_ path: String) throws(StoreError) {
        guard let status = try FileStatus.named(path), !path.isEmpty else {
            throw StoreError(.notFound, at: path, "no such file", hint: "check the path of the model")
        }
        let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        // Or the file in one.
        if path.split(separator: "/").suffix(2).contains(where: { Self.isMappingModel(String($0)) }) {
            throw StoreError(.unsuitable, at: path, "a mapping model, which meterfix does not read", hint: Self.hint)
        }
        guard status.isDirectory else {
            file = path
            version = Self.version(of: path)
            return
        }
        if try ModelFile.isFile(folder + "/contents") {
            file = folder + "/contents"
        } else if try ModelFile.isFile(folder + "/.xccurrentversion") {
            let current = try Self.currentSource(in: folder)
            file = folder + "/" + current + "/contents"
        } else if let information = try VersionInformation(in: folder) {
            file = folder + "/" + information.current + ".mom"
        } else if try ModelFile.isFile(folder + "/elements") {
            throw Self.ofXcode3(folder)
        } else {
            file = try Self.only(in: folder)
        }
        guard try ModelFile.isFile(file) else {
            let source = file.hasSuffix("/contents") ? String(file.dropLast("/contents".count)) : file
            if try ModelFile.isFile(source + "/elements") { throw Self.ofXcode3(source) }
            throw StoreError(
                .damaged, at: folder, "the current version \(Self.version(of: file) ?? file) is not there",
                hint: "copy the whole folder, or name the version's own file")
        }
        version = Self.version(of: file)
    }

    /// Whether a file or a folder of this name says how Core Data migrates from one model to another: as Xcode makes and
    /// compiles it.
    package static func isMappingModel(_ name: String) -> Bool {
        [".xcmappingmodel", ".cdm"].contains(where: name.lowercased().hasSuffix)
    }

    /// What Foundation's archives began with before they were keyed.
    static let typedStream = [4, 11] + Array("streamtyped".utf8)

    /// Xcode 3 kept a source in `elements` and `layout`, and compiled it into an archive that is not keyed.
    static func ofXcode3(_ path: String) -> StoreError {
        StoreError(
            .unsuitable, at: path, "a model of Xcode 3, which meterfix does not read",
            hint: "open the project in Xcode 4 or newer, which writes it again; then name its .xcdatamodeld")
    }

    /// The name of the version that this file belongs to: `A` of `…/A.mom` and of `…/A.xcdatamodel/contents`.
    private static func version(of file: String) -> String? {
        var url = URL(fileURLWithPath: file).standardizedFileURL
        if url.lastPathComponent == "contents" {
            url.deleteLastPathComponent()
            guard url.pathExtension == "xcdatamodel" else { return nil }
        }
        return url.deletingPathExtension().lastPathComponent
    }

    private static func currentSource(in folder: String) throws(StoreError) -> String {
        let path = folder + "/.xccurrentversion"
        let root = try ModelFile.xml(ModelFile.bytes(of: path), at: path)
        guard let name = root.propertyListString("_XCCurrentVersionName"), isPlainName(name) else {
            throw StoreError(.damaged, at: path, "does not say which version is current", hint: "name the .xcdatamodel")
        }
        return name
    }

    /// Whether a name from a file refers to something in the same folder.
    static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    /// The one version of a folder that does not say which is current.
    private static func only(in folder: String) throws(StoreError) -> String {
        guard access(folder, R_OK) == 0 else { throw FileError(code: errno).storeError(at: folder) }
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let sources = names.filter { $0.hasSuffix(".xcdatamodel") }
        let compiled = names.filter { $0.hasSuffix(".mom") }
        switch (sources.count, compiled.count) {
        case (0, 0): throw StoreError(.damaged, at: folder, "a folder, but not that of a model", hint: hint)
        case (1, _): return folder + "/" + sources[0] + "/contents"
        case (0, 1): return folder + "/" + compiled[0]
        default:
            throw StoreError(
                .damaged, at: folder, "\(max(sources.count, compiled.count)) versions and no word on which is current",
                hint: "name one of them: \((sources.isEmpty ? compiled : sources).joined(separator: ", "))")
        }
    }
}

extension XMLTree {
    /// The text of a key in the dictionary of an XML property list; Xcode writes `.xccurrentversion` so.
    fileprivate func propertyListString(_ key: String) -> String? {
        guard name == "plist", let entries = elements.first?.elements else { return nil }
        for (name, value) in zip(entries, entries.dropFirst())
        where name.name == "key" && name.text == key && value.name == "string" {
            return value.text
        }
        return nil
    }
}
