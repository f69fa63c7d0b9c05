internal import CoreDataStore
internal import MeterModel

/// What people send in place of the text of a log: what it is, and how to make text of it.
enum LogKind: String, CaseIterable {
    /// A folder, a file out of such a folder, and what the system writes when an app crashes.
    case archive = ".logarchive"
    case tracev3 = ".tracev3"
    case crash = ".ips"

    private func isBegun(by bytes: [UInt8]) -> Bool {
        switch self {
        case .archive: false
        case .tracev3: bytes.starts(with: [0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00])
        case .crash: [#"{"app_name":"#, #"{"bug_type":"#].contains { bytes.starts(with: $0.utf8) }
        }
    }

    /// Nil for what may be text.
    /// - Parameter start: the first bytes of the file.
    static func refusal(of name: String, beginning start: [UInt8] = []) -> StoreError? {
        func refusal(_ what: String, _ hint: String) -> StoreError { StoreError(.damaged, at: name, what, hint: hint) }
        let command = LogHelp.archive("system_logs.logarchive")
        let lowercased = name.lowercased()
        switch allCases.first(where: { lowercased.hasSuffix($0.rawValue) || $0.isBegun(by: start) }) {
        case .archive:
            let path = ShellWord.quoted(name.hasSuffix("/") ? String(name.dropLast()) : name)
            return refusal("a log archive, not text", "make text of it, on a Mac: \(LogHelp.archive(path))")
        case .tracev3:
            return refusal(
                "a part of a log archive, not text", "make text of the .logarchive it is from, on a Mac: \(command)")
        case .crash:
            return refusal("the report of a crash, not a log", "the log of that moment, on a Mac: \(command)")
        case nil:
            guard let kind = FileKind(of: start), kind.isArchive || kind.isForLooking else { return nil }
            return refusal(
                "\(kind.name), not the text of a log",
                kind.isForLooking
                    ? "send the log as text: copy its lines in Console, or \(LogHelp.howTo)"
                    : "unpack it; of the log in a sysdiagnose, \(command) makes text, on a Mac")
        }
    }
}

/// How to get a log that can be read.
package enum LogHelp {
    private static let predicate =
        #"'subsystem == "com.apple.coredata" OR process == "cloudd" AND eventMessage CONTAINS "iCloud.ro.xdev.USB-Meter"'"#

    /// The command that makes text of an archive.
    static func archive(_ path: String) -> String {
        "log show --archive \(path) --info --debug --style ndjson --predicate \(predicate)"
    }

    /// On the Mac itself, and from another device.
    package static let howTo = """
        on a Mac, log show --last 1d --info --debug --style syslog --predicate \(predicate); from another device, install \
        Apple's CloudKit logging profile, let it happen again, take a sysdiagnose, and on a Mac \
        \(archive("system_logs.logarchive"))
        """
}
