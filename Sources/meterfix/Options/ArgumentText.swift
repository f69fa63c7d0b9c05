internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel

/// The texts of the command line. Swift puts U+FFFD in the place of bytes that are not UTF-8: such a text is not what
/// the user typed, and none that is stored, or that a file is named by, may be one.
enum ArgumentText {
    /// What Swift made of the arguments that are not UTF-8.
    private static let mended: Set<String> = {
        var mended: Set<String> = []
        for index in 1..<max(1, Int(CommandLine.argc)) {
            guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil else { continue }
            mended.insert(String(cString: bytes))
        }
        return mended
    }()

    /// Whether the text, as an argument or behind the `=` of one, is not UTF-8.
    static func isMended(_ text: String) -> Bool { mended.contains { $0 == text || $0.hasSuffix("=" + text) } }

    /// The text, for an option whose value is stored or compared.
    /// - Throws: `ValidationError` where it is not UTF-8.
    static func exact(_ text: String) throws -> String {
        guard !isMended(text) else {
            throw ValidationError("'\(Escaped.text(text))' is not UTF-8; type it in a terminal that uses UTF-8")
        }
        return text
    }

    /// A path that is not UTF-8 may, once mended, be that of another file.
    /// - Throws: `ValidationError` where it is.
    static func refuseOtherFiles() throws {
        for argument in mended {
            let path = argument.hasPrefix("-") ? String(argument.drop { $0 != "=" }.dropFirst()) : argument
            if (try? FileStatus(path: path)) != nil { _ = try exact(path) }
        }
    }

    /// Refuses `-` where an option names what a command writes: others mean standard output by it, and what is printed
    /// there is the answer. A name that is not UTF-8 is refused too, for the file would get another one.
    static func validate(output path: String?, _ option: String) throws {
        guard let path else { return }
        guard path != "-" else {
            throw ValidationError("\(option) does not write to standard output; for a file with this name, write ./-")
        }
        _ = try exact(path)
    }
}
