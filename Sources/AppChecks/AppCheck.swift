package import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel
internal import Texts

/// What was found of an app that was handed over.
package struct AppFinding: Hashable, Sendable {
    package let requirement: AppRequirement
    /// The value that was found, `Entity.property`, the key, the build configuration or the file; nil where none says more.
    package let subject: String?
    /// Why, and for what of the app, where that is not always the same; fragments.
    package fileprivate(set) var details: [String]

    package var severity: Severity { requirement.severity }
    package var message: String {
        requirement.message + (details.isEmpty ? "" : ": \(details.joined(separator: "; "))")
    }
}

/// What an app was built from, or its build, held against what the mirroring of its store needs (`AppRequirement`).
package struct AppCheck: Sendable {
    /// The container of USB Meter.
    package static let container = "iCloud.ro.xdev.USB-Meter"

    package let inputs: [String]
    package let storePath: String?
    package let container: String
    /// What the app is for; empty where nothing says it.
    package let platforms: Set<AppPlatform>
    /// In the order of the table, then by subject.
    package private(set) var findings: [AppFinding] = []
    /// What was looked at and is right.
    package private(set) var right: [AppRequirement] = []
    /// What was not handed over.
    package private(set) var unknown: [AppRequirement.Group] = []
    /// What was handed over and not looked at, or cannot be seen in it.
    package var gaps: [AppGap] { allGaps.all }
    /// What executables name of how a store is loaded; nil where there are none.
    package let options: Set<StoreOption>?

    private var looked: Set<AppRequirement> = []
    private var unseen: Set<AppRequirement> = []
    private var allGaps: AppGaps

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
        allGaps = parts.gaps
        platforms = parts.platforms
        let executables = parts.apps.filter { $0.loadsCloudKit != nil }
        options = executables.isEmpty ? nil : executables.reduce(into: []) { $0.formUnion($1.options) }

        for fault in parts.faults { find(.unreadable, fault.path, details: [fault.reason]) }
        let hasEntitlements = checkEntitlements(parts)
        let hasModes = checkModes(parts)
        for app in parts.apps where app.platforms.contains(.macOS) {
            if let loads = app.loadsCloudKit { check(.cloudKitNotLinked, isMet: loads) }
        }
        checkAssignment(parts.targets)
        let models = parts.models.contains(where: \.isOfTheApp) ? parts.models.filter(\.isOfTheApp) : parts.models
        models.forEach { check($0) }
        if let store { check(try Self.hashes(store), models) }

        if !hasEntitlements { unknown.append(.entitlements) }
        if !hasModes { unknown.append(.backgroundModes) }
        if !models.contains(where: { $0.lacksCurrent || !$0.versions.isEmpty }) { unknown.append(.model) }
        if store == nil { unknown.append(.store) }
        let found = Set(findings.map(\.requirement))
        findings = Self.ordered(findings)
        right = AppRequirement.allCases.filter { looked.contains($0) && !found.contains($0) && !unseen.contains($0) }
    }

    /// In the order of the table, then by subject; equal ones are one, with all that is said of them.
    private static func ordered(_ findings: [AppFinding]) -> [AppFinding] {
        let groups = Dictionary(grouping: findings) {
            AppFinding(requirement: $0.requirement, subject: $0.subject, details: [])
        }
        let merged = groups.map { finding, equal in
            var finding = finding
            var said: Set<String> = []
            finding.details = equal.flatMap(\.details).filter { said.insert($0).inserted }
            return finding
        }
        let byRequirement = Dictionary(grouping: merged, by: \.requirement)
        return AppRequirement.allCases.flatMap { (byRequirement[$0] ?? []).sorted(byBytesOf: { $0.subject ?? "" }) }
    }

    // MARK: What each look adds

    mutating func find(_ requirement: AppRequirement, _ subject: String? = nil, details: [String] = []) {
        findings.append(AppFinding(requirement: requirement, subject: subject, details: details))
    }

    mutating func check(
        _ requirement: AppRequirement, isMet: Bool, _ subject: @autoclosure () -> String? = nil,
        details: @autoclosure () -> [String] = []
    ) {
        looked.insert(requirement)
        if !isMet { find(requirement, subject(), details: details()) }
    }

    /// A value of which nobody can say here whether it is right.
    mutating func leaveOpen(_ requirement: AppRequirement, _ key: String, _ value: String, why: String) {
        unseen.insert(requirement)
        add(.item(key: key, value: value, why: why))
    }

    mutating func add(_ gap: AppGap) { allGaps.add(gap) }
}

extension AppParts {
    /// What the app is for: by its targets and builds, or else by what lies beside such.
    fileprivate var platforms: Set<AppPlatform> {
        let built = apps.reduce(into: Set<AppPlatform>()) { $0.formUnion($1.platforms) }
            .union(targets.map(\.platform))
        return built.isEmpty || loose.entitlements.contains(where: \.isBuilt) ? built.union(loose.platforms) : built
    }
}

/// The document of `check-app` in Documentation/json.md.
extension AppCheck: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "check-app", store: storePath))
            writer.member("inputs", inputs)
            writer.member("platform", platforms.count == 1 ? platforms.first?.rawValue : nil)
            writer.member("platforms", platforms.sorted().map(\.rawValue))
            writer.member("container", container)
            writer.member("findings", findings.map(json))
            writer.member("unknown", unknown.map(\.rawValue))
            writer.member("notLookedAt", gaps.map(json))
        }
    }

    private func json(_ finding: AppFinding) -> JSONValue {
        [
            "id": finding.requirement.id, "severity": finding.severity.rawValue, "subject": finding.subject,
            "message": finding.message, "cure": finding.requirement.cure,
        ]
    }

    private func json(_ gap: AppGap) -> JSONValue {
        switch gap {
        case .file(let path, let why, let command): ["path": path, "why": why, "command": command]
        case .item(let key, let value, let why): ["item": key, "value": value, "why": why]
        }
    }
}
