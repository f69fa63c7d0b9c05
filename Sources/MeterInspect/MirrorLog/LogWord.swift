internal import CoreDataStore
internal import MeterModel

/// Words that a message can have, all found in one pass, so that nothing is looked for that is not there.
enum LogWord: Int, CaseIterable {
    /// What the mirror says, a decision of the system's scheduler, an event that the app printed.
    case mirror, decision, event
    /// What the system puts in place of what it hides.
    case hidden
    case container, accountStatus
    /// What the identifier of a store follows on.
    case storeIdentifier, forStore, store
    /// A list of errors, and an error with a code.
    case list, code

    private var words: [WordFilter.Word] {
        switch self {
        case .mirror: [.init("CoreData+CloudKit:", pair: 7)]
        case .decision: [.init("FinalDecision: ", pair: 4)]
        case .event: [.init("<NSPersistentCloudKitContainerEvent", pair: 2)]
        case .hidden: [.init("<private>", pair: 0)]
        case .container: [.init("Cloud.", pair: 4)]
        case .storeIdentifier: [.init("storeIdentifier: ", pair: 4)]
        case .forStore: [.init("for store ", pair: 0)]
        case .store: [.init("store: ", pair: 4)]
        case .accountStatus: [.init("accountStatus=", pair: 12)]
        case .list:
            [
                .init("partial errors: {", pair: 15), .init("CKPartialErrors", pair: 1),
                .init("fatal errors were found", pair: 13), .init("NSDetailedErrors", pair: 1),
                .init("Recovery encountered", pair: 10),
            ]
        case .code:
            [
                .init("Domain", pair: 0), .init("<CKError", pair: 0), .init("SQLite error code:", pair: 1),
                .init("error: (", pair: 6),
            ]
        }
    }

    static let filter = WordFilter(allCases.map(\.words))

    /// Words of which a line about the mirror has one.
    static let ofMirror = WordFilter([
        [
            .init("CoreData", pair: 3), .init("CloudKit", pair: 4), .init("CLOUDKIT", pair: 4),
            .init("CKError", pair: 1), .init("NSCocoaErrorDomain", pair: 6), .init("coredata.cloudkit", pair: 13),
            .init("icloud-container", pair: 5), .init("required entitlement", pair: 13),
            .init("not entitled to access", pair: 8),
        ]
    ])
}

/// What a message names beside its errors.
extension LogMessage {
    /// Whether the system has hidden a part of it.
    var isRedacted: Bool { has(.hidden) }

    /// Whether it is one about the mirror.
    var isOfMirror: Bool {
        let words: [StaticString] = [
            "CoreData", "coredata.cloudkit", "NSCloudKitMirroring", "PFCloudKit", "NSPersistentCloudKitContainer",
            "<CKError", "CKErrorDomain", "icloud-container",
        ]
        if isOfCoreData || has(.mirror) || words.contains(where: { text.contains($0) }) { return true }
        guard let domain = text.range(of: "NSCocoaErrorDomain") else { return false }
        let code = text[domain.upperBound...].prefix(12).drop { !LogBytes.isDigit($0) }
        return code.count >= 3 && (code.begins("133") || code.begins("134"))
    }

    /// The identifier of the store that it is about.
    var store: String? {
        // It comes early, before the error.
        let text = text.prefix(700)
        let keys: [(StaticString, LogWord)] = [
            ("storeIdentifier: ", .storeIdentifier), ("for store UUID: ", .forStore), ("for store ", .forStore),
            ("for store (", .forStore), ("store: ", .store),
        ]
        for (key, word) in keys where has(word) {
            if let start = text.range(of: key)?.upperBound, let id = LogBytes.uuid(text[start...]) { return id }
        }
        return nil
    }

    /// `accountStatus=Available,`.
    var accountStatus: String? {
        guard has(.accountStatus), let start = text.prefix(700).range(of: "accountStatus=")?.upperBound else {
            return nil
        }
        return String(decoding: text[start...].prefix(40).prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
    }

    /// The container in CloudKit that it names; nil where it names none.
    var container: String? {
        guard has(.container) else { return nil }
        for key in ["container ID = \"", "ContainerID=", "containerIdentifier:", "cid = \""] as [StaticString] {
            guard let start = text.range(of: key)?.upperBound else { continue }
            let value = text[start...].prefix { LogBytes.isOfWord($0) || $0 == UInt8(ascii: "-") }
            if value.begins("iCloud.") { return String(decoding: value, as: UTF8.self) }
        }
        return nil
    }
}
