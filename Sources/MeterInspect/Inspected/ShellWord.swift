/// Words for a POSIX shell, safe to be shown on a terminal.
package enum ShellWord {
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+=:@%")

    /// The word as it is where a shell takes it literally, otherwise in single quotes. Control characters, and others
    /// that a terminal obeys, are written as escapes of `printf`, which every shell has: `"$(printf 'a\012b')"`.
    package static func quoted(_ word: String) -> String {
        if !word.isEmpty, !word.hasPrefix("-"), word.allSatisfy(plain.contains) { return word }
        // A path that begins with a hyphen would be taken for an option.
        let safe = word.hasPrefix("-") ? "./" + word : word
        guard safe.unicodeScalars.contains(where: isObeyed) else { return quotes(safe) }
        // What a command prints loses the line feeds at its end; for this, newer shells alone have a way.
        if safe.unicodeScalars.last == "\n" { return "$'\(escaped(safe, [("%", "%"), ("'", "\\'")]))'" }
        return "\"$(printf '\(escaped(safe, [("%", "%%"), ("'", "'\\''")]))')\""
    }

    private static func quotes(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// With three octal digits for each byte of what is obeyed.
    /// - Parameter special: what else must be written in another way.
    private static func escaped(_ text: String, _ special: [(scalar: Unicode.Scalar, written: String)]) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if let written = special.first(where: { $0.scalar == scalar })?.written {
                escaped += written
                continue
            }
            switch scalar {
            case "\\": escaped += "\\\\"
            case _ where isObeyed(scalar):
                for byte in String(scalar).utf8 {
                    let digits = String(byte, radix: 8)
                    escaped += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
                }
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// What a terminal does not show but obeys, and what stands for something else in an answer.
    private static func isObeyed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse: true
        case .format: scalar.properties.isBidiControl
        default: false
        }
    }
}
