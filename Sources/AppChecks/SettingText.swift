internal import CoreDataStore

/// A text of a source, with the build settings in it: `iCloud.$(PREFIX).App`.
struct SettingText: Hashable, Sendable {
    /// As it stands in the file.
    let raw: String
    /// With the settings that are known in their places.
    let resolved: String

    /// Whether a setting is left, so that what the text comes to cannot be seen.
    var isOpen: Bool { Self.hasSetting(resolved) }

    static func hasSetting(_ text: String) -> Bool { text.contains("$(") || text.contains("${") }
}

/// The values of build settings, by name, which stand in entitlements and `Info.plist` as `$(NAME)`, `${NAME}` or
/// `$(NAME:rfc1034identifier)`. Xcode resolved them: no value has another setting in it.
struct SettingValues: Sendable {
    var values: [String: String] = [:]

    /// Bytes of a text, once resolved.
    private static let longest = 1 << 16

    func text(_ raw: String) -> SettingText { SettingText(raw: raw, resolved: resolved(raw)) }

    /// A text with what is known in the place of each setting, the innermost first. What is not known stays as it is.
    private func resolved(_ text: String) -> String {
        guard SettingText.hasSetting(text) else { return text }
        // What stands in front of the first setting, and in each one that is not closed yet.
        var open: [(closing: Character?, text: String)] = [(nil, "")]
        var bytes = 0
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "$", let bracket = rest.first, bracket == "(" || bracket == "{" {
                rest.removeFirst()
                open.append((bracket == "(" ? ")" : "}", ""))
            } else if let last = open.last, character == last.closing {
                open.removeLast()
                let value = value(of: last.text) ?? Self.opening(last.closing) + last.text + String(character)
                bytes += value.utf8.count
                guard bytes <= Self.longest else { return text }
                open[open.count - 1].text += value
            } else {
                open[open.count - 1].text.append(character)
            }
        }
        return open.map { Self.opening($0.closing) + $0.text }.joined()
    }

    private static func opening(_ closing: Character?) -> String {
        switch closing {
        case nil: ""
        case ")"?: "$("
        case _?: "${"
        }
    }

    /// The value of a setting with its modifier; nil where either is not known.
    private func value(of setting: String) -> String? {
        let parts = setting.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.first, let value = values[name] else { return nil }
        return parts.dropFirst().reduce(String?.some(value)) { value, modifier in
            modifier == "rfc1034identifier" ? value.map(Self.identifier) : nil
        }
    }

    /// What Xcode makes of a text that is to be part of an identifier.
    private static func identifier(_ text: String) -> String {
        String(
            text.enumerated().map { index, character in
                guard character.isASCII else { return "-" }
                return character.isLetter || character == "-" || index > 0 && character.isNumber ? character : "-"
            })
    }
}
