package import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel
internal import MeterStore
internal import Texts

/// What was found of an app that was handed over.
package struct AppFinding: Hashable, Sendable {
    package let requirement: AppRequirement
    /// The value that was found, `Entity.property`, the key, the build configuration or the file; nil where none says more.
    package let subject: String?
    /// Why, where that is not always the same; a fragment.
    package let detail: String?

    package var severity: Severity { requirement.severity }
    package var message: String { requirement.message + (detail.map { ": \($0)" } ?? "") }
}

/// What an app was built from, or its build, held against what the mirroring of its store needs (`AppRequirement`).
package struct AppCheck: Sendable {
    /// The container of USB Meter.
    package static let container = "iCloud.ro.xdev.USB-Meter"

    package enum Platform: String, Sendable { case iOS, macOS }

    package let inputs: [String]
    package let storePath: String?
    package let container: String
    /// Nil where nothing says it.
    package private(set) var platform: Platform?
    /// In the order of the table, then by subject.
    package private(set) var findings: [AppFinding] = []
    /// What was looked at and is right.
    package private(set) var right: [AppRequirement] = []
    /// What was not handed over.
    package private(set) var unknown: [AppRequirement.Group] = []
    /// Folders of which a part was not looked at.
    package let cut: [String]
    /// What was named and has nothing in it that is known here.
    package let ignored: [String]

    private var looked: Set<AppRequirement> = []

    /// Reads everything, and runs nothing.
    /// - Parameters:
    ///   - paths: at least one.
    ///   - store: the app's store; nil for none.
    ///   - container: the one that the app asks for.
    /// - Throws: `StoreError`: `notFound` where a path leads nowhere, `damaged` where there is nothing that is read, or the
    ///   store is none.
    package init(_ paths: [String], store: String?, container: String = container) throws(StoreError) {
        let parts = try AppParts(paths)
        inputs = paths
        storePath = store
        self.container = container
        cut = parts.cut
        ignored = parts.ignored
        // What a build says counts more than what Xcode would make it from.
        let built = parts.apps + [parts.loose]
        let sets = built.flatMap { part in part.entitlements.map { ($0, part) } }
        let chosen =
            sets.filter { $0.0.isBuilt }.isEmpty ? Self.chosen(sets, for: parts.projects) : sets.filter(\.0.isBuilt)
        platform = Self.platform(built)

        for fault in parts.faults { find(.unreadable, fault.path, detail: fault.reason) }
        for (set, part) in chosen {
            check(set, of: part, parts.projects.lazy.flatMap(\.configurations).compactMap(\.bundleIdentifier).first)
        }
        checkEnvironments(chosen.map(\.0), parts.projects)
        let modes = checkModes(parts)
        checkLinking(parts)
        parts.projects.forEach { check($0) }
        let models = parts.models.contains(where: \.isOfTheApp) ? parts.models.filter(\.isOfTheApp) : parts.models
        models.forEach { check($0) }
        if let store { check(try Self.hashes(store), models) }

        if chosen.isEmpty { unknown.append(.entitlements) }
        if !modes { unknown.append(.backgroundModes) }
        if !models.contains(where: { $0.lacksCurrent || !$0.versions.isEmpty }) { unknown.append(.model) }
        if store == nil { unknown.append(.store) }
        let found = Dictionary(grouping: Set(findings), by: \.requirement)
        findings = AppRequirement.allCases.flatMap { (found[$0] ?? []).sorted(byBytesOf: { $0.subject ?? "" }) }
        right = AppRequirement.allCases.filter { looked.contains($0) && found[$0] == nil }
    }

    private mutating func find(_ requirement: AppRequirement, _ subject: String? = nil, detail: String? = nil) {
        findings.append(AppFinding(requirement: requirement, subject: subject, detail: detail))
    }

    private mutating func check(_ requirement: AppRequirement, isMet: Bool, _ subject: @autoclosure () -> String? = nil)
    {
        looked.insert(requirement)
        if !isMet { find(requirement, subject()) }
    }

    private static func platform(_ parts: [AppPart]) -> Platform? {
        if parts.contains(where: \.isForMac) { return .macOS }
        let isForPhone = parts.contains { part in
            !part.infos.isEmpty || part.entitlements.contains(where: \.asksForPushOfPhone)
        }
        return isForPhone ? .iOS : nil
    }

    // MARK: Entitlements

    /// Of several sources, those that a project names for its app; all where it names none of them.
    private static func chosen(
        _ sets: [(AppEntitlements, AppPart)], for projects: [XcodeProject]
    ) -> [(AppEntitlements, AppPart)] {
        let named = Set(projects.flatMap(\.configurations).flatMap(\.entitlements).map(AppFile.name))
        let ofApp = sets.filter { named.contains(AppFile.name(of: $0.0.path)) }
        return ofApp.isEmpty ? sets : ofApp
    }

    /// - Parameter bundle: the identifier that a project gives the app.
    private mutating func check(_ set: AppEntitlements, of part: AppPart, _ bundle: String?) {
        let own = part.bundleIdentifier ?? bundle.flatMap { AppEntitlements.hasSetting($0) ? nil : $0 }
        let containers = set.texts(AppEntitlements.containers)
        check(.containerMissing, isMet: !containers.isEmpty)
        let resolved = set.resolvedContainers(own)
        if !containers.isEmpty, resolved.contains(container) || !resolved.contains(nil) {
            check(.containerOther, isMet: resolved.contains(container), containers.joined(separator: ", "))
        }
        let services = set.texts(AppEntitlements.services)
        if !containers.isEmpty || !services.isEmpty { check(.serviceMissing, isMet: services.contains("CloudKit")) }
        if set.isBuilt {
            check(.unresolvedSetting, isMet: true)
            for text in set.unresolved { find(.unresolvedSetting, text) }
        }
        if set.isBuilt, let profile = part.profile {
            for key in AppEntitlements.claims { check(.profileLacks, isMet: set.isGiven(key, by: profile), key) }
        }
        let environment = set.text(AppEntitlements.environment)
        if set.isForDistribution { check(.environmentDevelopment, isMet: environment != "Development") }
        if !set.isBuilt { check(.environmentPinned, isMet: environment != "Production") }
        check(.pushEntitlementMissing, isMet: set.pushEnvironment != nil)
        if set.isForDistribution, let push = set.pushEnvironment {
            check(.pushDevelopment, isMet: push != "development")
        }
        let keyValueStore = set.text(AppEntitlements.keyValueStore)
        check(.keyValueStoreMissing, isMet: keyValueStore != nil)
        if set.isBuilt, let keyValueStore, !AppEntitlements.hasSetting(keyValueStore), let own {
            check(.keyValueStoreOther, isMet: keyValueStore.hasSuffix(".\(own)"), keyValueStore)
        }
    }

    /// Of several targets. The configurations of a single one may differ in it: Debug is not what customers have.
    private mutating func checkEnvironments(_ sets: [AppEntitlements], _ projects: [XcodeProject]) {
        let sets = sets.filter { !$0.texts(AppEntitlements.containers).isEmpty }
        let targets = Set(projects.flatMap(\.configurations).map(\.target))
        guard sets.count > 1, sets[0].isBuilt || targets.count != 1 else { return }
        let environments = sets.map { set in
            // What Xcode makes of a source without it depends on how it is exported.
            set.text(AppEntitlements.environment)
                ?? (set.isBuilt ? set.isForDistribution ? "Production" : "Development" : "")
        }
        check(.environmentMixed, isMet: Set(environments).count == 1)
    }

    // MARK: Info.plist and project

    /// - Returns: whether there was anything that says it.
    private mutating func checkModes(_ parts: AppParts) -> Bool {
        let wanted = "remote-notification"
        func has(_ info: [String: PropertyList]) -> Bool {
            info["UIBackgroundModes"]?.array?.contains(.string(wanted)) ?? false
        }
        let apps = parts.apps.filter { !$0.infos.isEmpty }
        for app in apps where !app.isForMac { check(.pushModeMissing, isMet: app.infos.values.contains(where: has)) }
        guard apps.isEmpty else { return true }

        let isForMac = platform == .macOS
        // Beside an Info.plist of each platform, each speaks for itself.
        let infos = parts.loose.infos.filter {
            !AppPart.isForMac($0.value) && (!isForMac || parts.loose.infos.values.contains(where: AppPart.isForMac))
        }
        let configurations = parts.projects.flatMap(\.configurations)
        guard !configurations.isEmpty else {
            if !infos.isEmpty { check(.pushModeMissing, isMet: infos.values.contains(where: has)) }
            return !parts.loose.infos.isEmpty
        }
        var lacking: [String] = []
        var known = 0
        for configuration in configurations {
            let needsNone = isForMac || configuration.isForMac
            let named = infos.filter { info in configuration.infoFile.map { Self.isSame(info.key, $0) } ?? false }
            let read = named.isEmpty ? infos : named
            let isMet = needsNone || configuration.modes.contains(wanted) || read.values.contains(where: has)
            let isDecided = !read.isEmpty || configuration.infoFile == nil && !configuration.lacksFile
            guard isMet || isDecided || !configuration.modes.isEmpty else { continue }
            known += 1
            if !needsNone { looked.insert(.pushModeMissing) }
            if !isMet { lacking.append(configuration.name) }
        }
        if !lacking.isEmpty, lacking.count == known {
            find(.pushModeMissing)
        } else {
            for name in lacking { find(.pushModeMissing, name) }
        }
        return known > 0
    }

    /// Whether one path ends with the other, from a folder on.
    private static func isSame(_ path: String, _ other: String) -> Bool {
        "/\(path)".hasSuffix("/\(other)") || "/\(other)".hasSuffix("/\(path)")
    }

    private mutating func checkLinking(_ parts: AppParts) {
        let apps = parts.apps.filter { $0.isForMac && $0.loadsCloudKit != nil }
        for app in apps { check(.cloudKitNotLinked, isMet: app.loadsCloudKit ?? true) }
        guard apps.isEmpty else { return }
        for project in parts.projects where platform == .macOS || project.configurations.contains(where: \.isForMac) {
            check(.cloudKitNotLinked, isMet: project.namesCloudKit)
        }
    }

    private mutating func check(_ project: XcodeProject) {
        for configuration in project.configurations
        where !configuration.lacksFile || !configuration.entitlements.isEmpty {
            check(.entitlementsNotAssigned, isMet: !configuration.entitlements.isEmpty, configuration.name)
        }
        for (_, configurations) in Dictionary(grouping: project.configurations, by: \.target) {
            let files = Set(configurations.map(\.entitlements).filter { !$0.isEmpty })
            if !files.isEmpty { check(.entitlementsDiffer, isMet: files.count == 1) }
        }
    }

    // MARK: Model and store

    private mutating func check(_ model: AppModel) {
        check(.modelCurrentMissing, isMet: !model.lacksCurrent, model.named)
        guard let current = model.current else { return }
        let hasEntity = current.model[entity: SettingsTable.entityName] != nil
        check(.modelEntityMissing, isMet: hasEntity, SettingsTable.entityName)
        looked.formUnion(CloudKitRule.allCases.map(\.requirement))
        for breach in current.model.breaches(current.details) {
            find(breach.rule.requirement, "\(breach.entity).\(breach.properties.joined(separator: "+"))")
        }
        for transformer in current.ownTransformers { find(.modelTransformerUnknown, transformer) }
    }

    /// The version hashes in a store's metadata; nil where there are none.
    private static func hashes(_ path: String) throws(StoreError) -> [String: [UInt8]]? {
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

    private mutating func check(_ hashes: [String: [UInt8]]?, _ models: [AppModel]) {
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

/// The document of `check-app` in Documentation/json.md.
extension AppCheck: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "check-app", store: storePath))
            writer.member("inputs", inputs)
            writer.member("platform", platform?.rawValue)
            writer.member("container", container)
            writer.member("findings", findings.map(json))
            writer.member("unknown", unknown.map(\.rawValue))
        }
    }

    private func json(_ finding: AppFinding) -> JSONValue {
        [
            "id": finding.requirement.id, "severity": finding.severity.rawValue, "subject": finding.subject,
            "message": finding.message, "cure": finding.requirement.cure,
        ]
    }
}
