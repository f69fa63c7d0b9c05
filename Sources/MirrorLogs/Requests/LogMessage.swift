internal import CoreDataStore
internal import Texts

/// One message of a log, and what is in it. It is there as long as its record is looked at.
struct LogMessage {
    let time: LogMoment?
    /// The process that wrote it; none for what is about any of them.
    private(set) var owner: LogProcess
    var process: String? { owner.name }
    /// Without date and process.
    let text: LogPart
    let lines: Int
    /// Whether the log says that Core Data wrote it.
    let isOfCoreData: Bool
    /// Whether the log says that it is an error or a fault.
    let isComplaint: Bool
    /// Where its words are.
    let places: [Int?]
    private(set) var statement = MirrorStatement.other
    /// The identifier of the store that it is about.
    private(set) var store: String?
    /// Each with what the log says of it.
    private(set) var errors: [LoggedErrors.Found] = []
    /// What its words tell, and whether only where nothing else does.
    private(set) var told: [(fault: MirrorFault, isOtherwise: Bool)] = []

    func has(_ word: LogWord) -> Bool { !places.isEmpty && places[word.rawValue] != nil }

    /// - Parameter bytes: those of the record.
    init(_ record: LogRecord, _ bytes: UnsafeBufferPointer<UInt8>) {
        (time, lines) = (record.time, record.lines)
        owner = record.owner
        (isOfCoreData, isComplaint) = (record.isOfCoreData, record.isComplaint)
        text = bytes[record.text]
        places = LogWord.filter.places(in: UnsafeBufferPointer(rebasing: text))
    }
}

/// What is in it.
extension LogMessage {
    /// Whether nothing went wrong as far as it says.
    var isEmpty: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .noise } }

    /// Whether it only tells that the system has hidden parts of it.
    var isRedactedOnly: Bool { errors.isEmpty && told.allSatisfy { $0.fault.id == "redacted" } }

    /// Whether it only says that something failed, and not why.
    var isUnknownOnly: Bool {
        errors.isEmpty && !told.isEmpty && told.allSatisfy { $0.fault == .unknownError && $0.isOtherwise }
    }

    /// Whether it is about no error at all.
    var isNote: Bool { errors.isEmpty && told.allSatisfy { $0.fault.kind == .note } }

    /// Reads what it says.
    /// - Returns: false for a message that is about something else.
    mutating func read() -> Bool {
        if LogLineKind.isGap(text) {
            told = [(MirrorFault.linesLeftOut, false)]
            owner = LogProcess(name: nil, number: nil, host: owner.host)
            return true
        }
        statement = MirrorStatement(self)
        store = namedStore
        var isTold = false
        switch statement {
        case .idle where accountStatus.map { $0 != "Available" } ?? false: (statement, isTold) = (.other, true)
        case .idle, .began: return isOfMirror
        case .ended, .finished, .finishedAutomatic, .printed:
            errors = LoggedErrors.all(in: self)
            // What has an error did not succeed, whatever it says.
            if !errors.isEmpty { statement = statement.failed }
        case .recovers:
            errors = LoggedErrors.all(in: self)
            // A recovery that names its error tells nothing else.
            isTold = errors.isEmpty
        case .decided:
            store = store ?? storeOfActivity
            (errors, isTold) = (LoggedErrors.all(in: self), true)
        case .opening, .opened, .other: (errors, isTold) = (LoggedErrors.all(in: self), true)
        }
        if isTold {
            told = MirrorFault.told(by: UnsafeBufferPointer(rebasing: text))
            if told.contains(where: { $0.fault == .messagesLost }) {
                owner = LogProcess(name: nil, number: nil, host: owner.host)
            }
        } else if has(.hidden) {
            told = Self.redacted
        }
        // What a line says that is known to mean nothing is no error that nobody knows.
        if told.contains(where: { $0.fault.kind == .noise || $0.fault.id == "store-open-failed" }) {
            errors.removeAll { $0.error.fault.id == "unknown-error" }
        } else if errors.isEmpty, isRedactedOnly, isUnknownError {
            told.append((MirrorFault.unknownError, true))
        } else if hidesError {
            told.append((MirrorFault.hiddenReason, true))
        }
        if case .printed = statement { return true }
        return isOfMirror || errors.contains(where: isOfRequest)
            || told.contains { $0.fault.kind != .noise && $0.fault.id != "redacted" }
    }

    /// Whether an error is one of the mirror also in a line that is not the mirror's.
    private func isOfRequest(_ found: LoggedErrors.Found) -> Bool {
        let error = found.error
        return switch error.domain {
        case MirrorFault.cloudKit, "CKInternalErrorDomain": true
        case MirrorFault.cocoa: (133_000..<135_000).contains(error.code)
        case MirrorFault.sqlite: isPrinted
        default: isPrinted && PrintedFailure.isTold(by: text)
        }
    }

    /// Whether the app wrote it, or somebody who is not named, and not the mirror.
    var isPrinted: Bool { !has(.mirror) && !isOfCoreData && (owner.name == nil || owner.isOfApp) }

    /// Whether it tells of an error that the system hid, or that somebody has cut away.
    private var hidesError: Bool {
        guard case .recovers = statement, errors.isEmpty, told.allSatisfy({ $0.fault.id == "redacted" }) else {
            return false
        }
        guard text.isAboutError, !text.contains("Recovered from") else { return false }
        return !text.contains("(null)") || Self.failures.contains(where: text.contains)
    }

    /// What is said only after an error, also of one that is `(null)`; other messages say by that that there was none.
    private static let failures: [StaticString] = [
        "Never successfully initialized", "Found unknown error", "resetting internal state after error",
    ]

    /// Whether it tells of an error in words that no row of the table knows, or with a number that could not be read.
    private var isUnknownError: Bool {
        switch statement {
        case .other: isUnknownLine
        case .recovers: namesUnknownError
        case .began, .ended, .finished, .finishedAutomatic, .printed, .opening, .opened, .decided, .idle: false
        }
    }

    private var isUnknownLine: Bool {
        if isComplaint || Self.levels.contains(where: text.prefix(160).contains), isOfCoreData || has(.coreData) {
            return true
        }
        if isOfClient { return true }
        if isOfServer { return !text.contains("SUCCESS") }
        if text.contains("exception 'CKException'") { return true }
        return namesUnknownError || isPrinted && !has(.coreData) && PrintedFailure.isTold(by: text)
    }

    private var namesUnknownError: Bool {
        guard isOfMirror, let domain = text.range(of: "ErrorDomain") else { return false }
        // What an app prints with CloudKit's domain is an error, wherever its number is, and in whatever digits.
        if isPrinted, text[..<domain.lowerBound].suffix(2).begins("CK") {
            // The code 0 is that of no error.
            let code = text[domain.upperBound...].drop { !$0.isDigit && $0 < 0x80 }
            let isNone = code.begins("0") && code.prefix(while: \.isDigit).allSatisfy { $0 == UInt8(ascii: "0") }
            return !isNone && !PrintedFailure.isDenied(text[..<domain.lowerBound].dropLast(2))
        }
        let behind = text[domain.upperBound...]
        return behind.begins(" Code=<") || behind.prefix(40).contains(where: \.isDigit)
    }

    /// Whether CloudKit says that the app uses it in a wrong way.
    var isOfClient: Bool { text.contains("BUG IN CLIENT OF CLOUDKIT") }

    private static let levels: [StaticString] = [
        "error: CoreData", "fault: CoreData", "CoreData: error: ", "CoreData: fault: ", "coredata:CloudKit] error: ",
        "coredata:CloudKit] fault: ",
    ]

    private static let redacted = Array("<private>".utf8).withUnsafeBufferPointer(MirrorFault.told)
}
