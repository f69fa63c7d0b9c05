internal import CoreDataStore

/// Where the files of one path belong: to a bundle, to a model, to a project, or to nothing but themselves.
struct AppPlaces {
    /// The files of each bundle, by their places in it.
    var bundles: [String: [String: AppFile]] = [:]
    /// The files of each model, by their places in it.
    var models: [String: [String: AppFile]] = [:]
    /// Archives of either kind, which have an app in them.
    var archives: Set<String> = []

    enum Place {
        /// Of a bundle or a model.
        case part
        /// In a project, which begins at this path.
        case project(String)
        /// In or of a mapping model, which is at this path.
        case mapping(String)
        /// A link in the place of a bundle or a model.
        case link
        case loose
        /// Of an extension, a framework, a helper, or nothing at all.
        case foreign
    }

    /// Finds out where a file belongs, and keeps it if that is a bundle or a model.
    mutating func place(of file: AppFile) -> Place {
        let words = file.path.split(separator: "/").map(String.init)
        let (name, folders) = (words.last ?? "", words.dropLast())
        var apps = folders.indices.filter { folders[$0].hasSuffix(".app") }
        // An iPhone's app on a Mac lies in a second bundle.
        if apps.count > 1, apps[1] == apps[0] + 2, folders[apps[0] + 1] == "Wrapper" { apps.removeFirst() }
        // Apps in apps are helpers, or those of a watch.
        guard apps.count <= 1,
            !folders.contains(where: { folder in AppFile.foreignFolders.contains { folder.hasSuffix($0) } }),
            isInPlace(folders, app: apps.first)
        else { return .foreign }
        func split(after index: Int) -> (String, String) {
            (words[...index].joined(separator: "/"), words[(index + 1)...].joined(separator: "/"))
        }
        if let mapping = words[(apps.first ?? 0)...].firstIndex(where: ModelPlace.isMappingModel) {
            return .mapping(split(after: mapping).0)
        }
        let outer = apps.isEmpty ? [".app", ".xcarchive", ".ipa"] : []
        let isBundle = (outer + [".momd", ".xcdatamodeld", ".xcdatamodel"]).contains(where: name.hasSuffix)
        if !file.isRegular, isBundle { return .link }
        let model =
            folders.firstIndex { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }
            ?? folders.firstIndex { $0.hasSuffix(".xcdatamodel") }
        if let model {
            let (folder, rest) = split(after: model)
            models[folder, default: [:]][rest] = file
            return .part
        }
        if name.hasSuffix(".mom") {
            models[file.path, default: [:]][""] = file
            return .part
        }
        if let app = apps.first {
            let (folder, rest) = split(after: app)
            guard !rest.hasPrefix("Wrapper/"), rest != "WrappedBundle" else { return .foreign }
            bundles[folder, default: [:]][rest] = file
            return .part
        }
        if let project = words.firstIndex(where: Self.isOfProject) { return .project(split(after: project).0) }
        return .loose
    }

    /// Whether a file or a folder is what a project is made of.
    private static func isOfProject(_ name: String) -> Bool {
        [".xcodeproj", ".xcworkspace", ".xcconfig"].contains(where: name.hasSuffix)
            || ["project.pbxproj", "project.xcproj", "project.yml", "Project.swift"].contains(name)
    }

    /// Of an archive, only what is in its app counts.
    private mutating func isInPlace(_ folders: ArraySlice<String>, app: Int?) -> Bool {
        if let archive = folders.firstIndex(where: { $0.hasSuffix(".xcarchive") }) {
            archives.insert(folders[...archive].joined(separator: "/"))
            return app == archive + 3 && folders[archive + 1] == "Products" && folders[archive + 2] == "Applications"
        }
        if let archive = folders.firstIndex(where: AppFile.isPackage) {
            return app == archive + 2 && folders[archive + 1] == "Payload"
        }
        return true
    }
}
