package import CoreDataStore
internal import MeterModel

/// Writes the two dictionaries in the forms people send, for samples and tests.
package enum DumpText {
    /// An XML property list as Apple writes it: keys in order, a tab a level.
    package static func xml(_ list: PropertyList) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        \(xmlLines(list, indent: "").joined(separator: "\n"))
        </plist>

        """
    }

    private static func xmlLines(_ list: PropertyList, indent: String) -> [String] {
        switch list {
        case .dictionary(let entries):
            guard !entries.isEmpty else { return [indent + "<dict/>"] }
            return [indent + "<dict>"]
                + entries.sorted { $0.key < $1.key }.flatMap { key, value in
                    ["\(indent)\t<key>\(escaped(key))</key>"] + xmlLines(value, indent: indent + "\t")
                } + [indent + "</dict>"]
        case .array(let elements):
            return [indent + "<array>"] + elements.flatMap { xmlLines($0, indent: indent + "\t") }
                + [indent + "</array>"]
        case .string(let text): return ["\(indent)<string>\(escaped(text))</string>"]
        case .integer(let number): return ["\(indent)<integer>\(number)</integer>"]
        case .unsigned(let number): return ["\(indent)<integer>\(number)</integer>"]
        case .real(let number): return ["\(indent)<real>\(number)</real>"]
        case .bool(let flag): return [indent + (flag ? "<true/>" : "<false/>")]
        default: return ["\(indent)<string>\(list)</string>"]
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// What `defaults read` prints: keys in order, everything but ASCII as `\\U` and UTF-16.
    package static func oldStyle(_ list: PropertyList, indent: String = "") -> String {
        switch list {
        case .dictionary(let entries):
            let lines = entries.sorted { $0.key < $1.key }.map { key, value in
                "\(indent)    \(quoted(key)) = \(oldStyle(value, indent: indent + "    "));\n"
            }
            return "{\n\(lines.joined())\(indent)}"
        case .string(let text): return quoted(text)
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        case .bool(let flag): return flag ? "1" : "0"
        default: return quoted("\(list)")
        }
    }

    private static func quoted(_ text: String) -> String {
        let isWord = !text.isEmpty && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isLetter && $0 < 0x80 }
        if isWord { return text }
        return text.utf16.reduce(into: "\"") { quoted, unit in
            switch unit {
            case 0x22: quoted += "\\\""
            case 0x5C: quoted += "\\\\"
            case 0x0A: quoted += "\\n"
            case 0x20..<0x7F: quoted.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                quoted += "\\\\U" + Hexadecimal.text(ofUTF16: [unit])
            }
        } + "\""
    }
}
