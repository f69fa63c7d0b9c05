internal import Foundation

/// Everything in a folder: names, bytes, and when each file was changed last.
package struct FolderSnapshot: Equatable, Sendable {
    private struct Entry: Equatable {
        let bytes: Data?
        let modified: Date?
        let permissions: Int?
    }

    private let entries: [String: Entry]

    package init(_ folder: String) throws {
        let manager = FileManager.default
        var entries: [String: Entry] = [:]
        for name in [""] + (try manager.subpathsOfDirectory(atPath: folder)) {
            let path = name.isEmpty ? folder : folder + "/" + name
            let attributes = try manager.attributesOfItem(atPath: path)
            let isFile = attributes[.type] as? FileAttributeType == .typeRegular
            entries[name] = Entry(
                bytes: isFile ? try Data(contentsOf: URL(fileURLWithPath: path)) : nil,
                modified: attributes[.modificationDate] as? Date,
                permissions: attributes[.posixPermissions] as? Int)
        }
        self.entries = entries
    }

    /// The names, sorted.
    package var names: [String] { entries.keys.filter { !$0.isEmpty }.sorted() }

    /// What tells the folder from `other`, a line each; empty where they are the same.
    package func differences(from other: FolderSnapshot) -> [String] {
        Set(entries.keys).union(other.entries.keys).sorted().compactMap { name in
            switch (entries[name], other.entries[name]) {
            case (nil, _): "\(name) is missing"
            case (_, nil): "\(name) is new"
            case (let left?, let right?) where left.bytes != right.bytes: "\(name) has other bytes"
            case (let left?, let right?) where left != right: "\(name) was touched"
            default: nil
            }
        }
    }

    /// Whether every file has the same bytes, whenever it was written.
    package func hasSameBytes(as other: FolderSnapshot) -> Bool {
        entries.mapValues(\.bytes) == other.entries.mapValues(\.bytes)
    }
}
