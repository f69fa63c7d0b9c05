internal import CoreDataStore

/// Build settings of Xcode by their keys, those under a condition such as `[sdk=macosx*]` included.
struct BuildSettings: Sendable {
    private var values: [String: [String]] = [:]

    /// Bytes of a value in which settings are replaced, and how many are.
    private static let (longest, most) = (1_000, 100)

    /// - Parameter list: `buildSettings` of an `XCBuildConfiguration`.
    init(_ list: [String: PropertyList] = [:]) {
        values = list.mapValues { $0.array?.compactMap(\.string) ?? [$0.string ?? ""] }
    }

    /// Those of an `.xcconfig`: `KEY = value // comment`, and `#include "name"` for those of another file, if it is known.
    /// - Parameter files: the text of each file that was handed over, by its name.
    init?(file name: String, among files: [String: String]) {
        var rest = files
        guard read(name, among: &rest) else { return nil }
    }

    /// - Parameter files: no file is read twice.
    private mutating func read(_ name: String, among files: inout [String: String]) -> Bool {
        guard let text = files.removeValue(forKey: name) else { return false }
        for line in text.split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#include") {
                let path = line.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
                if path.count == 3 { _ = read(XcodeProject.name(String(path[1])), among: &files) }
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
            values[Self.trimmed(line[..<end])] = [Self.trimmed(line[end...].dropFirst())]
        }
        return true
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }

    /// What is not set here is as it is there.
    func inheriting(_ others: BuildSettings) -> BuildSettings {
        var all = self
        all.values.merge(others.values) { own, _ in own }
        return all
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// All values of a setting, with the settings in them as far as they are known.
    func all(_ key: String) -> Set<String> {
        let found = values.filter { $0.key == key || $0.key.hasPrefix("\(key)[") }.values.joined()
        return Set(found.map(expanded).filter { !$0.isEmpty })
    }

    func one(_ key: String) -> String? { values[key]?.first.map(expanded) }

    private func expanded(_ value: String) -> String {
        var value = value
        for _ in 0..<Self.most {
            guard value.utf8.count <= Self.longest,
                let (range, key) = value.matches(of: /\$[({](\w+)[)}]/).lazy.map({ ($0.range, String($0.1)) })
                    .first(where: { values[$0.1] != nil })
            else { break }
            value.replaceSubrange(range, with: values[key]?.first ?? "")
        }
        return value
    }
}
