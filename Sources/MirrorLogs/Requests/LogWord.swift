internal import CoreDataStore
internal import Texts

/// Words that a message can have, all found in one pass, so that nothing is looked for that is not there.
enum LogWord: Int, CaseIterable {
    case mirror, coreData, named, decision, event, hidden, accountStatus, storeIdentifier, forStore, store
    case containerID, containerKey, containerIdentifier, containerOfPush
    case list, code, opening, server

    /// One of which is there.
    private var texts: [String] {
        switch self {
        case .mirror: ["CoreData+CloudKit:"]
        case .coreData: ["CoreData"]
        case .named:
            [
                "coredata.cloudkit", "NSCloudKitMirroring", "PFCloudKit", "NSPersistentCloudKitContainer", "<CKError",
                "CKError \"", "CKError: \"", "CKErrorDomain", "icloud-container",
            ]
        // A decision of the system's scheduler, an event that the app printed, what the system puts in place of what it hides.
        case .decision: ["FinalDecision: "]
        case .event: ["<NSPersistentCloudKitContainerEvent"]
        case .hidden: ["<private>"]
        case .accountStatus: ["accountStatus="]
        case .storeIdentifier: ["storeIdentifier: "]
        case .forStore: ["for store "]
        case .store: ["store: "]
        case .containerID: ["container ID = \""]
        case .containerKey: ["ContainerID="]
        case .containerIdentifier: ["containerIdentifier:"]
        case .containerOfPush: ["cid = \""]
        // A list of errors, and an error with a code.
        case .list:
            [
                "partial errors: {", "CKPartialErrors", "fatal errors were found", "NSDetailedErrors",
                "Recovery encountered",
            ]
        case .code: ["Domain", "DOMAIN", "CKError", "Cocoa", "SQLite error code:", "error: ("]
        // The status of a request in the log of CloudKit Console.
        case .server: ["overallStatus", "USER_ERROR", "SERVER_ERROR"]
        // With what Core Data begins to tell that the store did not open, and ends.
        case .opening:
            [
                "addPersistentStore", "Recovery attempt while adding", "Failed to stat path", "Failed to statfs file",
                "During recovery, parent directory",
            ]
        }
    }

    static let filter = WordFilter(allCases.map(\.texts))

    /// Bytes of their first texts.
    fileprivate static let lengths = allCases.map { $0.texts[0].utf8.count }
}

/// What a message names beside its errors.
extension LogMessage {
    /// What follows on a word that is one text, where that is for the first time; nil where it is not.
    func after(_ word: LogWord) -> LogPart? {
        guard has(word), let place = places[word.rawValue] else { return nil }
        return text[(text.startIndex + place + LogWord.lengths[word.rawValue])...]
    }

    /// Whether it is one about the mirror.
    var isOfMirror: Bool {
        if isOfCoreData || has(.coreData) || has(.named) || isOfServer { return true }
        guard let code = text.after("NSCocoaErrorDomain")?.prefix(12).drop(while: { !$0.isDigit }) else { return false }
        return code.begins("133") || code.begins("134")
    }

    /// Whether it is one of the log of CloudKit Console, which as text has one value on each line: `error:BAD_REQUEST`.
    var isOfServer: Bool { has(.server) || text.begins("error:") && PrintedError.serverName(in: text) != nil }

    /// What follows on a word early in the message, before the error.
    private func early(_ word: LogWord) -> LogPart? {
        after(word).flatMap { $0.startIndex - text.startIndex < 700 ? $0 : nil }
    }

    /// The identifier of the store that it names early.
    var namedStore: String? {
        for word in [LogWord.storeIdentifier, .forStore, .store] {
            guard var rest = early(word) else { continue }
            if rest.begins("UUID: ") { rest = rest.dropFirst(6) }
            if rest.begins("(") { rest = rest.dropFirst() }
            if let id = rest.uuid { return id }
        }
        return nil
    }

    /// That in the name of what the system's scheduler decides about: `com.apple.coredata.cloudkit.activity.export.UUID:3FA21C`.
    var storeOfActivity: String? {
        text.after("coredata.cloudkit.activity.")?.prefix(60).after(".").flatMap(\.uuid)
    }

    /// The name of the store's file in a path, as in `url: file:///…/CKModel.sqlite)`.
    var storeFile: String? {
        guard let end = text.range(of: ".sqlite"), let slash = text[..<end.lowerBound].range(of: "/") else {
            return nil
        }
        return text[slash.lowerBound..<end.upperBound].text.replacing("%20", with: " ").split(separator: "/").last
            .map(String.init)
    }

    /// `accountStatus=Available,`.
    var accountStatus: String? { early(.accountStatus)?.prefix(40).prefix { $0 != UInt8(ascii: ",") }.text }

    /// The container in CloudKit that it names; nil where it names none.
    var container: String? {
        for word in [LogWord.containerID, .containerKey, .containerIdentifier, .containerOfPush] {
            let name = after(word)?.prefix { $0.isOfWord || $0 == UInt8(ascii: "-") }
            if let name, name.begins("iCloud.") { return name.text }
        }
        return nil
    }
}
