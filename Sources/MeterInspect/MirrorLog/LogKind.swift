internal import CoreDataStore
internal import MeterModel

/// What people send in place of the text of a log.
enum LogKind: CaseIterable {
    /// A folder.
    case archive
    /// A file out of such a folder.
    case tracev3
    /// What the system writes when an app crashes.
    case crash

    private var ending: String {
        switch self {
        case .archive: ".logarchive"
        case .tracev3: ".tracev3"
        case .crash: ".ips"
        }
    }

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
        let lowercased = name.lowercased()
        if let kind = allCases.first(where: { lowercased.hasSuffix($0.ending) || $0.isBegun(by: start) }) {
            return kind.refusal(of: name)
        }
        guard let kind = FileKind(of: start), kind.isArchive || kind.isForLooking else { return nil }
        if kind.isForLooking {
            return StoreError(
                .damaged, at: name, "\(kind.name), not the text of a log",
                hint: "send the log as text: copy its lines in Console, or \(LogHelp.howTo)")
        }
        return StoreError(
            .damaged, at: name, "\(kind.name), not the text of a log",
            hint:
                "unpack it; of the log in a sysdiagnose, \(LogHelp.archive("system_logs.logarchive")) makes text, on a Mac"
        )
    }

    private func refusal(of name: String) -> StoreError {
        switch self {
        case .archive:
            let path = name.hasSuffix("/") ? String(name.dropLast()) : name
            return StoreError(
                .damaged, at: name, "a log archive, not text",
                hint: "make text of it, on a Mac: \(LogHelp.archive(ShellWord.quoted(path)))")
        case .tracev3:
            return StoreError(
                .damaged, at: name, "a part of a log archive, not text",
                hint: "make text of the .logarchive it is from, on a Mac: \(LogHelp.archive("system_logs.logarchive"))")
        case .crash:
            return StoreError(
                .damaged, at: name, "the report of a crash, not a log",
                hint: "the log of that moment, on a Mac: \(LogHelp.archive("system_logs.logarchive"))")
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
