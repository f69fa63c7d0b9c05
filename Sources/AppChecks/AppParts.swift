internal import CoreDataStore
internal import MeterInspect
internal import Texts

/// What was handed over and not looked at, or cannot be seen in what was.
package enum AppGap: Hashable, Sendable {
    /// A file: why, a fragment, and what to type to have it said.
    case file(path: String, why: String, command: String?)
    /// A value of entitlements or of Info.plist, as it stands there.
    case item(key: String, value: String, why: String)
}

/// Those of an app, each once.
struct AppGaps: Sendable {
    private(set) var all: [AppGap] = []
    private var known: Set<AppGap> = []

    mutating func add(_ gap: AppGap) { if known.insert(gap).inserted { all.append(gap) } }
}

/// What cannot be read.
struct AppFault: Sendable {
    let path: String
    let reason: String
    let isOfArchive: Bool
}

/// What was handed over, by what it is.
struct AppParts: Sendable {
    private(set) var apps: [AppPart] = []
    private(set) var loose = AppPart()
    private(set) var targets: [AppTarget] = []
    private(set) var models: [AppModel] = []
    private(set) var faults: [AppFault] = []
    private(set) var gaps = AppGaps()
    /// How many files were read.
    private var read = 0
    private var objects: [XcodeSettings.Object] = []
    /// Bytes that may still be read, and be searched for names: what a folder or an archive comes to has a bound, too.
    private var left = 1 << 29
    private var searchable = 1 << 30

    /// Bytes of a property list, of build settings, of an executable, of a profile, and of what shows a file's kind.
    private static let limits = (list: 1 << 22, settings: 1 << 26, executable: 1 << 28, profile: 1 << 24, head: 1 << 16)

    /// Reads all that is known at these paths.
    /// - Throws: `StoreError`: `notFound` where a path leads nowhere, `damaged` where there is nothing that can be read.
    init(_ paths: [String]) throws(StoreError) {
        for path in paths {
            let before = read + faults.count + gaps.all.count
            let (files, isCut) = try AppFile.all(at: path)
            try add(files, isNamed: files.count == 1 && files[0].path == AppFile.name(of: path))
            if read + faults.count + gaps.all.count == before {
                addGap(path, "neither an app nor part of one")
            }
            if isCut { addGap(path, "not all that is in it could be looked at") }
        }
        targets = AppTarget.all(in: objects)
        guard read > 0 || faults.contains(where: { !$0.isOfArchive }) else { throw refusal(paths[0]) }
    }

    /// Why there is nothing to say.
    private func refusal(_ path: String) -> StoreError {
        if let fault = faults.first { return StoreError(.damaged, at: fault.path, fault.reason) }
        for case .file(let path, let why, let command?) in gaps.all {
            return StoreError(.damaged, at: path, why, hint: "hand over what this writes: \(command)")
        }
        let hint =
            "name an .app, .ipa or .xcarchive, or the .entitlements, Info.plist, .xcdatamodeld, or what xcodebuild "
            + "-showBuildSettings -json prints"
        for case .file(let path, let why, nil) in gaps.all { return StoreError(.damaged, at: path, why, hint: hint) }
        return StoreError(.damaged, at: path, "there is nothing that can be read", hint: hint)
    }

    /// - Parameter isNamed: whether it is one file, and the user named it.
    private mutating func add(_ files: [AppFile], isNamed: Bool) throws(StoreError) {
        var places = AppPlaces()
        for file in files {
            try Interruption.check(file.path)
            guard file.isPackage, file.isRegular else {
                try add(file, &places, isNamed: isNamed)
                continue
            }
            // What is in it counts as read, not that it is an archive.
            let members = try attempt(file, counts: false) { _ throws(StoreError) in try file.members() }
            guard let members else { continue }
            places.archives.insert(file.path)
            for member in members { try add(member, &places, isNamed: false) }
        }
        for (bundle, files) in places.bundles.sorted(byBytesOf: \.key) { apps.append(try app(files, at: bundle)) }
        for (model, files) in places.models.sorted(byBytesOf: \.key) {
            models.append(try AppModel(at: model, files, parts: &self))
        }
        for archive in places.archives.sorted(byBytesOf: \.self)
        where !places.bundles.keys.contains(where: { $0.hasPrefix("\(archive)/") }) {
            let place = AppFile.isPackage(archive) ? "Payload" : "Products/Applications"
            faults.append(AppFault(path: archive, reason: "there is no app in its \(place)", isOfArchive: true))
        }
    }

    /// Reads a file of a known kind; nil where that cannot be done.
    /// - Parameters:
    ///   - path: what a fault calls it; nil for its own.
    ///   - counts: whether it says something of the app.
    /// - Throws: `StoreError`, only where the user asked to stop, or the fault is meterfix's own.
    mutating func attempt<Value>(
        _ file: AppFile, at path: String? = nil, counts: Bool = true,
        _ body: (inout AppParts) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        do throws(StoreError) {
            let value = try body(&self)
            if counts { read += 1 }
            return value
        } catch {
            guard ![.interrupted, .internalFault].contains(error.kind) else { throw error }
            faults.append(AppFault(path: path ?? file.path, reason: error.message, isOfArchive: file.isOfArchive))
            return nil
        }
    }

    /// All bytes of a file.
    /// - Throws: `StoreError`, `damaged` where there are more than `limit`, or than may still be read.
    mutating func bytes(of file: AppFile, limit: Int = limits.list) throws(StoreError) -> [UInt8] {
        guard let bytes = try file.bytes(limit: min(limit, left)) else {
            throw StoreError(
                .damaged, at: file.path,
                limit <= left ? "more than \(limit >> 20) MiB" : "all that was handed over is more than is read at once"
            )
        }
        left -= bytes.count
        return bytes
    }

    mutating func list(_ file: AppFile) throws(StoreError) -> [String: PropertyList]? {
        try attempt(file) { parts throws(StoreError) in
            try PropertyListFile.dictionary(parts.bytes(of: file), at: file.path)
        }
    }

    private mutating func addGap(_ path: String, _ why: String, command: String? = nil) {
        gaps.add(.file(path: path, why: why, command: command))
    }

    /// Adds a file, if it is of a kind that is read, by its path and its name.
    private mutating func add(_ file: AppFile, _ places: inout AppPlaces, isNamed: Bool) throws(StoreError) {
        switch places.place(of: file) {
        case .foreign, .part: return
        case .project(let path):
            addGap(
                path, "projects are not read, only the build settings that Xcode makes of them",
                command: XcodeSettings.command)
            return
        case .mapping(let path):
            addGap(path, "mapping models are not read: what a migration with this one makes of values is not known")
            return
        case .link:
            faults.append(
                AppFault(path: file.path, reason: "a link, which is not followed", isOfArchive: file.isOfArchive))
            return
        case .loose: break
        }
        let name = AppFile.name(of: file.path)
        if name.hasSuffix(".entitlements") || name.hasSuffix(".xcent") {
            try addEntitlements(file)
        } else if name == "Info.plist" || name.hasSuffix("-Info.plist") {
            if let list = try list(file) { loose.information[file.path] = AppInformation(list) }
        } else if !file.isRegular {
            if name.hasSuffix(".plist") { addGap(file.path, "not a regular file") }
        } else {
            try addByContents(file, isNamed: isNamed)
        }
    }

    /// What an app may be in, or be built with, and why it says nothing here.
    private static let unread: [(ending: String, why: String)] = [
        (".mobileprovision", "a provisioning profile, which is read in the app that has it"),
        (".provisionprofile", "a provisioning profile, which is read in the app that has it"),
        (".app.zip", "an archive: unpack it, and hand over the app"),
        (".xcarchive.zip", "an archive: unpack it, and hand over what is in it"),
        (".dmg", "a disk image: open it, and hand over the app"),
        (".pkg", "an installer: hand over the app that it installs"),
    ]

    /// Adds a file, if what is in it is of a kind that is read.
    private mutating func addByContents(_ file: AppFile, isNamed: Bool) throws(StoreError) {
        let lowered = file.path.lowercased()
        if let known = Self.unread.first(where: { lowered.hasSuffix($0.ending) }) {
            return addGap(file.path, known.why)
        }
        let start: [UInt8]
        do throws(StoreError) {
            guard let read = try file.parts() else { return }
            start = try read(0, Self.limits.head)
        } catch {
            return addGap(file.path, error.message)
        }
        let head = DumpText.lenientUTF8(of: start)
        if PrintedEntitlements.isBeginning(head) { return try addEntitlements(file) }
        if XcodeSettings.isPlain(head) {
            return addGap(
                file.path, "build settings that were printed without -json are not read", command: XcodeSettings.command
            )
        }
        let isNamedSo = isNamed || AppFile.name(of: file.path).lowercased().contains("settings")
        if XcodeSettings.isBeginning(head, mayBeEmpty: isNamedSo) { return try addSettings(file) }
        guard ByteSearch.firstIndex(of: "<plist", in: head) != nil || head.starts(with: "bplist".utf8),
            let bytes = try? bytes(of: file), let list = try? PropertyListFile.dictionary(bytes, at: file.path)
        else { return }
        if list["CFBundleIdentifier"] != nil {
            read += 1
            loose.information[file.path] = AppInformation(list)
        } else if AppEntitlements.areKeys(list.keys) {
            read += 1
            loose.entitlements.append(AppEntitlements(path: file.path, isBuilt: false, values: list))
        }
    }

    private mutating func addSettings(_ file: AppFile) throws(StoreError) {
        let found = try attempt(file, counts: false) { parts throws(StoreError) in
            let bytes = try parts.bytes(of: file, limit: Self.limits.settings)
            return try XcodeSettings.objects(in: DumpText.lenientUTF8(of: bytes), at: file.path)
        }
        let ofApps = found?.filter(\.isOfApp) ?? []
        objects += ofApps
        read += ofApps.isEmpty ? 0 : 1
        guard let found, ofApps.isEmpty else { return }
        addGap(
            file.path,
            found.isEmpty
                ? "there are no build settings in it"
                : "none of its \(found.count) targets makes an app for iOS or macOS",
            command: XcodeSettings.command)
    }

    private mutating func addEntitlements(_ file: AppFile) throws(StoreError) {
        let found = try attempt(file) { parts throws(StoreError) in
            try AppEntitlements(parts.bytes(of: file), at: file.path)
        }
        if let found { loose.entitlements.append(found) }
    }

    /// Reads a bundle.
    /// - Parameter files: by their places in it.
    private mutating func app(_ files: [String: AppFile], at bundle: String) throws(StoreError) -> AppPart {
        var app = AppPart()
        app.hasContents = files.keys.contains { $0.hasPrefix("Contents/") }
        let base = app.hasContents ? "Contents/" : ""
        if let file = files["\(base)Info.plist"], let list = try list(file) {
            app.information[file.path] = AppInformation(list)
        }
        let executable = app.infos.first?.executable ?? String(AppFile.name(of: bundle).dropLast(4))
        let binary = files["\(base)\(app.hasContents ? "MacOS/" : "")\(executable)"]
        if let binary { try readExecutable(binary, of: &app) }
        let expanded = "archived-expanded-entitlements.xcent"
        if app.entitlements.isEmpty, let file = files[expanded] ?? files["Contents/Resources/\(expanded)"],
            let list = try list(file)
        {
            app.entitlements = [AppEntitlements(path: file.path, isBuilt: true, values: list)]
        }
        if app.entitlements.isEmpty, binary == nil {
            addGap(bundle, "its executable \(executable) is not in it, and its entitlements are in that")
        }
        if let file = files["\(base)embedded.mobileprovision"] ?? files["\(base)embedded.provisionprofile"] {
            app.profile = try attempt(file) { parts throws(StoreError) in
                try AppEntitlements(profile: parts.bytes(of: file, limit: Self.limits.profile), at: file.path)
            }
        }
        return app
    }

    /// What reads parts of an executable: at an offset so many bytes, or as many as there are.
    private mutating func reader(
        of file: AppFile
    ) throws(StoreError) -> (Int, Int) throws(StoreError) -> [UInt8] {
        if let read = try file.parts() { return read }
        let whole = try bytes(of: file, limit: Self.limits.executable)
        return { offset, count in Array(whole.dropFirst(offset).prefix(count)) }
    }

    private mutating func readExecutable(_ file: AppFile, of app: inout AppPart) throws(StoreError) {
        let found = try attempt(file) { parts throws(StoreError) in
            let read = try parts.reader(of: file)
            let executable = try AppExecutable(read, at: file.path)
            let options = try StoreOption.named(in: read, limit: &parts.searchable, at: file.path)
            return (executable, options)
        }
        guard let (executable, options) = found else { return }
        (app.loadsCloudKit, app.options) = (executable.loadsCloudKit, options)
        guard let bytes = executable.entitlements else {
            return addGap(
                file.path, "it has no code signature, and without one no entitlements: iCloud refuses such a build")
        }
        let list =
            try bytes.isEmpty
            ? [:] : attempt(file) { _ throws(StoreError) in try PropertyListFile.dictionary(bytes, at: file.path) }
        guard let list else { return }
        let signed = AppEntitlements(path: file.path, isBuilt: true, values: list)
        if !signed.hasCloud, app.infos.contains(where: { $0.platforms.contains("iPhoneSimulator") }) {
            return addGap(
                file.path,
                "a build for the simulator has its entitlements in a section that is not read: hand over one for a device"
            )
        }
        app.entitlements = [signed]
    }
}
