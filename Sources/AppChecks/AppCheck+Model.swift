internal import CoreDataStore
internal import MeterStore
internal import Texts

extension AppCheck {
    mutating func check(_ model: AppModel) {
        check(.modelCurrentMissing, isMet: !model.lacksCurrent, model.named)
        guard let current = model.current else { return }
        let hasEntity = current.model[entity: SettingsTable.entityName] != nil
        check(.modelEntityMissing, isMet: hasEntity, SettingsTable.entityName)
        for rule in CloudKitRule.allCases { check(rule.requirement, isMet: true) }
        for breach in current.model.breaches(current.details) {
            find(breach.rule.requirement, "\(breach.entity).\(breach.properties.joined(separator: "+"))")
        }
        for transformer in current.ownTransformers { find(.modelTransformerUnknown, transformer) }
    }

    /// The version hashes in a store's metadata; nil where there are none.
    /// - Throws: `StoreError`, `damaged` for what is no store of Core Data.
    static func hashes(_ path: String) throws(StoreError) -> [String: [UInt8]]? {
        do {
            return try StoreConnection.look(at: path) { _, database in
                let description = try StoreDescription(database)
                guard description.isCoreData else { throw StoreError.notCoreData(path) }
                return description.metadata.versionHashes
            }
        } catch {
            guard error.kind == .unsuitable else { throw error }
            throw StoreError(.damaged, at: error.path, error.message, hint: error.hint)
        }
    }

    mutating func check(_ hashes: [String: [UInt8]]?, _ models: [AppModel]) {
        let versions = models.flatMap { $0.versions.sorted(byBytesOf: \.key) }
        guard !versions.isEmpty else { return }
        let fitting = versions.filter { version in hashes.map(version.value.fits) ?? false }
        check(.storeModelUnknown, isMet: !fitting.isEmpty)
        let current = models.compactMap(\.current)
        guard let first = fitting.first, !current.isEmpty, !current.contains(where: { hashes.map($0.fits) ?? false })
        else { return }
        find(.storeOlderModel, first.key)
    }
}
