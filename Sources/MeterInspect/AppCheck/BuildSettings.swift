internal import CoreDataStore
internal import MeterModel

/// Build settings of Xcode, in layers: what is not set in one is as it is in the next.
struct BuildSettings: Sendable {
    /// Values by key, and below it by the key as it is written, a condition such as `[sdk=macosx*]` included.
    private var layers: [[Substring: [String: [String]]]]

    /// Bytes of a value in which settings are replaced, and how many are.
    private static let (longest, most) = (1_000, 100)

    /// - Parameter list: `buildSettings` of an `XCBuildConfiguration`.
    init(_ list: [String: PropertyList] = [:]) {
        layers = [[:]]
        for (key, value) in list { set(key, to: value.array?.compactMap(\.string) ?? [value.string ?? ""]) }
    }

    /// Those of an `.xcconfig`: `KEY = value // comment`, and `#include "name"` for those of another file, if it is known.
    /// - Parameter files: the text of each file that was handed over, by its name.
    init?(file name: String, among files: [String: String]) {
        layers = [[:]]
        var rest = files
        guard read(name, among: &rest) else { return nil }
    }

    /// - Parameter files: no file is read twice.
    private mutating func read(_ name: String, among files: inout [String: String]) -> Bool {
        guard let text = files.removeValue(forKey: name) else { return false }
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#include") {
                let path = line.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
                if path.count == 3 { _ = read(AppFile.name(of: String(path[1])), among: &files) }
                continue
            }
            let line = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
            // A condition in brackets has one, too.
            var depth = 0
            let end = line.firstIndex { character in
                depth += character == "[" ? 1 : character == "]" ? -1 : 0
                return character == "=" && depth == 0
            }
            guard let end else { continue }
            set(WhiteSpace.trimmed(String(line[..<end])), to: [WhiteSpace.trimmed(String(line[end...].dropFirst()))])
        }
        return true
    }

    private mutating func set(_ key: String, to values: [String]) {
        layers[0][key.prefix { $0 != "[" }, default: [:]][key] = values
    }

    func inheriting(_ others: BuildSettings) -> BuildSettings {
        var all = self
        all.layers += others.layers
        return all
    }

    func has(_ key: String) -> Bool { first(key) != nil }

    /// All values of a setting, with the settings in them as far as they are known.
    func all(_ key: String) -> Set<String> {
        let found = layers.reduce(into: [String: [String]]()) { found, layer in
            found.merge(layer[key[...]] ?? [:]) { nearer, _ in nearer }
        }
        return Set(found.values.joined().map(expanded).filter { !$0.isEmpty })
    }

    func one(_ key: String) -> String? { first(key).map(expanded) }

    private func first(_ key: String) -> String? { layers.lazy.compactMap { $0[key[...]]?[key]?.first }.first }

    private func expanded(_ value: String) -> String {
        var value = value
        for _ in 0..<Self.most {
            guard value.utf8.count <= Self.longest,
                let (range, replacement) = value.matches(of: /\$[({](\w+)[)}]/).lazy
                    .compactMap({ match in first(String(match.1)).map { (match.range, $0) } }).first
            else { break }
            value.replaceSubrange(range, with: replacement)
        }
        return value
    }
}
