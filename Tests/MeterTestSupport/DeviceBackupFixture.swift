import CoreDataStore
import Foundation
import GRDB

/// A device's backup, in the layout that is documented: the files in folders of two digits, each named by the SHA-1 of its
/// domain and path, and `Manifest.db`.
package struct DeviceBackupFixture {
    /// A row of `Manifest.db`.
    package struct Row {
        package var fileID: String
        package var domain: String
        package var path: String
        package var flags = 1
        /// Bytes, as the list says them.
        package var size = 0

        package init(_ fileID: String, _ domain: String, _ path: String, flags: Int = 1, size: Int = 0) {
            (self.fileID, self.domain, self.path, self.flags, self.size) = (fileID, domain, path, flags, size)
        }

        /// What the list has of each file, of which a reader needs no more.
        fileprivate var entry: Data {
            let archive = PropertyList.dictionary([
                "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000),
                "$top": .dictionary(["root": .uid(1)]),
                "$objects": .array([
                    .string("$null"), .dictionary(["Size": .integer(Int64(size)), "$class": .uid(2)]),
                    .dictionary(["$classname": .string("MBFile")]),
                ]),
            ])
            return Data(archive.binaryPropertyList())
        }
    }

    package static let domain = "AppDomain-ro.xdev.USB-Meter"
    package static let storePath = "Library/Application Support/CKModel.sqlite"

    package let path: String
    private let fileID: (String, String) -> String
    private var rows: [Row] = []
    /// Rows of folders by their names in the backup.
    private var folders: [String: Row] = [:]
    /// Whether the list has each folder of a domain too, as a device writes it. A program that filters a backup leaves them
    /// out.
    package var listsFolders = true

    /// - Parameters:
    ///   - path: of a folder that is made.
    ///   - fileID: the name of a file by its domain and path.
    package init(at path: String, isEncrypted: Bool = false, fileID: @escaping (String, String) -> String) throws {
        self.path = path
        self.fileID = fileID
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let plist = PropertyList.dictionary(["IsEncrypted": .bool(isEncrypted), "Version": .string("10.0")])
        try FileBytes.write(plist.binaryPropertyList(), to: path + "/Manifest.plist")
    }

    /// Adds a file, and says so in `Manifest.db`.
    package mutating func add(_ bytes: [UInt8], _ domain: String, _ pathOnDevice: String) throws {
        let id = fileID(domain, pathOnDevice)
        try FileManager.default.createDirectory(
            atPath: "\(path)/\(id.prefix(2))", withIntermediateDirectories: true)
        try FileBytes.write(bytes, to: "\(path)/\(id.prefix(2))/\(id)")
        rows.append(Row(id, domain, pathOnDevice, size: bytes.count))
        var folder = pathOnDevice[...]
        while !folder.isEmpty {
            folder = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
            let id = fileID(domain, String(folder))
            folders[id] = Row(id, domain, String(folder), flags: 2)
        }
    }

    /// Adds a store with its log, as the app has it.
    package mutating func add(
        store: String, _ domain: String = Self.domain, _ pathOnDevice: String = Self.storePath
    ) throws {
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store + suffix) {
            try add(FileBytes.read(store + suffix), domain, pathOnDevice + suffix)
        }
    }

    /// Adds what is not so.
    package mutating func add(_ row: Row) { rows.append(row) }

    /// Writes `Manifest.db`.
    package func finish(_ damage: String = "") throws {
        try DatabaseQueue.script(at: path + "/Manifest.db") { database in
            try database.execute(
                sql: """
                    CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);
                    CREATE INDEX FilesDomainIdx ON Files(domain);
                    CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB)
                    """)
            for row in (listsFolders ? Array(folders.values) : []) + rows {
                try database.execute(
                    sql: "INSERT INTO Files VALUES (?, ?, ?, ?, ?)",
                    arguments: [row.fileID, row.domain, row.path, row.flags, row.entry])
            }
            try database.execute(sql: damage)
        }
    }
}
