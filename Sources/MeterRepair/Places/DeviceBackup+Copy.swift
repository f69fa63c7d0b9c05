package import CoreDataStore
internal import Foundation
package import MeterInspect

extension DeviceBackup {
    /// Bytes of the largest file that is copied: no store of the app comes near it, and a file with holes may say any size.
    private static let mostBytes = 4 << 30

    /// Copies the app's stores, with what belongs to them, into a new or empty folder, under their names on the device. Of
    /// several stores each gets a folder of its own in there: `1`, `2` … A store in WAL mode that had no `-wal` gets an
    /// empty one, as a clean close leaves it: so nobody asks for a log that never was.
    /// A file gets its name when all are whole, and a main file after those beside it: a run that is killed leaves nothing
    /// that could be taken for a store.
    /// - Returns: the copies of each store.
    /// - Throws: `StoreError`; then nothing of it is there.
    package func copy(to folder: String) throws(StoreError) -> [[Copy]] {
        if let large = stores.flatMap(\.files).first(where: { $0.size > Self.mostBytes }) {
            throw StoreError(.damaged, at: large.path, "\(large.size) bytes, more than any store of the app has")
        }
        let folder = OutputPlaces.withoutSlashes(folder)
        let isNew = try make(folder)
        var made = isNew ? [folder] : []
        do throws(StoreError) {
            let whole = try PrivateFolder.beside("\(folder)/\(StorePlaces.storeName)")
            for (index, store) in stores.enumerated() { try stage(store, in: "\(whole.path)/\(index + 1)") }
            var copies: [[Copy]] = []
            for (index, store) in stores.enumerated() {
                var place = folder
                if stores.count > 1 {
                    place = "\(folder)/\(index + 1)"
                    try Self.makeFolder(place)
                    made.append(place)
                }
                let log = StorePlaces.storeName + "-wal"
                let staged = "\(whole.path)/\(index + 1)"
                let hasMadeLog = store.log != .there && (try? FileStatus(path: "\(staged)/\(log)")) != nil
                for name in (hasMadeLog ? [log] : []) + store.files.map(\.name).reversed() {
                    made.append("\(place)/\(name)")
                    try FileReplacement.move("\(staged)/\(name)", to: "\(place)/\(name)")
                }
                copies.append(store.files.map { Copy(file: $0, path: "\(place)/\($0.name)") })
            }
            return copies
        } catch {
            for path in made.reversed() { remove(path) }
            throw error.kind == .interrupted ? Interruption.error(at: path) : error
        }
    }

    /// Copies a store's files into a new folder.
    private func stage(_ store: Store, in folder: String) throws(StoreError) {
        try Self.makeFolder(folder)
        for file in store.files {
            _ = try FileOutput.digestedCopy(file.path, to: "\(folder)/\(file.name)", isInterruptible: true)
        }
        let main = "\(folder)/\(StorePlaces.storeName)"
        if store.log == .notListed, (try? StoreFiles(path: main))?.header.isWAL == true {
            try FileOutput.create(main + "-wal") { _ throws(StoreError) in }
        }
    }

    /// - Returns: whether it was not there before.
    /// - Throws: `StoreError`, `cannotCreate` for a folder that is not empty or lies in the backup.
    private func make(_ folder: String) throws(StoreError) -> Bool {
        func refusal(_ message: String) -> StoreError {
            StoreError(
                .cannotCreate, at: folder, message,
                hint: "name a new folder, or an empty one, with --copy-to")
        }
        guard !folder.isEmpty, !folder.utf8.contains(0) else { throw refusal("an empty path") }
        let status: FileStatus?
        do { status = try FileStatus(path: folder) } catch { throw error.storeError(at: folder) }
        let outer = status == nil ? FileReplacement.folder(of: folder) : folder
        guard let place = FileReplacement.realPath(outer) else { throw refusal("there is no folder to make it in") }
        if let backup = FileReplacement.realPath(path), (place + "/").hasPrefix(backup + "/") {
            throw refusal("this folder is in the backup, which is never changed")
        }
        if let status {
            guard status.isDirectory else { throw refusal("a file, not a folder") }
            // Of a run that was killed.
            PrivateFolder.removeLeftovers(at: .beside("\(folder)/\(StorePlaces.storeName)"))
            guard (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty == true else {
                throw refusal("this folder is not empty")
            }
            return false
        }
        try Self.makeFolder(folder)
        return true
    }

    private static func makeFolder(_ path: String) throws(StoreError) {
        guard mkdir(path, 0o700) == 0 else { throw FileError(code: errno).storeError(at: path) }
    }
}
