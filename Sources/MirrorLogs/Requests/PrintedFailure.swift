internal import CoreDataStore
internal import Texts

/// What an app itself says of a request of the mirror, in words that are neither Core Data's nor CloudKit's: `export
/// failed: …`, `succeeded: false`.
enum PrintedFailure {
    /// What a request can be about.
    private static let subjects = ["export", "import", "sync", "cloudkit", "icloud", "ckerror", "persistent store"]
    private static let subject = WordFilter(subjects.map { [$0] }, ignoresCase: true)
    /// An app has exports and imports of its own: only a reason that CloudKit gives makes one of these a request.
    private static let clouds = ["cloudkit", "icloud", "ckerror", "persistent store"]
    private static let cloud = WordFilter(clouds.map { [$0] }, ignoresCase: true)
    private static let failures = ["failed", "failure", "error"]
    private static let failure = WordFilter(failures.map { [$0] }, ignoresCase: true)

    /// Whether a text is about a request of the mirror, and not about something important.
    static func isAboutRequest(_ text: LogPart) -> Bool {
        isAny(subject, subjects, in: text) { place, end in
            !(text[..<place].last?.isLetter ?? false)
                && (!(text[end...].first?.isLetter ?? false) || text[end...].begins("ing"))
                || text[place...].begins("CKError")
        }
    }

    /// Whether it says that a request failed: a word of failure close behind what it is about, at the end of the text or
    /// before a reason.
    static func isTold(by text: LogPart) -> Bool {
        isAny(failure, failures, in: text) { place, end in
            let before = text[..<place].suffix(48)
            return !(before.last?.isLetter ?? false) && !isDenied(before)
                && hasReason(behind: text[end...]) && !before.contains(". ")
                && isAboutRequest(before) && isAboutCloud(text)
        }
    }

    private static func isAboutCloud(_ text: LogPart) -> Bool {
        isAny(cloud, clouds, in: text) { place, _ in
            !(text[..<place].last?.isLetter ?? false) && !isDenied(text[..<place])
        }
    }

    /// Whether the words before something say that there is none of it.
    static func isDenied(_ before: LogPart) -> Bool { denials.contains(where: before.ends) }

    private static let denials: [StaticString] = ["no ", "No ", "without ", "not ", "0 "]
    /// What is printed for no error.
    private static let nothing: [StaticString] = [
        "nil", "(null)", "<null>", "never", "none", "None", "null", "<nil>", "0", "false", "NO",
    ]

    private static func hasReason(behind rest: LogPart) -> Bool {
        let rest = rest.withoutSpace
        guard let sign = rest.first else { return true }
        guard ":=".utf8.contains(sign) else { return rest.begins("with ") || rest.begins("(") }
        let reason = rest.dropFirst().withoutSpace
        return !nothing.contains(where: reason.begins)
    }

    /// - Parameter isOne: is handed where a word begins and ends.
    private static func isAny(
        _ filter: WordFilter, _ words: [String], in text: LogPart, _ isOne: (_ place: Int, _ end: Int) -> Bool
    ) -> Bool {
        var place = text.startIndex
        while let found = filter.firstWord(in: UnsafeBufferPointer(rebasing: text[place...]), from: 0) {
            place += found.place
            let end = place + words[found.group].utf8.count
            if isOne(place, end) { return true }
            place = end
        }
        return false
    }
}

/// Events of which an app prints the properties one by one.
extension PrintedFailure {
    private static let kinds = ["export", "import", "setup"]
    private static let kind = WordFilter(kinds.map { [$0] }, ignoresCase: true)
    /// Of an event that is not over.
    private static let open: [StaticString] = [
        "endDate: nil", "endDate: (null)", "endDate=nil", "ended: nil", "ended: (null)", "end: nil", "end=nil",
        "ended=nil",
        "vent started", "\"start\"",
    ]

    /// - Returns: nil for a text that does not say of which request it is, and for a request that is not over.
    static func event(in text: LogPart) -> MirrorStatement? {
        guard let value = text.after("succeeded")?.drop(while: ":=\" ".utf8.contains), let kind = kindOfEvent(in: text),
            !open.contains(where: text.contains)
        else { return nil }
        let isGood = value.begins("true") || value.begins("YES")
        guard isGood || value.begins("false") || value.begins("NO") else { return nil }
        // An app has exports of its own, whose success says nothing of the mirror.
        guard !isGood || text.contains("loudKit") || text.contains("iCloud") else { return nil }
        return .printed(kind: kind, started: "", start: nil, end: nil, outcome: isGood ? .succeeded : .failed)
    }

    private static func kindOfEvent(in text: LogPart) -> String? {
        if let word = kind.firstWord(in: UnsafeBufferPointer(rebasing: text), from: 0) { return kinds[word.group] }
        // The numbers of `NSPersistentCloudKitContainer.EventType`.
        let number = text.after("EventType(rawValue: ")?.first
        return number.flatMap { ["0": "setup", "1": "import", "2": "export"][Character(UnicodeScalar($0))] }
    }
}

extension LogPart {
    fileprivate func ends(_ text: StaticString) -> Bool { suffix(text.utf8CodeUnitCount).begins(text) }
}
