internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// A line of a shell while it is typed, and what is offered for the word that is being typed. That may be nothing, but it
/// never fails, and is never slow.
struct WordCompletion {
    /// The addresses and names of the store that the line names, or `$METERFIX_STORE`.
    static let meter = CompletionKind.custom { words, index, _ in WordCompletion(words, index).meters }

    /// The same; files where `--held-by` names a device, so that the word is the store.
    static let meterUnlessHeldBy = CompletionKind.custom { words, index, _ in
        let line = WordCompletion(words, index)
        return line.names("--held-by") ? line.files : line.meters
    }

    /// The same, and files, where the word may be the store.
    static let meterOrStore = CompletionKind.custom { words, index, _ in
        let line = WordCompletion(words, index)
        return line.names("--row") ? line.files : line.meters + line.files
    }

    /// The ids of findings that `fix` cures, and files: the last word is the store.
    static let cureOrStore = CompletionKind.custom { words, index, _ in
        let line = WordCompletion(words, index)
        return FixableCheck.allCases.map(\.rawValue).filter { !line.names($0) } + line.files
    }

    /// The ids of checks.
    static let check = CompletionKind.list(Check.all.map(\.id))

    /// Without the program and the word that is being typed.
    private let others: [String]
    /// As far as it is typed.
    private let word: String

    /// Bytes: the records of a larger store would take too long.
    private static let largestStore = 64 << 20
    /// More than a person looks through.
    private static let most = 1_000

    private init(_ words: [String], _ index: Int) {
        let words = words.map(Self.unquoted)
        word = words.indices.contains(index) ? words[index] : ""
        others = words.enumerated().filter { $0.offset > 0 && $0.offset != index }.map(\.element)
    }

    private func names(_ word: String) -> Bool { others.contains { $0 == word || $0.hasPrefix(word + "=") } }

    /// What the shell makes of a word, in nearly all cases.
    private static func unquoted(_ word: String) -> String {
        var text = ""
        var isEscaped = false
        for character in word {
            if !isEscaped, character == "\\" {
                isEscaped = true
                continue
            }
            if isEscaped || (character != "\"" && character != "'") { text.append(character) }
            isEscaped = false
        }
        guard text.hasPrefix("~/"), let home = ProcessInfo.processInfo.environment["HOME"] else { return text }
        return home + text.dropFirst()
    }

    // MARK: - Meters

    private var meters: [String] {
        guard let meters = namedMeters else { return [] }
        let write = addressWriter(meters.letterCase)
        return (meters.addresses.map(write) + meters.names.filter(Self.isSafe)).prefix(Self.most).map(\.self)
    }

    /// Of the last word that is a store.
    private var namedMeters: NamedMeters? {
        for path in others.reversed() + [StoreArgument.fromEnvironment].compactMap(\.self) {
            let sizes = [path, path + "-wal"].compactMap { try? FileStatus(path: $0) }
            guard sizes.first?.isRegular == true, sizes.reduce(0, { $0 + Int($1.size) }) <= Self.largestStore,
                let meters = try? NamedMeters.of(path, now: Timestamp(secondsSince1970: Date().timeIntervalSince1970))
            else { continue }
            return meters
        }
        return nil
    }

    /// Writes addresses in the notation that the user began with. Otherwise with hyphens: bash takes a colon for the end
    /// of a word, and zsh for that of a completion.
    private func addressWriter(_ letterCase: LetterCase) -> (MACAddress) -> String {
        let letters = word.filter { "abcdefABCDEF".contains($0) }
        let typedCase: LetterCase? =
            letters.isEmpty
            ? nil : letters == letters.lowercased() ? .lower : letters == letters.uppercased() ? .upper : nil
        let isPlain = word.count > 2 && word.allSatisfy(\.isHexDigit)
        // Each colon is escaped where zsh shows it.
        let colon = CompletionShell.requesting == .zsh ? "\\:" : ":"
        let separator = word.contains(":") ? colon : isPlain ? "" : "-"
        return { $0.text(in: typedCase ?? letterCase).replacingOccurrences(of: ":", with: separator) }
    }

    // MARK: - Files

    private var files: [String] {
        let folder = word.lastIndex(of: "/").map { String(word[...$0]) } ?? ""
        let start = word.dropFirst(folder.count)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return names.sorted().filter { $0.hasPrefix(start) && ($0.hasPrefix(".") == start.hasPrefix(".")) }
            // Parts of a store, which is named by its main file.
            .filter { name in !["-wal", "-shm", "-journal"].contains(where: name.hasSuffix) }
            .prefix(Self.most).map { name in
                let path = folder + name
                return (try? FileStatus(path: path))?.isDirectory == true ? path + "/" : path
            }.filter(Self.isSafe)
    }

    /// Whether a shell takes each character literally. bash executes what looks like a command in a completion, and names
    /// come from a customer's file: anything else is left for the user to type.
    private static func isSafe(_ text: String) -> Bool {
        !text.hasPrefix("-")
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                    .nonspacingMark, .spacingMark, .decimalNumber:
                    true
                default: " -_./+,".unicodeScalars.contains(scalar)
                }
            }
    }
}
