/// Where the files lie that build settings name.
struct AppFileIndex: Sendable {
    private let paths: [String: [String]]

    init(_ paths: some Sequence<String>) { self.paths = Dictionary(grouping: paths, by: AppFile.name) }

    /// The path that ends with one below `SRCROOT`, or else the only one of that name; nil where several fit.
    func place(of path: String) -> String? {
        let named = paths[AppFile.name(of: path)] ?? []
        let below = named.filter { "/\($0)".hasSuffix("/\(path)") }.sorted { $0.utf8.count < $1.utf8.count }
        guard let first = below.first else { return named.count == 1 ? named[0] : nil }
        return below.count == 1 || first.utf8.count < below[1].utf8.count ? first : nil
    }
}

/// What was handed over of the files that build settings name.
struct AppNamedFiles: Sendable {
    private let information: [String: AppInformation]
    private let index: AppFileIndex
    private let unreadable: AppFileIndex

    init(_ parts: AppParts) {
        information = parts.loose.information
        index = AppFileIndex(information.keys)
        unreadable = AppFileIndex(parts.faults.map(\.path))
    }

    /// The Info.plist that a target names; nil where it names none, or that was not handed over.
    func information(of target: AppTarget) -> AppInformation? {
        target.information.flatMap(index.place).flatMap { information[$0] }
    }

    /// That a file was not handed over; nil where it was, and cannot be read.
    func gap(_ path: String) -> AppGap? {
        guard unreadable.place(of: path) == nil else { return nil }
        return .file(path: path, why: "the build settings name it, and it was not handed over", command: nil)
    }
}
