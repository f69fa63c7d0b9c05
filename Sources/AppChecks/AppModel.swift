internal import CoreDataStore
internal import MeterStore
internal import Texts

/// A model among what was handed over, with all its versions.
struct AppModel: Sendable {
    /// The names of files: `USB_Meter 2.xcdatamodel`, `USB_Meter 2.mom`.
    private(set) var versions: [String: ModelFile] = [:]
    /// Which version is current; nil where that is not known.
    private(set) var current: ModelFile?
    /// Whether the current version is not there, or none is named.
    private(set) var lacksCurrent = false
    /// The current version as the files name it.
    private(set) var named: String?

    private static let limit = 1 << 25

    /// - Parameters:
    ///   - path: of the model: a folder, or a `.mom`.
    ///   - files: by their places in that folder.
    ///   - parts: is told what cannot be read.
    init(at path: String, _ files: [String: AppFile], parts: inout AppParts) throws(StoreError) {
        var texts: [String: AppFile] = [:]
        for (place, file) in files {
            let name = place.isEmpty ? path : place
            if name.hasSuffix(".mom") { texts[name] = file }
            if name == "contents" { texts[path] = file }
            if name.hasSuffix(".xcdatamodel/contents") { texts[String(name.dropLast("/contents".count))] = file }
        }
        var information: VersionInformation?
        var isNameKnown = true
        if let file = files[".xccurrentversion"] {
            let list = try parts.list(file)
            isNameKnown = list != nil
            named = list?["_XCCurrentVersionName"]?.string
        } else if let file = files["VersionInfo.plist"] {
            information = try parts.attempt(file) { parts throws(StoreError) in
                try VersionInformation(parts.bytes(of: file, limit: Self.limit), at: file.path)
            }
            isNameKnown = information != nil
            named = information?.current
        }
        for (name, file) in texts.sorted(byBytesOf: \.key) {
            let version = name.hasSuffix(".mom") ? String(name.dropLast(4)) : name
            let shown = file.path.hasSuffix("/contents") ? String(file.path.dropLast("/contents".count)) : file.path
            versions[name] = try parts.attempt(file, at: shown) { parts throws(StoreError) in
                try ModelFile(
                    parts.bytes(of: file, limit: Self.limit), at: file.path, version: version,
                    publishedHashes: information?.hashes[version])
            }
        }
        guard isNameKnown else { return }
        let wanted = named.map { information == nil ? $0 : "\($0).mom" } ?? (texts.count == 1 ? texts.keys.first : nil)
        current = wanted.flatMap { versions[$0] }
        lacksCurrent = wanted.map { texts[$0] == nil } ?? true
    }

    /// Whether any of its versions can be the app's.
    var isOfTheApp: Bool { versions.values.contains { $0.model[entity: SettingsTable.entityName] != nil } }
}

extension CloudKitRule {
    /// Its row in the table.
    var requirement: AppRequirement {
        switch self {
        case .uniquenessConstraint: .modelUniquenessConstraint
        case .attributeType: .modelAttributeType
        case .requiredAttribute: .modelAttributeRequired
        case .requiredRelationship: .modelRelationshipRequired
        case .relationshipWithoutInverse: .modelInverseMissing
        case .orderedRelationship: .modelRelationshipOrdered
        case .relationshipOutside: .modelRelationshipOutside
        case .denyRule: .modelDeleteDeny
        case .externalizedType: .modelExternalizedType
        case .externalizedRelationship: .modelExternalizedRelationship
        }
    }
}

extension ModelFile {
    /// The attributes with a value transformer that the app has to register itself: `Entity.attribute`. Foundation
    /// registers two that can be reversed.
    var ownTransformers: [String] {
        let registered = ["NSSecureUnarchiveFromData", "NSKeyedUnarchiveFromData"]
        return model.entities.flatMap { entity in
            entity.attributes.filter { attribute in
                guard attribute.type == .transformable,
                    let name = details.transformers[.init(entity.name, attribute.name)], !name.isEmpty
                else { return false }
                return !registered.contains {
                    name == $0 || name == "\($0)Transformer" || name == "\($0)TransformerName"
                }
            }.map { "\(entity.name).\($0.name)" }
        }
    }
}
