package import CoreDataStore
internal import Digests
internal import Foundation
internal import GRDB
internal import MeterModel
internal import MeterStore

/// A backup of an iPhone or iPad, as the Finder makes it: a folder in which every file is named by the SHA-1 of its domain
/// and path, and `Manifest.db` says which file is which (https://www.theiphonewiki.com/wiki/ITunes_Backup). As documented:
/// no backup of a device was tried.
///
/// `Manifest.db` is a foreign file. It only says in which domains and where in them the app has a store: from that the
/// names of the files follow, and what it says of them has to agree.
package struct DeviceBackup: Hashable, Sendable {
    package struct File: Hashable, Sendable {
        /// What it was called there.
        package let name: String
        /// Where it was in its domain.
        package let pathOnDevice: String
        /// Where it is in the backup.
        package let path: String
        /// Bytes.
        package let size: Int
    }

    package struct Copy: Hashable, Sendable {
        package let file: File
        package let path: String

        package init(file: File, path: String) {
            self.file = file
            self.path = path
        }
    }

    package struct Store: Hashable, Sendable {
        /// Of an app or of a group of apps: `AppDomain-ro.xdev.USB-Meter`.
        package let domain: String
        /// The main file first, then its log and the preferences, as far as they are there.
        package let files: [File]
        package let log: Log
    }

    /// What the backup says of a store's `-wal`. (The list that the device wrote has every file that the app had.)
    package enum Log: Sendable {
        case there
        /// There was none: the store is complete without it.
        case notListed
        /// It is not in the list, and another program took rows out of that list: there may have been one.
        case unknown
        /// It is listed, and not in the backup.
        case missing
        /// The file in the backup has fewer bytes than the list says, and is left there.
        case cut

        /// Whether the newest changes are missing, or probably are.
        package var isMissing: Bool {
            switch self {
            case .there, .notListed: false
            case .unknown, .missing, .cut: true
            }
        }
    }

    package let path: String
    package private(set) var stores: [Store] = []
    /// What `Manifest.db` says that cannot be so, as sentences. Nothing is taken from there.
    package private(set) var problems: [String] = []

    static let manifestName = "Manifest.db"

    /// Rows of `Manifest.db` that are read, and characters of a domain or a path.
    private static let (mostRows, longestText) = (100, 1_000)
    /// Bytes of what the list says of a file.
    private static let longestEntry = 1 << 16

    /// `Size` of the archived object that the list has for each file.
    private static func size(inEntry archive: [UInt8]) -> Int? {
        (try? PropertyList(binary: archive))?.archivedValues?["Size"]?.integer.flatMap(Int.init(exactly:))
    }

    /// The command that copies the app's store out of the backup at `path`.
    package static func copyCommand(_ path: String) -> String {
        "meterfix where --copy-to NEWFOLDER \(ShellWord.quoted(path))"
    }

    /// Reads the backup at `path`, and leaves no trace.
    /// - Throws: `StoreError`, `unsuitable` for an encrypted backup, `damaged` where it cannot be read.
    package init(at path: String) throws(StoreError) {
        self.path = path
        guard try !Self.isEncrypted(path) else {
            throw StoreError(
                .unsuitable, at: path, "an encrypted backup: its files can only be read on the customer's Mac",
                hint:
                    "ask the customer to turn off \"Encrypt local backup\" in the Finder, back up again and send that, "
                    + "or to send the app's store")
        }
        let manifest = "\(path)/\(Self.manifestName)"
        guard !FileStatus.isLink(manifest) else {
            throw StoreError(.damaged, at: manifest, "a symbolic link, which is not followed")
        }
        let again = "ask for the backup's folder again, made without encryption"
        let rows: (stores: [Row], logs: [Row])?
        do throws(StoreError) {
            rows = try StoreConnection.look(at: manifest) { _, database in try Self.rows(database) }
        } catch {
            // The hint is about a store.
            throw StoreError(error.kind, at: manifest, error.message, hint: again)
        }
        guard let rows else {
            throw StoreError(
                .damaged, at: manifest, "not the list of a backup: there is no table Files with its columns",
                hint: again)
        }
        try take(rows.stores, logs: rows.logs)
    }

    /// `IsEncrypted` in `Manifest.plist`. The manifest of an encrypted backup is encrypted itself: where it is a database, a
    /// tool such as mvt has decrypted the files and left that list as it was.
    private static func isEncrypted(_ path: String) throws(StoreError) -> Bool {
        let plist = path + "/Manifest.plist"
        let list = try? FileInput(regular: "\(path)/\(manifestName)").bytes(at: 0, count: 16)
        guard list.flatMap({ DumpSyntax(of: $0) }) != .database else { return false }
        guard !FileStatus.isLink(plist), (try? FileStatus(path: plist)) != nil else { return false }
        switch try PropertyListFile.dictionary(plist, isFound: true)["IsEncrypted"] {
        case .bool(let value): return value
        case .integer(let value): return value != 0
        case .unsigned: return true
        case .null, .real, .string, .date, .data, .uid, .array, .dictionary, nil: return false
        }
    }

    private struct Row {
        let fileID: String
        let domain: String
        let path: String
        /// Folders in the list that lead to it, the top of its domain included.
        let folders: Int64
        /// Bytes; nil where the list does not say it.
        let size: Int?

        /// Whether the list has all of them. A device lists each folder of a domain, besides the files; a program that
        /// filters a backup and shortens the list to what it kept has no use for them.
        var hasFolders: Bool { folders == path.split(separator: "/").count }
    }

    /// Where stores of the app's name are listed, and their logs; nil without such a table.
    private static func rows(_ database: Database) throws -> (stores: [Row], logs: [Row])? {
        let schema = try StoreSchema(database)
        guard let table = schema.tables["Files"],
            ["fileID", "domain", "relativePath", "flags"].allSatisfy({ table.has(SQLName($0)) })
        else { return nil }
        let file = table.has("file") ? "CASE WHEN length(file) <= \(longestEntry) THEN file END" : "NULL"
        func rows(named name: String) throws -> [Row] {
            var rows: [Row] = []
            try database.forEachRow(
                """
                SELECT fileID, domain, relativePath,
                    (SELECT COUNT(DISTINCT relativePath) FROM Files AS folder
                    WHERE flags = 2 AND domain = Files.domain AND length(CAST(relativePath AS BLOB)) <= ?2
                        AND (relativePath = ''
                            OR substr(Files.relativePath, 1, length(relativePath) + 1) = relativePath || '/')),
                    \(file)
                FROM Files
                WHERE flags = 1 AND (relativePath = ?1 OR relativePath LIKE '%/' || ?1)
                    AND length(CAST(relativePath AS BLOB)) <= ?2 AND length(CAST(domain AS BLOB)) <= ?2
                    AND length(CAST(fileID AS BLOB)) <= ?2
                ORDER BY domain, relativePath LIMIT ?3
                """,
                [.text(Array(name.utf8)), .integer(Int64(longestText)), .integer(Int64(mostRows))]
            ) { row in
                func text(_ column: Int) -> String { String(decoding: row.bytes(column), as: UTF8.self) }
                rows.append(
                    Row(
                        fileID: text(0), domain: text(1), path: text(2), folders: row.integer(3),
                        size: size(inEntry: Array(row.bytes(4)))))
            }
            return rows
        }
        return (try rows(named: StorePlaces.storeName), try rows(named: StorePlaces.storeName + "-wal"))
    }

    /// Why no store can be copied out of it, as a clause; nil where one can.
    package var reasonWithoutStore: String? {
        guard stores.isEmpty else { return nil }
        return problems.isEmpty
            ? "its Manifest.db lists no CKModel.sqlite"
            : "what it lists of the app cannot be taken from it: ask for the backup's folder again, packed as a whole"
    }

    /// - Throws: `StoreError` where the system keeps a file closed, which is then no reason to ask for it again.
    private mutating func take(_ rows: [Row], logs: [Row]) throws(StoreError) {
        // Another app may call its store so too.
        let own = rows.filter { $0.domain.contains(USBMeterModel.bundle) }
        for row in own.isEmpty ? rows : own {
            guard Self.isPlain(row.path), Self.isPlain(row.domain), !row.domain.contains("/") else {
                problems.append(
                    "\(Self.manifestName) has a path that leads out of its domain: \(row.domain), \(row.path)")
                continue
            }
            guard row.fileID == Self.fileID(row.domain, row.path) else {
                problems.append(
                    "\(Self.manifestName) names another file for \(row.path) than its path does: \(row.fileID)")
                continue
            }
            guard let main = try file(row.path, of: row.domain) else {
                problems.append(
                    "\(row.path) of \(row.domain) is listed, but \(row.fileID), the file with its contents, is not in the "
                        + "backup")
                continue
            }
            // Whoever decrypts files may leave some bytes behind the end; what is missing is missing.
            guard main.size >= row.size ?? 0 else {
                problems.append(
                    "\(row.path) of \(row.domain) has \(main.size) of the \(row.size ?? 0) bytes that are listed: it was cut "
                        + "off on its way")
                continue
            }
            // Two domains and paths that are one text together name one file.
            guard !stores.contains(where: { $0.files[0].path == main.path }) else { continue }
            var others: [File] = []
            for suffix in ["-wal", "-shm", "-journal"] {
                if let file = try file(row.path + suffix, of: row.domain) { others.append(file) }
            }
            let listed = logs.first { $0.domain == row.domain && $0.path == row.path + "-wal" }
            let found = others.first { $0.pathOnDevice == row.path + "-wal" }
            let isCut = found.map { $0.size < listed?.size ?? 0 } ?? false
            if isCut { others.removeAll { $0 == found } }
            let files = try [main] + others + [preferences(besides: row.domain)].compactMap(\.self)
            // Without journal mode WAL there is no log that could be missing.
            let isWhole = row.hasFolders || (try? StoreFiles(path: main.path))?.header.isWAL == false
            var log = isWhole ? Log.notListed : .unknown
            if listed != nil { log = .missing }
            if found != nil { log = isCut ? .cut : .there }
            stores.append(Store(domain: row.domain, files: files, log: log))
        }
    }

    private func preferences(besides domain: String) throws(StoreError) -> File? {
        let bundle = domain.split(separator: "-", maxSplits: 1).last.map(String.init) ?? ""
        for (domain, bundle) in [(domain, bundle), ("AppDomain-\(USBMeterModel.bundle)", USBMeterModel.bundle)] {
            if let file = try file("Library/Preferences/\(bundle).plist", of: domain) { return file }
        }
        return nil
    }

    private static func isPlain(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
            && path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }

    /// The name of a file in the backup, without the folder that its first two digits name.
    package static func fileID(_ domain: String, _ path: String) -> String {
        Hexadecimal.text(of: sha1(Array("\(domain)-\(path)".utf8)))
    }

    /// Nil where the backup has no such file, or a link in its place.
    /// - Throws: `StoreError` where it cannot be told.
    private func file(_ pathOnDevice: String, of domain: String) throws(StoreError) -> File? {
        let id = Self.fileID(domain, pathOnDevice)
        // A program that packs files may have left out the folders: the name tells the file.
        for folder in ["\(path)/\(id.prefix(2))", path] {
            let file = "\(folder)/\(id)"
            guard folder == path || !FileStatus.isLink(folder), !FileStatus.isLink(file) else { continue }
            guard let status = try FileStatus.named(file), status.isRegular else { continue }
            return File(
                name: String(pathOnDevice.split(separator: "/").last ?? ""), pathOnDevice: pathOnDevice, path: file,
                size: status.size)
        }
        return nil
    }
}
