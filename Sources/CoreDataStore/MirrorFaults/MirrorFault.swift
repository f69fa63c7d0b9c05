/// One row of the table of what can go wrong between a store and CloudKit: how it is recognised, what it means, what
/// `NSPersistentCloudKitContainer` does next by itself, and what to do about it.
///
/// An error means something only with its domain, its code and, for some codes, its text: NSCocoaErrorDomain 134400 has
/// ten causes. The sources are descriptions of Apple's code (public re-implementations, decompiled Core Data of iOS 26.1),
/// Apple's documentation of `CKError.Code` and its technotes, and logs that somebody has published; ``mark-swift.property``
/// says which.
///
/// Where the mirror "gives up", it stays idle until the app is started again or the account changes; a push from another
/// device wakes it only in some cases, and the end of the cause, such as room in iCloud, does not.
public final class MirrorFault: Hashable, Sendable {
    /// What follows from an error, the worst first.
    public enum Kind: String, Sendable, CaseIterable {
        /// Rows on this device are deleted.
        case deletes
        /// Nothing more is synced until somebody does something or the app is started again.
        case stops
        /// The build of the app lacks something, and syncs less than it could.
        case build
        /// Syncing waits for the account or the system.
        case waits
        /// The rows are kept, and everything is exchanged again.
        case startsOver
        /// The mirror tries again by itself.
        case retries
        /// No failure, but worth knowing.
        case note
        /// A message that looks like an error and means nothing.
        case noise
    }

    /// How far what a row says is known.
    public enum Mark: String, Sendable, CaseIterable {
        /// Somebody has seen it on a device or in a log.
        case measured
        /// Apple's documentation or a description of its code says so.
        case described
        /// A conclusion from these.
        case inferred
    }

    /// A word for it. Several rows can have the same one.
    public let id: String
    /// What Apple's headers call the code; nil for several codes, and where they have no name.
    public let name: String?
    /// Nil for what is told by words, and for what is not known.
    public let domain: String?
    /// The codes, all of ``domain``; empty for one that stands for every other code of it, and without a domain.
    public let codes: [Int]
    /// Whether it is for domain and code where nobody knows the text.
    let isAlone: Bool
    /// Words of which the error's text must have some, without regard to case: `|` between alternatives, `*` for anything,
    /// and after `!` words that it must not have. Nil where domain and code are enough.
    public var condition: String? { words?.text }
    let words: FaultWords?
    /// Words of a message without any error that tell the same.
    let otherWords: FaultWords?
    public let kind: Kind
    /// Which one of several is the cause of the others: the smallest. From 10 to 99.
    public let rank: Int
    public let mark: Mark
    /// What it means for the user. This and the two below are fragments for people, without a full stop; empty for noise.
    public let meaning: String
    /// What the mirror does next by itself.
    public let whatTheMirrorDoes: String
    /// What to do about it.
    public let advice: String
    /// Whether it only carries another error, which then tells more.
    package let isCarrier: Bool
    /// Whether a request that ends with it was put off, or was not needed, and did not fail.
    package let isNoFailure: Bool
    /// The cause, as far as the owner of the device can do something about it; nil where it is not known.
    package let forTheOwner: MirrorError.OwnersCause?

    init(
        _ id: String, _ domain: String?, _ codes: [Int], alone isAlone: Bool = false, _ kind: Kind, _ rank: Int,
        _ mark: Mark, named name: String? = nil, if condition: String? = nil, orToldBy otherWords: String? = nil,
        means meaning: String, does whatTheMirrorDoes: String, cure advice: String,
        owner: MirrorError.OwnersCause? = nil, carries isCarrier: Bool = false, fails: Bool = true
    ) {
        (self.id, self.domain, self.codes, self.isAlone) = (id, domain, codes, isAlone)
        (self.kind, self.rank, self.mark, self.name) = (kind, rank, mark, name)
        words = condition.map { FaultWords($0) }
        self.otherWords = otherWords.map { FaultWords($0) }
        (self.meaning, self.whatTheMirrorDoes, self.advice) = (meaning, whatTheMirrorDoes, advice)
        (self.isCarrier, isNoFailure) = (isCarrier, !fails)
        forTheOwner =
            if let owner { owner } else {
                switch kind {
                case _ where mark == .inferred: nil
                case .deletes, .stops: .stopped
                case .startsOver: .startsAgain
                case .build, .waits, .retries, .note, .noise: .settledByApp
                }
            }
    }

    /// A row is only itself.
    public static func == (left: MirrorFault, right: MirrorFault) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    static func noise(_ id: String, _ words: String) -> MirrorFault {
        MirrorFault(id, nil, [], .noise, 99, .measured, if: words, means: "", does: "", cure: "")
    }

    package static let cloudKit = "CKErrorDomain"
    package static let cocoa = "NSCocoaErrorDomain"
    package static let sqlite = "NSSQLiteErrorDomain"
    static let url = "NSURLErrorDomain"

    static let givesUp = "the mirror gives up: it stays idle until the app is started again or the account changes"
    static let unhandled =
        "the mirror has no answer to it: it gives up and stays idle until the app is started again or the account changes"
}

/// Looking up.
extension MirrorFault {
    /// The whole table. The first row that fits is right.
    public static let all =
        deleting + ofTheBuild + ofRequests + ofTheAccount + passing + ofTheStore + ofTheNetwork + toldByWords + noise
        + unknown

    /// What an error is: a row of ``all``; the one with the id `unknown-error` for an error that nobody has described.
    ///
    /// What `NSPersistentCloudKitContainer.Event` has as its error is an `NSError` of the mirror: ask with its domain and
    /// its code, and with `String(describing:)` of the whole error as the text. The log has more than such an event: of a
    /// partial failure only domain and code survive.
    /// - Parameters:
    ///   - domain: `CKErrorDomain`, `NSCocoaErrorDomain` …; it means nothing without the code.
    ///   - text: what the error says, with its user info; nil where nobody knows it, as in the mirror's own log in the store.
    public static func of(domain: String, code: Int, text: String? = nil) -> MirrorFault {
        guard var text else { return of(domain: domain, code: Int64(code), text: UnsafeBufferPointer<UInt8>?.none) }
        return text.withUTF8 { of(domain: domain, code: Int64(code), text: $0) }
    }

    /// - Parameter text: what the error says.
    package static func of(domain: String, code: Int64, text: UnsafeBufferPointer<UInt8>?) -> MirrorFault {
        // Most errors are known by their codes.
        lazy var folded = text.map { FaultWords.folded($0)[...] }
        let rows = rows[domain]
        let fitting = (rows?.byCode[code] ?? rows?.others)?.first { fault in
            if fault.isAlone, text != nil { return false }
            guard let words = fault.words else { return true }
            return folded.map { words.areIn($0) } ?? false
        }
        return fitting ?? unknownError
    }

    /// What the words of a message tell that has no error with a code.
    /// - Returns: rows, and of each whether it counts only where nothing near the message has told of an error.
    package static func told(by message: UnsafeBufferPointer<UInt8>) -> [(fault: MirrorFault, isOtherwise: Bool)] {
        let places = wordFilter.places(in: message)
        guard !places.isEmpty else { return [] }
        let message = FaultWords.folded(message)[...]
        return zip(places, wordy).compactMap { place, row in
            place != nil && row.words.areIn(message) ? (row.fault, row.isOtherwise) : nil
        }
    }

    /// The codes of CloudKit and of the mirror that mean one kind of thing, with their meaning, where only the code is known,
    /// as in a store.
    package static func list(of kind: Kind) -> [String] {
        let told = all.filter { fault in
            guard fault.kind == kind, let domain = fault.domain, [cloudKit, cocoa].contains(domain) else {
                return false
            }
            return fault.codes.contains { of(domain: domain, code: $0) == fault }
        }
        return told.map { "\($0.domain ?? "") \($0.codes.map(String.init).joined(separator: ", ")): \($0.meaning)" }
    }

    /// Domains of the table.
    package static var domains: [String] { rows.keys.sorted() }

    /// The rows of each domain, in their order: for each code, and for all others.
    private static let rows = Dictionary(grouping: all.filter { $0.domain != nil }, by: { $0.domain ?? "" })
        .mapValues { rows in
            let others = rows.filter { $0.codes.isEmpty }
            let codes = Set(rows.flatMap(\.codes))
            let byCode = codes.map { code in
                (Int64(code), rows.filter { $0.codes.isEmpty || $0.codes.contains(code) })
            }
            return (byCode: Dictionary(uniqueKeysWithValues: byCode), others: others)
        }

    private static let wordFilter = WordFilter(wordy.map(\.words.signs), ignoresCase: true)

    private static let wordy: [(fault: MirrorFault, words: FaultWords, isOtherwise: Bool)] = all.flatMap { fault in
        [(fault.domain == nil ? fault.words : nil, false), (fault.otherWords, true)].compactMap { words, isOtherwise in
            words.map { (fault, $0, isOtherwise) }
        }
    }
}
