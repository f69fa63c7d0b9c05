package import CoreDataStore

/// A property list that is a file of its own: binary, XML, or as `defaults read` prints it.
package enum PropertyListFile {
    /// Reads the dictionary in the file at `path`, within the limits of dumps.
    /// - Parameter isFound: whether a search has found it, and no user has named it: then nothing but a regular file is
    ///   opened.
    /// - Throws: `StoreError`, `notFound` where there is none, `damaged` for anything but a property list whose top is a
    ///   dictionary.
    package static func dictionary(
        _ path: String, isFound: Bool = false
    ) throws(StoreError) -> [String: PropertyList] {
        try dictionary(bytes(of: path, isFound), at: path)
    }

    /// The same of bytes that were read already.
    /// - Throws: `StoreError`, `damaged` for anything but a property list whose top is a dictionary.
    package static func dictionary(
        _ bytes: [UInt8], at path: String
    ) throws(StoreError) -> [String: PropertyList] {
        let text = try DumpError.located(at: path) { () throws(DumpError) in
            bytes.starts(with: "bplist".utf8) ? bytes : try DumpText.utf8(of: bytes)
        }
        return try DumpError.located(at: path, in: text) { () throws(DumpError) in
            guard let dictionary = try list(in: text).dictionary else {
                throw DumpError("a property list without a dictionary at its top")
            }
            return dictionary
        }
    }

    private static func list(in text: [UInt8]) throws(DumpError) -> PropertyList {
        switch DumpSyntax(of: text) {
        case .binaryPropertyList: return try PropertyList(binaryDump: text)
        case .xmlPropertyList: return try PropertyList(xml: text)
        case .textPropertyList: return try PropertyList(oldStyle: text)
        case .json, .database, .list, .sheet, .lines, .swift, .printedPropertyList, .debugger, .python, .html, .bars,
            nil:
            let name = text.isEmpty ? " but an empty file" : FileKind(of: text).map { " but \($0.name)" } ?? ""
            throw DumpError(
                "not a property list\(name)",
                hint: "name the app's preferences, a .plist in Library/Preferences of its container")
        }
    }

    private static func bytes(of path: String, _ isFound: Bool) throws(StoreError) -> [UInt8] {
        guard let status = try FileStatus.named(path) else {
            throw StoreError(.notFound, at: path, "no such file", hint: "check the path")
        }
        guard !status.isDirectory else {
            throw StoreError(
                .damaged, at: path, "a directory, not a property list", hint: "name the .plist file in it")
        }
        let input = try isFound ? FileInput(regular: path) : FileInput(path)
        guard let bytes = try input.bytes(limit: DumpLimits.inputBytes, expected: status.size) else {
            throw StoreError(
                .damaged, at: path, "more than \(DumpLimits.inputBytes >> 20) MiB",
                hint: "an app's preferences are much smaller: is this the right file?")
        }
        return bytes
    }
}
