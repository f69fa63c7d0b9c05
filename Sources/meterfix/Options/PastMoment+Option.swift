internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel

/// The state of a store that a command looks at.
extension PastMoment {
    static let help = ArgumentHelp(
        "Look at the store as it was after this transaction of `log`, at this time, or after this commit of its -wal.",
        valueName: "TRANSACTION|ISO-8601|commit:N")

    /// - Throws: `ValidationError`.
    static func parse(_ text: String) throws -> PastMoment {
        if text.hasPrefix("commit:"), let commit = Int(text.dropFirst("commit:".count)) { return .commit(commit) }
        if let number = Int64(text) { return .transaction(number) }
        guard let time = Timestamp(iso8601: text) else {
            throw ValidationError(
                "'\(text)' is no state; write the number of a transaction, a moment as 2026-11-21T10:15:00Z, or commit:3"
            )
        }
        return .time(time.secondsSince2001)
    }
}
