package import CoreDataStore
internal import Foundation
package import JSON
internal import MeterInspect
package import MeterModel

/// `where`: the places in which a store of the app lies on a Mac.
package struct StorePlaces: Sendable {
    package struct Place: Hashable, Sendable {
        package let path: String
        /// Nil where the store could not be read.
        package let records: Int?
        /// Whether the newest changes are missing from it, or probably are.
        package let isIncomplete: Bool
        /// Why it could not be read: lower case, no full stop.
        package let problem: String?
        /// Entries in the folder with its backups.
        package let backups: Int
    }

    /// In the order of their paths.
    package let places: [Place]
    /// Folders that may have a store in them and that the system keeps closed, as paths.
    package let closed: [String]

    private static let storeName = "CKModel.sqlite"

    /// The user's own home folder, where this is a Mac; nil elsewhere, for the app runs nowhere else that meterfix does.
    package static var ownHome: String? {
        #if os(macOS)
            FileManager.default.homeDirectoryForCurrentUser.path
        #else
            nil
        #endif
    }

    /// The one store of the app in the user's own home folder; nil where there is none, or several.
    package static func only(now: Timestamp) -> String? {
        guard let home = ownHome, let found = try? found(inHome: home, now: now), found.places.count == 1 else {
            return nil
        }
        return found.places[0].path
    }

    /// Looks for stores and leaves no trace.
    ///
    /// Core Data puts a store into `Library/Application Support` of the app's container, an app without one into a folder
    /// of its name in the user's. An iPad app on a Mac has a container named by a UUID. Described, not confirmed on a Mac.
    /// - Parameter home: a home folder: the user's own, or one from a backup.
    /// - Throws: `StoreError` where `home` is no folder, or when interrupted.
    package static func found(inHome home: String, now: Timestamp) throws(StoreError) -> StorePlaces {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: home, isDirectory: &isFolder) else {
            throw StoreError(.notFound, at: home, "no such folder")
        }
        guard isFolder.boolValue else {
            throw StoreError(.notFound, at: home, "not a folder", hint: "name a home folder")
        }
        var closed: [String] = []
        func folders(in folder: String) -> [String] {
            do {
                return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
            } catch CocoaError.fileReadNoPermission {
                closed.append(folder)
            } catch {
                // Not there, or no folder: nothing lies in it.
            }
            return []
        }
        let library = home + "/Library"
        let support = "Library/Application Support"
        let outer =
            ["\(library)/Application Support"]
            + folders(in: "\(library)/Containers").map { "\($0)/Data/\(support)" }
            + folders(in: "\(library)/Group Containers").flatMap { [$0, "\($0)/\(support)"] }
        var places: [Place] = []
        for folder in outer.flatMap({ [$0] + folders(in: $0) }) {
            try Interruption.check(home)
            let path = "\(folder)/\(storeName)"
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue,
                let place = place(path, now: now)
            else { continue }
            places.append(place)
        }
        return StorePlaces(places: places, closed: closed.sorted())
    }

    /// Nil for a store of another app that has this name.
    private static func place(_ path: String, now: Timestamp) -> Place? {
        let backups = (try? BackupFolder(for: path, named: nil).entryCount) ?? 0
        do throws(StoreError) {
            let status = try Status.report(path, now: now)
            guard let records = status.records else { return nil }
            return Place(
                path: path, records: records.total, isIncomplete: status.alerts.missingLog != nil, problem: nil,
                backups: backups)
        } catch {
            return Place(path: path, records: nil, isIncomplete: false, problem: error.message, backups: backups)
        }
    }
}

extension StorePlaces {
    /// One document, keys in their fixed order.
    package var json: JSONValue {
        .object(
            JSONDocument.head(command: "where", store: nil) + [
                .init(
                    "stores",
                    .array(
                        places.map { place in
                            [
                                "path": .string(place.path),
                                "records": place.records.map { JSONValue($0) } ?? .null,
                                "walMissing": .bool(place.isIncomplete),
                                "problem": JSONValue(place.problem), "backups": JSONValue(place.backups),
                            ]
                        })),
                .init("closed", .array(closed.map { .string($0) })),
            ])
    }
}
