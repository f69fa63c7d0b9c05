internal import Texts

/// Words for a POSIX shell that are safe to show on a terminal.
package enum ShellWord {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+=:@%")

    /// The word as it is if a shell takes it literally, otherwise in single quotes. Control characters, and others that
    /// an answer escapes, become escapes of `printf`, which every shell has: `"$(printf 'a\012b')"`.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, !word.hasPrefix("-"), word.allSatisfy(plain.contains) { return word }
        // A path that begins with a hyphen would be taken for an option.
        return protected(word.hasPrefix("-") ? "./" + word : word)
    }

    /// An option and its value, which may be any text.
    package static func option(_ name: String, _ value: String) -> String {
        let word = !value.isEmpty && value.allSatisfy(plain.contains) ? value : protected(value)
        // Behind an equals sign a hyphen begins no option.
        return value.hasPrefix("-") ? "\(name)=\(word)" : "\(name) \(word)"
    }

    /// In quotes, or as what `printf` prints.
    private static func protected(_ safe: String) -> String {
        guard safe.unicodeScalars.contains(where: \.isHidden) else { return quotes(safe) }
        // Command substitution removes line feeds at the end; only newer shells have a notation that keeps them.
        if safe.unicodeScalars.last == "\n" { return "$'\(escaped(safe, [("%", "%"), ("'", "\\'")]))'" }
        return "\"$(printf '\(escaped(safe, [("%", "%%"), ("'", "'\\''")]))')\""
    }

    private static func quotes(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// Escapes what an answer would, with three octal digits for each byte.
    /// - Parameter special: other characters to escape, with their replacement.
    private static func escaped(_ text: String, _ special: [(scalar: Unicode.Scalar, written: String)]) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if let written = special.first(where: { $0.scalar == scalar })?.written {
                escaped += written
                continue
            }
            switch scalar {
            case "\\": escaped += "\\\\"
            case _ where scalar.isHidden:
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 8)
                    escaped += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension RecordLayout.Field {
    /// The option of `set` that gives a meter this value again, as words for a shell; nil where it cannot set the value.
    /// White space around a name is left out, as `set` does.
    package func setOption(_ value: FieldValue) -> String? {
        guard let text = value.text else { return nil }
        switch known?.settable {
        case .name: return ShellWord.option("--name", WhiteSpace.trimmed(text))
        case .unit: return TemperatureUnit(rawValue: text).map { "--unit \($0.rawValue)" }
        case nil: return nil
        }
    }
}

extension SettingsField {
    /// The option of `rebuild` that keeps this value of a meter, as words for a shell; nil for a value that no option names.
    /// - Parameter mac: the meter's address.
    package func keepOption(_ value: FieldValue, of mac: String) -> String? {
        guard let text = value.text, !value.isEmpty else { return nil }
        switch settable {
        case .name: return ShellWord.option("--keep", "\(mac)=\(text)")
        case .unit: return ShellWord.option("--keep-unit", "\(mac)=\(text)")
        case nil: return nil
        }
    }
}
