/// `VersionInfo.plist` of a `.momd`: keys as in those that Xcode 15 made.
struct VersionInformation {
    /// `NSManagedObjectModel_CurrentVersionName`.
    let current: String
    /// `NSManagedObjectModel_VersionHashes`: by version, then by entity, 32 bytes each.
    let hashes: [String: [String: [UInt8]]]

    /// Nil where the folder has none.
    init?(in folder: String) throws(StoreError) {
        let path = folder + "/VersionInfo.plist"
        guard try ModelBytes.isFile(path) else { return nil }
        let list: [String: PropertyList]?
        do {
            list = try PropertyList(binary: ModelBytes.read(path)).dictionary
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.damaged, at: path, "\(error)", hint: "name the .mom of the version")
        }
        guard let current = list?["NSManagedObjectModel_CurrentVersionName"]?.string, ModelPlace.isPlainName(current)
        else {
            throw StoreError(
                .damaged, at: path, "does not say which version is current", hint: "name the .mom of the version")
        }
        self.current = current
        hashes = (list?["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:]).mapValues { version in
            (version.dictionary ?? [:]).compactMapValues(\.data)
        }
    }

    /// That of the folder of a compiled model; nil if the model is not in one.
    init?(beside file: String) throws(StoreError) {
        let folder = file.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        do {
            try self.init(in: file.hasPrefix("/") || file.contains("/") ? folder : ".")
        } catch {
            // It would only add hashes to a model that is there.
            if error.kind == .damaged { return nil }
            throw error
        }
    }
}
