internal import CoreDataStore
internal import MeterModel

/// What people send in place of the text of a log.
extension LogText {
    private static let predicate =
        #"'subsystem == "com.apple.coredata" OR process == "cloudd" AND eventMessage CONTAINS "iCloud.ro.xdev.USB-Meter"'"#

    /// The command that makes text of an archive.
    private static func command(_ archive: String = "system_logs.logarchive") -> String {
        "log show --archive \(archive) --info --debug --style ndjson --predicate \(predicate)"
    }

    /// How to get a log that can be read: on the Mac itself, and from another device.
    static let howTo = """
        on a Mac, log show --last 1d --info --debug --style syslog --predicate \(predicate); from another device, install \
        Apple's CloudKit logging profile, let it happen again, take a sysdiagnose, and on a Mac \(command())
        """

    /// That of a crash which says nothing of the mirror.
    static func refusal(of name: String, _ report: CrashReport?) -> StoreError {
        let reason = report?.reasons.first.map { ": it says \"\($0.prefix(300))\"" }
        return StoreError(
            .damaged, at: name,
            "the report of a crash, not a log, and it says nothing of CloudKit's mirror\(reason ?? "")",
            hint: "the log of that moment, on a Mac: \(command())")
    }

    /// What it is, and how to make text of it; nil for what may be text.
    /// - Parameter start: the first bytes of the file.
    static func refusal(of name: String, beginning start: [UInt8] = []) -> StoreError? {
        func refusal(_ what: String, _ hint: String) -> StoreError { StoreError(.damaged, at: name, what, hint: hint) }
        func isA(_ ending: String, begunBy beginnings: [UInt8]...) -> Bool {
            name.lowercased().hasSuffix(ending) || beginnings.contains { start.starts(with: $0) }
        }
        if isA(".logarchive") {
            let path = ShellWord.quoted(name.hasSuffix("/") ? String(name.dropLast()) : name)
            return refusal("a log archive, not text", "make text of it, on a Mac: \(command(path))")
        }
        if isA(".tracev3", begunBy: [0x00, 0x10, 0x00, 0x00, 0x11, 0x00, 0x00, 0x00]) {
            return refusal(
                "a part of a log archive, not text", "make text of the .logarchive it is from, on a Mac: \(command())")
        }
        guard let kind = FileKind(of: start), kind.isArchive || kind.isForLooking else { return nil }
        return refusal(
            "\(kind.name), not the text of a log",
            kind.isForLooking
                ? "send the log as text: copy its lines in Console, or \(howTo)"
                : "unpack it; of the log in a sysdiagnose, \(command()) makes text, on a Mac")
    }
}
