internal import CoreDataStore

extension AppCheck {
    /// Looks at the background modes: of builds, or of targets, or of what an Info.plist says alone.
    /// - Returns: whether there was anything that says them.
    mutating func checkModes(_ parts: AppParts) -> Bool {
        let apps = parts.apps.filter { !$0.infos.isEmpty }
        guard apps.isEmpty else {
            for app in apps where !app.platforms.contains(.macOS) {
                for info in app.infos { checkModes(info.modes ?? [], details: []) }
            }
            return true
        }
        guard parts.targets.isEmpty else {
            let named = AppNamedFiles(parts)
            var isKnown = false
            for target in parts.targets where checkModes(of: target, named) { isKnown = true }
            return isKnown
        }
        let whole = parts.loose.infos.filter { !$0.isPiece }
        if whole.isEmpty {
            for path in parts.loose.information.filter(\.value.isOfApp).keys.sorted() {
                let why = "a piece to which Xcode adds the rest, so background modes cannot be seen"
                add(.file(path: path, why: why, command: nil))
            }
        }
        let ofPhone = whole.filter { !$0.isForMac }
        if parts.loose.platforms.contains(.iOS), !ofPhone.isEmpty {
            // What another app's says is nothing of this one.
            let apps = Dictionary(grouping: ofPhone) { $0.identifier ?? "" }.sorted { $0.key < $1.key }
            for (identifier, infos) in apps {
                checkModes(infos.flatMap { $0.modes ?? [] }, details: apps.count > 1 ? [identifier] : [])
            }
        }
        return !whole.isEmpty
    }

    private static let wantedMode = "remote-notification"

    /// - Returns: whether they could be seen.
    @discardableResult
    private mutating func checkModes(_ modes: [String], details: [String]) -> Bool {
        let key = "UIBackgroundModes"
        let open = modes.filter(SettingText.hasSetting)
        guard modes.contains(Self.wantedMode) || open.isEmpty else {
            for mode in open { leaveOpen(.pushModeMissing, key, mode, why: "a build setting in it is not known here") }
            return false
        }
        check(.pushModeMissing, isMet: modes.contains(Self.wantedMode), details: details)
        return true
    }

    /// - Returns: whether they could be seen, or are not needed.
    private mutating func checkModes(of target: AppTarget, _ named: AppNamedFiles) -> Bool {
        let info = named.information(of: target)
        if info == nil, let gap = target.information.flatMap(named.gap) { add(gap) }
        guard target.platform != .macOS else { return true }
        let (values, _) = target.values(identifier: info?.identifier)
        let modes = target.modes + (info?.modes ?? []).map { values.text($0).resolved }
        guard modes.contains(Self.wantedMode) || target.information == nil || info != nil else { return false }
        return checkModes(modes, details: [target.title])
    }

    /// Looks at which entitlements each target uses, in each configuration.
    mutating func checkAssignment(_ targets: [AppTarget]) {
        let names = Set(targets.map(\.name))
        let configurations = Set(targets.map(\.configuration))
        if configurations.count == 1, let only = configurations.first, only.lowercased().hasPrefix("debug") {
            leaveOpen(
                .entitlementsNotAssigned, "CONFIGURATION", only,
                why: "what customers get is built as another one, whose settings were not handed over")
        }
        for target in targets {
            check(
                .entitlementsNotAssigned, isMet: target.entitlements != nil,
                names.count == 1 ? target.configuration : "\(target.name), \(target.configuration)",
                details: ["target \(target.name)"])
        }
        for (_, targets) in Dictionary(grouping: targets, by: { [$0.name, $0.platform.rawValue] }) {
            let files = Set(targets.compactMap(\.entitlements))
            if !files.isEmpty {
                check(.entitlementsDiffer, isMet: files.count == 1, details: ["target \(targets[0].name)"])
            }
        }
    }
}
