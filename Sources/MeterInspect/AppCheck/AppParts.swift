internal import CoreDataStore
internal import Texts

/// An app that was built; or what lies beside such, sources and files on their own.
struct AppPart: Sendable {
    /// Whether it is a bundle with `Contents`, as those of macOS are.
    var hasContents = false
    /// `Info.plist`, by path.
    var infos: [String: [String: PropertyList]] = [:]
    var entitlements: [AppEntitlements] = []
    /// Of an embedded profile nothing but its entitlements is kept.
    var profile: AppEntitlements?
    /// Nil where there is no executable.
    var loadsCloudKit: Bool?

    var isForMac: Bool {
        hasContents || infos.values.contains(where: Self.isForMac) || entitlements.contains(where: \.isForMac)
    }

    static func isForMac(_ info: [String: PropertyList]) -> Bool {
        info["LSMinimumSystemVersion"] != nil || supports("MacOSX", info)
    }

    static func supports(_ platform: String, _ info: [String: PropertyList]) -> Bool {
        info["CFBundleSupportedPlatforms"]?.array?.contains(.string(platform)) ?? false
    }

    /// The bundle's identifier; nil where there is none, and where a build setting stands in its place.
    var bundleIdentifier: String? {
        infos.sorted(byBytesOf: \.key).lazy.compactMap { $0.value["CFBundleIdentifier"]?.string }
            .first { !AppEntitlements.hasSetting($0) }
    }
}

/// What was handed over, by what it is.
struct AppParts: Sendable {
    private(set) var apps: [AppPart] = []
    private(set) var loose = AppPart()
    private(set) var projects: [XcodeProject] = []
    private(set) var models: [AppModel] = []
    /// What cannot be read.
    private(set) var faults: [(path: String, reason: String)] = []
    /// Folders of which a part was not looked at.
    private(set) var cut: [String] = []
    /// What was named and has nothing in it that is known here.
    private(set) var ignored: [String] = []
    /// Files of a known kind.
    private var known = 0
    /// Projects, and the texts of `.xcconfig` files by name, until all are there.
    private var projectLists: [[String: PropertyList]] = []
    private var settings: [String: String] = [:]

    /// Bytes of a property list, of a project, of an executable in an archive, and of a profile.
    private static let limits = (list: 1 << 22, project: 1 << 26, executable: 1 << 28, profile: 1 << 24)

    /// Reads all that is known at these paths.
    /// - Throws: `StoreError`: `notFound` where a path leads nowhere, `damaged` where none has a file of a known kind.
    init(_ paths: [String]) throws(StoreError) {
        for path in paths {
            let before = known + settings.count
            let (files, isCut) = try files(at: path)
            if isCut { cut.append(path) }
            // By their places in bundles and models.
            var (bundles, modelFiles): ([String: [String: AppFile]], [String: [String: AppFile]]) = ([:], [:])
            for file in files {
                try Interruption.check(path)
                try add(file, &bundles, &modelFiles)
            }
            for (_, files) in bundles.sorted(byBytesOf: \.key) { apps.append(try app(files)) }
            for (model, files) in modelFiles.sorted(byBytesOf: \.key) {
                models.append(try AppModel(at: model, files, parts: &self))
            }
            if known + settings.count == before { ignored.append(path) }
        }
        projects = projectLists.map { XcodeProject($0, settings: settings) }
        let foreign = projects.reduce(into: Set<String>()) { $0.formUnion($1.foreignEntitlements) }
        loose.entitlements.removeAll { foreign.contains(AppFile.name(of: $0.path)) }
        guard known > 0 else {
            throw StoreError(
                .damaged, at: paths[0], "neither an app nor part of one",
                hint: "name an .app, .ipa or .xcarchive, or the .entitlements, Info.plist, .xcodeproj or .xcdatamodeld")
        }
    }

    /// The files at a path. An archive is of a known kind itself.
    private mutating func files(at path: String) throws(StoreError) -> (files: [AppFile], isCut: Bool) {
        guard AppFile.isArchive(path) else { return try AppFile.all(at: path) }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return try attempt(name) { () throws(StoreError) in try AppFile.all(at: path) } ?? ([], false)
    }

    /// Reads a file of a known kind; nil where that cannot be done.
    /// - Throws: `StoreError`, only where there is no such file, the user asked to stop, or the fault is meterfix's own.
    mutating func attempt<Value>(_ path: String, _ body: () throws(StoreError) -> Value) throws(StoreError) -> Value? {
        known += 1
        do throws(StoreError) {
            return try body()
        } catch {
            guard ![.notFound, .interrupted, .internalFault].contains(error.kind) else { throw error }
            faults.append((path, error.message))
            return nil
        }
    }

    mutating func list(_ file: AppFile, limit: Int = limits.list) throws(StoreError) -> [String: PropertyList]? {
        try attempt(file.path) { () throws(StoreError) in
            try PropertyListFile.dictionary(file.bytes(limit: limit), at: file.path)
        }
    }

    /// Adds a file, if it is of a kind that is read, by its path and its name.
    private mutating func add(
        _ file: AppFile, _ bundles: inout [String: [String: AppFile]], _ modelFiles: inout [String: [String: AppFile]]
    ) throws(StoreError) {
        let words = file.path.split(separator: "/").map(String.init)
        let (name, folders) = (words.last ?? "", words.dropLast())
        let apps = folders.indices.filter { folders[$0].hasSuffix(".app") }
        // Apps in apps are helpers, or those of a watch.
        guard !folders.contains(where: { folder in AppFile.foreignFolders.contains { folder.hasSuffix($0) } }),
            apps.count <= 1, Self.isInPlace(folders, app: apps.first)
        else { return }
        func split(after index: Int) -> (String, String) {
            (words[...index].joined(separator: "/"), words[(index + 1)...].joined(separator: "/"))
        }
        let model =
            folders.firstIndex { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }
            ?? folders.firstIndex { $0.hasSuffix(".xcdatamodel") }
        if let model {
            let (folder, rest) = split(after: model)
            modelFiles[folder, default: [:]][rest] = file
        } else if name.hasSuffix(".mom") {
            modelFiles[file.path, default: [:]][""] = file
        } else if let app = apps.first {
            let (folder, rest) = split(after: app)
            bundles[folder, default: [:]][rest] = file
        } else if name == "project.pbxproj" {
            if let list = try list(file, limit: Self.limits.project) { projectLists.append(list) }
        } else if folders.contains(where: { $0.hasSuffix(".xcodeproj") }) {
            return
        } else if name.hasSuffix(".xcconfig"), let bytes = try? file.bytes(limit: Self.limits.list) {
            settings[name] = String(decoding: bytes, as: UTF8.self)
        } else if name.hasSuffix(".entitlements") || name.hasSuffix(".xcent") {
            try addEntitlements(file.path, list(file))
        } else if name == "Info.plist" || name.hasSuffix("-Info.plist") {
            try addInformation(file.path, list(file))
        } else if name.hasSuffix(".plist"), let bytes = try? file.bytes(limit: Self.limits.list),
            let list = try? PropertyListFile.dictionary(bytes, at: file.path)
        {
            // Of a known kind only by what is in it.
            if list["CFBundleIdentifier"] != nil {
                known += 1
                addInformation(file.path, list)
            } else if list.keys.contains(where: { $0.hasPrefix("com.apple.") || $0.hasPrefix("aps-") }) {
                known += 1
                addEntitlements(file.path, list)
            }
        }
    }

    /// Of an archive, only what is in its app counts.
    private static func isInPlace(_ folders: ArraySlice<String>, app: Int?) -> Bool {
        if let archive = folders.firstIndex(where: { $0.hasSuffix(".xcarchive") }) {
            return app == archive + 3 && folders[archive + 1] == "Products" && folders[archive + 2] == "Applications"
        }
        if let archive = folders.firstIndex(where: AppFile.isArchive) {
            return app == archive + 2 && folders[archive + 1] == "Payload"
        }
        return true
    }

    private mutating func addEntitlements(_ path: String, _ list: [String: PropertyList]?) {
        guard let list else { return }
        loose.entitlements.append(AppEntitlements(path: path, isBuilt: path.hasSuffix(".xcent"), values: list))
    }

    /// Adds an `Info.plist` if it is that of an app, and of no extension, framework or test.
    private mutating func addInformation(_ path: String, _ list: [String: PropertyList]?) {
        guard let list else { return }
        let type = list["CFBundlePackageType"]?.string ?? "APPL"
        // Other files are named so, too. Xcode adds keys to an empty one.
        let isInformation = list.isEmpty || list.keys.contains { $0.starts(with: /CFBundle|UI|NS|LS/) }
        guard isInformation, type == "APPL" || AppEntitlements.hasSetting(type), list["NSExtension"] == nil else {
            return
        }
        loose.infos[path] = list
    }

    /// Reads a bundle.
    /// - Parameter files: by their places in it.
    private mutating func app(_ files: [String: AppFile]) throws(StoreError) -> AppPart {
        var app = AppPart()
        app.hasContents = files.keys.contains { $0.hasPrefix("Contents/") }
        let base = app.hasContents ? "Contents/" : ""
        if let file = files["\(base)Info.plist"], let list = try list(file) { app.infos[file.path] = list }
        let name = files.values.first?.path.split(separator: "/").first { $0.hasSuffix(".app") }?.dropLast(4)
        let executable = app.infos.values.first?["CFBundleExecutable"]?.string ?? String(name ?? "")
        if let file = files["\(base)\(app.hasContents ? "MacOS/" : "")\(executable)"] {
            let found = try attempt(file.path) { () throws(StoreError) in
                try AppExecutable(file.parts(limit: Self.limits.executable), at: file.path)
            }
            app.loadsCloudKit = found?.loadsCloudKit
            // What runs in a simulator has its entitlements in a section of the executable.
            let isSimulated = app.infos.values.contains { AppPart.supports("iPhoneSimulator", $0) }
            if let bytes = found?.entitlements, !bytes.isEmpty || !isSimulated,
                let list = try bytes.isEmpty
                    ? [:]
                    : attempt(
                        file.path, { () throws(StoreError) in try PropertyListFile.dictionary(bytes, at: file.path) })
            {
                app.entitlements = [AppEntitlements(path: file.path, isBuilt: true, values: list)]
            }
        }
        let expanded = "archived-expanded-entitlements.xcent"
        if app.entitlements.isEmpty, let file = files[expanded] ?? files["Contents/Resources/\(expanded)"],
            let list = try list(file)
        {
            app.entitlements = [AppEntitlements(path: file.path, isBuilt: true, values: list)]
        }
        if let file = files["\(base)embedded.mobileprovision"] ?? files["\(base)embedded.provisionprofile"] {
            app.profile = try attempt(file.path) { () throws(StoreError) in
                try AppEntitlements(profile: file.bytes(limit: Self.limits.profile), at: file.path)
            }
        }
        return app
    }
}
