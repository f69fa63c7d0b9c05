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
        info["LSMinimumSystemVersion"] != nil
            || info["CFBundleSupportedPlatforms"]?.array?.contains(.string("MacOSX")) ?? false
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
    private(set) var reading = Reading()
    /// Folders of which a part was not looked at.
    private(set) var cut: [String] = []
    /// What was named and has nothing in it that is known here.
    private(set) var ignored: [String] = []

    /// What cannot be read, and whether there was anything to read.
    struct Reading: Sendable {
        private(set) var faults: [(path: String, reason: String)] = []
        private(set) var files = 0

        private static let limit = 1 << 22

        /// Reads a file of a known kind; nil where that cannot be done.
        /// - Throws: `StoreError`, only where there is no such file, the user asked to stop, or the fault is meterfix's own.
        mutating func attempt<Value>(
            _ path: String, _ body: () throws(StoreError) -> Value
        ) throws(StoreError) -> Value? {
            files += 1
            do throws(StoreError) {
                return try body()
            } catch {
                guard ![.notFound, .interrupted, .internalFault].contains(error.kind) else { throw error }
                faults.append((path, error.message))
                return nil
            }
        }

        /// The files at a path. An archive is of a known kind itself.
        mutating func files(at path: String) throws(StoreError) -> (files: [AppFile], isCut: Bool) {
            guard AppFile.isArchive(path) else { return try AppFile.all(at: path) }
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return try attempt(name) { () throws(StoreError) in try AppFile.all(at: path) } ?? ([], false)
        }

        mutating func list(_ file: AppFile, limit: Int = limit) throws(StoreError) -> [String: PropertyList]? {
            try attempt(file.path) { () throws(StoreError) in
                try PropertyListFile.dictionary(file.bytes(limit: limit), at: file.path)
            }
        }

        /// A list that is of a known kind only by what is in it.
        mutating func list(_ file: AppFile, where isKnown: ([String: PropertyList]) -> Bool) -> [String: PropertyList]?
        {
            guard let bytes = try? file.bytes(limit: Self.limit),
                let list = try? PropertyListFile.dictionary(bytes, at: file.path), isKnown(list)
            else { return nil }
            files += 1
            return list
        }
    }

    /// Bytes of a project, of an executable in an archive, and of a profile.
    private enum Limit {
        static let project = 1 << 26
        static let executable = 1 << 28
        static let profile = 1 << 24
    }

    /// Reads all that is known at these paths.
    /// - Throws: `StoreError`: `notFound` where a path leads nowhere, `damaged` where none has a file of a known kind.
    init(_ paths: [String]) throws(StoreError) {
        for path in paths {
            let before = reading.files
            let (files, isCut) = try reading.files(at: path)
            if isCut { cut.append(path) }
            var bundles: [String: [String: AppFile]] = [:]
            var modelFiles: [String: [String: AppFile]] = [:]
            for file in files {
                try Interruption.check(path)
                switch AppFileKind(of: file.path) {
                case .ofApp(let bundle, let rest): bundles[bundle, default: [:]][rest] = file
                case .ofModel(let model, let rest): modelFiles[model, default: [:]][rest] = file
                case .project:
                    if let list = try reading.list(file, limit: Limit.project) { projects.append(XcodeProject(list)) }
                case .entitlements(let isBuilt):
                    if let list = try reading.list(file) { add(list, file.path, isBuilt: isBuilt) }
                case .information:
                    if let list = try reading.list(file), Self.isOfApp(list) { loose.infos[file.path] = list }
                case .propertyList:
                    let list = reading.list(file) { Self.isInformation($0) || Self.isEntitlements($0) }
                    guard let list else { break }
                    if Self.isInformation(list) {
                        if Self.isOfApp(list) { loose.infos[file.path] = list }
                    } else {
                        add(list, file.path, isBuilt: false)
                    }
                case nil: break
                }
            }
            for (_, files) in bundles.sorted(byBytesOf: \.key) { apps.append(try app(files)) }
            for (model, files) in modelFiles.sorted(byBytesOf: \.key) {
                models.append(try AppModel(at: model, files, reading: &reading))
            }
            if reading.files == before { ignored.append(path) }
        }
        guard reading.files > 0 else {
            throw StoreError(
                .damaged, at: paths[0], "neither an app nor part of one",
                hint: "name an .app, .ipa or .xcarchive, or the .entitlements, Info.plist, .xcodeproj or .xcdatamodeld")
        }
    }

    private mutating func add(_ list: [String: PropertyList], _ path: String, isBuilt: Bool) {
        loose.entitlements.append(AppEntitlements(path: path, isBuilt: isBuilt, values: list))
    }

    private static func isInformation(_ list: [String: PropertyList]) -> Bool { list["CFBundleIdentifier"] != nil }

    private static func isEntitlements(_ list: [String: PropertyList]) -> Bool {
        list.keys.contains { $0.hasPrefix("com.apple.") || $0.hasPrefix("aps-") }
    }

    /// Whether an `Info.plist` is that of an app, and of no extension, framework or test.
    private static func isOfApp(_ list: [String: PropertyList]) -> Bool {
        let type = list["CFBundlePackageType"]?.string ?? "APPL"
        // Other files are named so, too. Xcode adds keys to an empty one.
        let isInformation = list.isEmpty || list.keys.contains { $0.starts(with: /CFBundle|UI|NS|LS/) }
        return isInformation && (type == "APPL" || AppEntitlements.hasSetting(type)) && list["NSExtension"] == nil
    }

    /// Reads a bundle.
    /// - Parameter files: by their places in it.
    private mutating func app(_ files: [String: AppFile]) throws(StoreError) -> AppPart {
        var app = AppPart()
        app.hasContents = files.keys.contains { $0.hasPrefix("Contents/") }
        let base = app.hasContents ? "Contents/" : ""
        var executable: String?
        if let file = files["\(base)Info.plist"], let list = try reading.list(file) {
            app.infos[file.path] = list
            executable = list["CFBundleExecutable"]?.string
        }
        let name = files.values.first.flatMap { file in
            file.path.split(separator: "/").first { $0.hasSuffix(".app") }?.dropLast(4)
        }
        let place = "\(base)\(app.hasContents ? "MacOS/" : "")\(executable ?? name.map(String.init) ?? "")"
        if let file = files[place] {
            let found = try reading.attempt(file.path) { () throws(StoreError) in
                try AppExecutable(file.parts(limit: Limit.executable), at: file.path)
            }
            app.loadsCloudKit = found?.loadsCloudKit
            // What runs in a simulator has its entitlements in a section of the executable.
            let isSimulated = app.infos.values.contains {
                $0["CFBundleSupportedPlatforms"]?.array?.contains(.string("iPhoneSimulator")) ?? false
            }
            if let bytes = found?.entitlements, !bytes.isEmpty || !isSimulated {
                let list =
                    try bytes.isEmpty
                    ? [:]
                    : reading.attempt(file.path) { () throws(StoreError) in
                        try PropertyListFile.dictionary(bytes, at: file.path)
                    }
                if let list { app.entitlements = [AppEntitlements(path: file.path, isBuilt: true, values: list)] }
            }
        }
        let expanded = "archived-expanded-entitlements.xcent"
        if app.entitlements.isEmpty, let file = files[expanded] ?? files["Contents/Resources/\(expanded)"],
            let list = try reading.list(file)
        {
            app.entitlements = [AppEntitlements(path: file.path, isBuilt: true, values: list)]
        }
        if let file = files["\(base)embedded.mobileprovision"] ?? files["\(base)embedded.provisionprofile"] {
            app.profile = try reading.attempt(file.path) { () throws(StoreError) in
                try Self.profile(file.bytes(limit: Limit.profile), at: file.path)
            }
        }
        return app
    }

    /// The entitlements that a provisioning profile gives: its property list stands as plain text in the signed message.
    private static func profile(_ bytes: [UInt8], at path: String) throws(StoreError) -> AppEntitlements {
        func place(_ text: StaticString) -> Int? {
            bytes.withUnsafeBufferPointer { bytes in
                ByteSearch.firstIndex(
                    of: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), in: bytes)
            }
        }
        let end: StaticString = "</plist>"
        guard let start = place("<?xml") ?? place("<plist"), let last = place(end), start < last,
            let values = try PropertyListFile.dictionary(
                Array(bytes[start..<last + end.utf8CodeUnitCount]), at: path)["Entitlements"]?.dictionary
        else { throw StoreError(.damaged, at: path, "no profile with entitlements") }
        return AppEntitlements(path: path, isBuilt: true, values: values)
    }
}

/// What a file is by its path, if it is of a kind that is read.
private enum AppFileKind {
    /// In the bundle of an app, and where in it.
    case ofApp(String, String)
    case ofModel(String, String)
    case project
    case entitlements(isBuilt: Bool)
    case information
    /// Entitlements, an `Info.plist` or something else.
    case propertyList

    init?(of path: String) {
        let words = path.split(separator: "/").map(String.init)
        guard let name = words.last else { return nil }
        let folders = words.dropLast()
        guard !folders.contains(where: { folder in AppFile.foreignFolders.contains { folder.hasSuffix($0) } }) else {
            return nil
        }
        let bundles = folders.indices.filter { folders[$0].hasSuffix(".app") }
        // Apps in apps are helpers, or those of a watch.
        guard bundles.count <= 1, Self.isInPlace(folders, app: bundles.first) else { return nil }
        func split(after index: Int) -> (String, String) {
            (words[...index].joined(separator: "/"), words[(index + 1)...].joined(separator: "/"))
        }
        let model =
            folders.firstIndex { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }
            ?? folders.firstIndex { $0.hasSuffix(".xcdatamodel") }
        if let model {
            let (folder, rest) = split(after: model)
            self = .ofModel(folder, rest)
        } else if name.hasSuffix(".mom") {
            self = .ofModel(path, "")
        } else if let bundle = bundles.first {
            let (folder, rest) = split(after: bundle)
            self = .ofApp(folder, rest)
        } else if name == "project.pbxproj" {
            self = .project
        } else if folders.contains(where: { $0.hasSuffix(".xcodeproj") }) {
            return nil
        } else if name.hasSuffix(".entitlements") || name.hasSuffix(".xcent") {
            self = .entitlements(isBuilt: name.hasSuffix(".xcent"))
        } else if name == "Info.plist" || name.hasSuffix("-Info.plist") {
            self = .information
        } else if name.hasSuffix(".plist") {
            self = .propertyList
        } else {
            return nil
        }
    }

    /// Of an archive, only what is in its app counts.
    private static func isInPlace(_ folders: ArraySlice<String>, app: Int?) -> Bool {
        if let archive = folders.firstIndex(where: { $0.hasSuffix(".xcarchive") }) {
            return app == archive + 3 && folders[archive + 1] == "Products" && folders[archive + 2] == "Applications"
        }
        if let archive = folders.firstIndex(where: { $0.lowercased().hasSuffix(".ipa") }) {
            return app == archive + 2 && folders[archive + 1] == "Payload"
        }
        return true
    }
}
