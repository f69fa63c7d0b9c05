internal import CoreDataStore
internal import Texts

/// A set of entitlements where it counts: in a build, for a target, or in a source of which no more is known.
struct AppClaims: Sendable {
    let set: AppEntitlements
    /// What it is for; empty where nothing says it, and either platform's keys do.
    let platforms: Set<AppPlatform>
    let values: SettingValues
    /// The identifier that is the app's own, on whatever platform; nil where it is not known.
    let ownIdentifier: String?
    var profile: AppEntitlements?
    var target: AppTarget?

    /// Of what it is, for a message; empty where it is of no target.
    var details: [String] { target.map { [$0.title] } ?? [] }

    /// The texts of a key. What a build has is taken literally.
    func texts(_ key: String) -> [SettingText] {
        set.texts(key).map { set.isBuilt ? SettingText(raw: $0, resolved: $0) : values.text($0) }
    }

    /// Whether a key has an environment of Apple's push service, or a build setting of which nobody knows what it comes to.
    func hasPush(_ key: String) -> Bool {
        // A list of one is none.
        set.values[key]?.string != nil
            && texts(key).contains { $0.isOpen || AppEntitlements.pushEnvironments.contains($0.resolved) }
    }

    /// The key-value store without what stands in front of it: the team, or the setting for that.
    func keyValueStore(_ text: SettingText) -> String? {
        for name in ["TeamIdentifierPrefix", "AppIdentifierPrefix"] {
            for prefix in [values.values[name] ?? "", "$(\(name))", "${\(name)}"]
            where !prefix.isEmpty && text.resolved.hasPrefix(prefix) {
                return String(text.resolved.dropFirst(prefix.count))
            }
        }
        let team = text.resolved.prefix { $0.isASCII && ($0.isUppercase || $0.isNumber) }
        let rest = text.resolved.dropFirst(team.count)
        return !team.isEmpty && rest.first == "." ? String(rest.dropFirst()) : nil
    }
}

extension AppCheck {
    /// Looks at all entitlements that count.
    /// - Returns: whether there were any.
    mutating func checkEntitlements(_ parts: AppParts) -> Bool {
        let claims = claims(parts)
        claims.forEach { check($0) }
        checkEnvironments(claims)
        return !claims.isEmpty
    }

    /// What a build says counts more than what Xcode would make it from; of sources, those that a target names.
    private mutating func claims(_ parts: AppParts) -> [AppClaims] {
        let built = (parts.apps + [parts.loose]).flatMap { part in
            part.entitlements.filter(\.isBuilt).map { set in
                AppClaims(
                    set: set, platforms: part.platforms, values: SettingValues(),
                    ownIdentifier: part.bundleIdentifier, profile: part.profile)
            }
        }
        guard built.isEmpty else { return built }
        let sources = parts.loose.entitlements
        guard parts.targets.isEmpty else { return claims(of: parts.targets, parts) }
        let hasCloud = sources.contains(where: \.hasCloud)
        for set in sources where hasCloud && !set.hasCloud {
            add(.file(path: set.path, why: "it has no key of iCloud, so it is another target's", command: nil))
        }
        let own = parts.loose.bundleIdentifier
        let values = SettingValues(values: own.map { ["CFBundleIdentifier": $0] } ?? [:])
        return sources.filter { $0.hasCloud || !hasCloud }.map {
            AppClaims(set: $0, platforms: [], values: values, ownIdentifier: own)
        }
    }

    private mutating func claims(of targets: [AppTarget], _ parts: AppParts) -> [AppClaims] {
        let sources = Dictionary(parts.loose.entitlements.map { ($0.path, $0) }) { first, _ in first }
        let (index, named) = (AppFileIndex(sources.keys), AppNamedFiles(parts))
        var used: Set<String> = []
        let claims = targets.compactMap { target -> AppClaims? in
            guard let path = target.entitlements else { return nil }
            guard let place = index.place(of: path), let set = sources[place] else {
                if let gap = named.gap(path) { add(gap) }
                return nil
            }
            used.insert(place)
            let (values, own) = target.values(identifier: named.information(of: target)?.identifier)
            return AppClaims(
                set: set, platforms: [target.platform], values: values, ownIdentifier: own, target: target)
        }
        for set in parts.loose.entitlements where !used.contains(set.path) {
            add(.file(path: set.path, why: "no target of an app names these entitlements", command: nil))
        }
        return claims
    }

    // MARK: One set

    private static let openSetting = "a build setting in it is not known here"

    private mutating func check(_ claims: AppClaims) {
        let set = claims.set
        let hasContainer = checkContainers(claims)
        if set.isBuilt {
            check(.unresolvedSetting, isMet: true)
            for text in set.unresolved { find(.unresolvedSetting, text) }
            if let profile = claims.profile {
                for key in AppEntitlements.claims { check(.profileLacks, isMet: set.isGiven(key, by: profile), key) }
            }
            if hasContainer, claims.platforms.contains(.macOS) { checkApplicationIdentifier(set, claims.profile) }
        }
        checkEnvironment(claims)
        checkPush(claims)
        checkKeyValueStore(claims)
    }

    /// - Returns: whether a container is named.
    private mutating func checkContainers(_ claims: AppClaims) -> Bool {
        let key = AppEntitlements.containers
        let containers = claims.texts(key)
        check(.containerMissing, isMet: !containers.isEmpty, details: claims.details)
        let isListed = containers.contains { $0.resolved == container }
        if isListed || !containers.isEmpty && !containers.contains(where: \.isOpen) {
            check(
                .containerOther, isMet: isListed, containers.map(\.resolved).joined(separator: ", "),
                details: claims.details)
        }
        if !claims.set.isBuilt {
            for text in containers where text.isOpen {
                leaveOpen(.containerOther, key, text.raw, why: Self.openSetting)
            }
        }
        let services = claims.texts(AppEntitlements.services)
        guard !containers.isEmpty || !services.isEmpty else { return false }
        let open = services.filter { $0.isOpen && !claims.set.isBuilt }
        for text in open { leaveOpen(.serviceMissing, AppEntitlements.services, text.raw, why: Self.openSetting) }
        let hasService = services.contains { $0.resolved == "CloudKit" }
        if hasService || open.isEmpty { check(.serviceMissing, isMet: hasService, details: claims.details) }
        return !containers.isEmpty
    }

    private mutating func checkApplicationIdentifier(_ set: AppEntitlements, _ profile: AppEntitlements?) {
        let key = AppEntitlements.applicationOfMac
        let isOther = profile.map { !$0.texts(key).isEmpty && !set.isGiven(key, by: $0) } ?? false
        let value = set.texts(key).first
        check(
            .applicationIdentifierMissing, isMet: value != nil && !isOther, value,
            details: value == nil ? [] : ["the profile has another"])
    }

    private mutating func checkEnvironment(_ claims: AppClaims) {
        let key = AppEntitlements.environment
        let texts = claims.texts(key)
        let unknown = texts.filter { !$0.isOpen && !AppEntitlements.environments.contains($0.resolved) }
        for text in unknown {
            leaveOpen(.environmentDevelopment, key, text.resolved, why: "Xcode takes only Development and Production")
        }
        if claims.set.isForDistribution, unknown.isEmpty {
            switch Set(texts.map(\.resolved)) {
            case Set(AppEntitlements.environments):
                leaveOpen(
                    .environmentDevelopment, key, "Development, Production",
                    why: "the export decides which of them the app gets")
            case let environments: check(.environmentDevelopment, isMet: environments != ["Development"])
            }
        }
        guard !claims.set.isBuilt else { return }
        for text in texts where text.isOpen { leaveOpen(.environmentPinned, key, text.raw, why: Self.openSetting) }
        check(.environmentPinned, isMet: Set(texts.map(\.resolved)) != ["Production"], details: claims.details)
    }

    private mutating func checkPush(_ claims: AppClaims) {
        let keys = Set(claims.platforms.map(AppEntitlements.push(on:))).sorted()
        let any = [AppEntitlements.push, AppEntitlements.pushOfMac]
        let present = any.filter(claims.hasPush)
        if keys.isEmpty {
            check(.pushEntitlementMissing, isMet: !present.isEmpty)
        }
        for key in keys {
            check(
                .pushEntitlementMissing, isMet: present.contains(key),
                details: [key] + claims.details)
        }
        for key in keys.isEmpty ? any : keys {
            let texts = claims.texts(key)
            if claims.set.isForDistribution, !texts.isEmpty {
                check(.pushDevelopment, isMet: !texts.contains { $0.resolved == "development" })
            }
            for text in texts where text.isOpen && !claims.set.isBuilt {
                leaveOpen(.pushEntitlementMissing, key, text.raw, why: Self.openSetting)
            }
        }
    }

    private mutating func checkKeyValueStore(_ claims: AppClaims) {
        let key = AppEntitlements.keyValueStore
        let texts = claims.texts(key)
        check(.keyValueStoreMissing, isMet: !texts.isEmpty, details: claims.details)
        for text in texts {
            let name = claims.keyValueStore(text)
            let isOfContainer = name == Self.name(of: container)
            // Whatever the bundle is, it is its own.
            let isOwnByItself =
                !claims.set.isBuilt && ["$(CFBundleIdentifier)", "${CFBundleIdentifier}"].contains(name)
            if claims.set.isBuilt, text.isOpen { continue }
            if isOfContainer || isOwnByItself {
                check(.keyValueStoreOther, isMet: true)
            } else if name.map(SettingText.hasSetting) ?? text.isOpen {
                leaveOpen(.keyValueStoreOther, key, text.raw, why: Self.openSetting)
            } else if let own = claims.ownIdentifier {
                check(.keyValueStoreOther, isMet: name == own, text.resolved, details: claims.details)
            } else {
                leaveOpen(
                    .keyValueStoreOther, key, text.raw, why: "the app's own bundle identifier is not known here")
            }
        }
    }

    /// A container without `iCloud.`.
    private static func name(of container: String) -> String {
        container.hasPrefix("iCloud.") ? String(container.dropFirst("iCloud.".count)) : container
    }

    // MARK: Several sets

    /// Of several targets. The configurations of a single one may differ in it: Debug is not what customers have.
    private mutating func checkEnvironments(_ claims: [AppClaims]) {
        let claims = claims.filter { !$0.set.texts(AppEntitlements.containers).isEmpty }
        let groups = Dictionary(grouping: claims) { $0.target?.configuration ?? "" }
        for (_, claims) in groups where claims.count > 1 {
            guard claims.contains(where: { $0.target?.name != claims[0].target?.name }) || claims[0].target == nil
            else {
                continue
            }
            let environments = Set(claims.compactMap(Self.environment))
            check(.environmentMixed, isMet: environments.count < 2)
        }
    }

    /// The one database that an app uses; nil where the export decides, or a setting that is not known.
    private static func environment(_ claims: AppClaims) -> String? {
        let texts = Set(claims.texts(AppEntitlements.environment).map(\.resolved))
        guard texts.count < 2, !texts.contains(where: SettingText.hasSetting) else { return nil }
        if let text = texts.first { return text }
        // What Xcode makes of a source without it depends on how it is exported.
        return claims.set.isBuilt ? claims.set.isForDistribution ? "Production" : "Development" : ""
    }
}
