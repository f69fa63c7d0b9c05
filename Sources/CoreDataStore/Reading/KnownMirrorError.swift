/// One or more errors of the mirror that mean the same. The sources are public descriptions of Apple's code, and for
/// the codes of CloudKit Apple's documentation of `CKError.Code`; nothing of it was measured on a device.
package struct KnownMirrorError: Sendable {
    package let errors: [MirrorError]
    /// Whether what is said here is a conclusion of ours, and no description says it.
    package let isInferred: Bool
    let meaning: String
    let whatTheMirrorDoes: String
    let whatToDo: String
    /// The cause, as far as the owner of the device can do something about it.
    let forTheOwner: MirrorError.OwnersCause
    let reaction: MirrorReaction

    private init(
        _ domain: String, _ codes: Int64..., meaning: String, does whatTheMirrorDoes: String, cure whatToDo: String,
        owner forTheOwner: MirrorError.OwnersCause, _ reaction: MirrorReaction = .triesAgain, isInferred: Bool = false
    ) {
        errors = codes.map { MirrorError(domain: domain, code: $0) }
        self.meaning = meaning
        self.whatTheMirrorDoes = whatTheMirrorDoes
        self.whatToDo = whatToDo
        self.forTheOwner = forTheOwner
        self.reaction = reaction
        self.isInferred = isInferred
    }

    /// Whole sentences, for a page.
    package var paragraph: String {
        let codes = errors.map { String($0.code) }
        let list = codes.count < 2 ? codes[0] : "\(codes.dropLast().joined(separator: ", ")) and \(codes.last!)"
        return """
            \(errors[0].domain) \(list)\(isInferred ? " (inferred)" : ""): \(Self.sentence(meaning)) \
            \(Self.sentence(whatTheMirrorDoes)) What to do: \(whatToDo).
            """
    }

    /// With a capital letter and a full stop. (Each `verify` makes all of them, and `uppercased` takes ten times as long.)
    private static func sentence(_ text: String) -> String {
        var bytes = Array(text.utf8)
        if let first = bytes.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) { bytes[0] = first & 0xDF }
        return String(decoding: bytes, as: UTF8.self) + "."
    }

    static let named: [MirrorError: KnownMirrorError] = Dictionary(
        uniqueKeysWithValues: all.flatMap { known in known.errors.map { ($0, known) } })

    /// What people meet most comes first.
    package static let all = [storageFull] + ofSomeRecords + ofTheAccount + ofTheCloud + ofTheNetwork + ofTheStore

    private static let cloudKit = MirrorError.cloudKit
    private static let cocoa = MirrorError.cocoa

    private static let storageFull = KnownMirrorError(
        cloudKit, 25,
        meaning: "the user's iCloud storage is full, so CloudKit accepts nothing more",
        does: """
            the mirror stops until there is room; changes made on this device do not reach the other devices
            """,
        cure: """
            have the user make room in iCloud, or buy more: in the device's settings, under the user's name and iCloud; \
            then open the app and leave it open for a few minutes. Until then the app must not be deleted, because what \
            was not uploaded is only on this device
            """,
        owner: .storageFull,
        .stops(until: "there is room in the user's iCloud storage"))

    private static let ofSomeRecords = [
        KnownMirrorError(
            cloudKit, 2,
            meaning: """
                CloudKit refused some of the records, each for its own reason, and the store does not keep these reasons
                """,
            does: "for each record, the mirror does what the error of that record asks for",
            cure: """
                check whether the user's iCloud storage is full, which often shows as this error; otherwise read the \
                device's log (Console on a Mac, or a sysdiagnose): the lines with CoreData+CloudKit name each record \
                with its own error, in the form (25/2035), where 25 is the code of CKErrorDomain
                """,
            owner: .someRefused, .unknown),
        KnownMirrorError(
            cloudKit, 22,
            meaning: "CloudKit refused a whole batch of records because of one of them",
            does: "the mirror tries again by itself",
            cure:
                "nothing, unless it lasts: then the device's log names the record, in the lines with CoreData+CloudKit",
            owner: .settledByApp),
        KnownMirrorError(
            cloudKit, 14,
            meaning: "another device has changed a record in iCloud that this device was about to upload",
            does: "the mirror downloads that record and merges the two",
            cure: "nothing: the mirror handles this by itself",
            owner: .settledByApp),
        KnownMirrorError(
            cloudKit, 11,
            meaning: "a record that the mirror asked for is not in iCloud",
            does: "the mirror ignores that record",
            cure: "nothing: the mirror handles this by itself",
            owner: .settledByApp),
        KnownMirrorError(
            cloudKit, 15,
            meaning: "CloudKit refused the request without saying why",
            does: "the mirror tries again",
            cure: "nothing, unless it lasts: then tell the app's developers",
            owner: .settledByApp),
        KnownMirrorError(
            cloudKit, 12,
            meaning: """
                CloudKit does not understand the request, probably because a record type or a field is missing in the \
                production schema
                """,
            does: "the mirror uploads nothing until that is fixed",
            cure: "tell the app's developers: they have to deploy the schema to production in the CloudKit console",
            owner: .refusedByICloud,
            .stops(until: "the production schema is complete"), isInferred: true),
        KnownMirrorError(
            cloudKit, 27,
            meaning: "a batch of records was too large for CloudKit",
            does: "the mirror tries again with smaller batches, and finally stops with \(cocoa) 134411",
            cure: "nothing: the mirror handles this by itself",
            owner: .settledByApp),
        KnownMirrorError(
            cocoa, 134_411,
            meaning: "a batch of records was too large for CloudKit, however small the mirror made it",
            does: "the mirror stops",
            cure: "tell the app's developers: one record is probably too large",
            owner: .refusedByICloud,
            .stops(until: "no record is too large"), isInferred: true),
    ]

    private static let ofTheAccount = [
        KnownMirrorError(
            cocoa, 134_400,
            meaning: "the device has no iCloud account that the app may use",
            does: "the mirror does nothing until the device has an account",
            cure: "have the user sign in to iCloud on the device, and allow the app to use iCloud",
            owner: .notSignedIn,
            .stops(until: "the device has an iCloud account that the app may use")),
        KnownMirrorError(
            cloudKit, 9,
            meaning: "nobody is signed in to iCloud on the device",
            does: "the mirror does nothing until somebody signs in",
            cure: "have the user sign in to iCloud on the device, and allow the app to use iCloud",
            owner: .notSignedIn,
            .stops(until: "somebody is signed in to iCloud on the device")),
        KnownMirrorError(
            cloudKit, 36,
            meaning: "the iCloud account is not available for now, for example because it asks for its password",
            does: "the mirror does nothing until the account is available",
            cure: "have the user open the device's settings and answer the questions about the iCloud account",
            owner: .needsAnswer,
            .stops(until: "the iCloud account is available again")),
        KnownMirrorError(
            cocoa, 134_405,
            meaning: "the device is signed in to another iCloud account than before",
            does: """
                the mirror deletes all mirrored rows on this device and sets itself up for the new account; changes \
                not uploaded to the former account are lost
                """,
            cure: """
                save a copy of the store before the app is opened again. If the account was changed by mistake, have \
                the user sign in to the former account, which still has everything that was uploaded
                """,
            owner: .otherAccount, .deletesRows(.all)),
    ]

    private static let ofTheCloud = [
        KnownMirrorError(
            cloudKit, 28,
            meaning: "the user deleted the app's data in iCloud",
            does: "the mirror deletes the same rows on this device",
            cure: """
                if this was a mistake, save a copy of the store on every device before the app is opened there again: \
                iCloud has no copy any more
                """,
            owner: .dataDeleted, .deletesRows(.ofZone)),
        KnownMirrorError(
            cloudKit, 21,
            meaning: "the mirror has not asked CloudKit for changes for so long that CloudKit cannot say what is new",
            does: everythingAgain, cure: patience,
            owner: .startsAgain, .uploadsEverything),
        KnownMirrorError(
            cloudKit, 26,
            meaning: "the zone with the app's records was deleted in iCloud",
            does: everythingAgain, cure: patience,
            owner: .startsAgain, .uploadsEverything),
        KnownMirrorError(
            cloudKit, 112,
            meaning: "the key to the app's encrypted data in iCloud is lost",
            does: everythingAgain, cure: patience,
            owner: .startsAgain, .uploadsEverything),
    ]

    private static let everythingAgain = "the mirror keeps the rows on this device and uploads everything again"
    private static let patience = "have the user open the app and leave it open on a good network; this can take long"

    private static let ofTheNetwork = [
        KnownMirrorError(
            cloudKit, 3, 4,
            meaning: "the device could not reach CloudKit",
            does: "the mirror tries again by itself",
            cure: "have the user check whether the device is online; otherwise do nothing",
            owner: .unreachable),
        KnownMirrorError(
            cloudKit, 6, 7, 23,
            meaning: "CloudKit is busy and asks the device to wait",
            does: "the mirror tries again by itself",
            cure: "nothing; ask for the store again a day later",
            owner: .settledByApp),
    ]

    private static let ofTheStore = [
        KnownMirrorError(
            cocoa, 134_301,
            meaning: "the history no longer has the transaction where the mirror stopped",
            does: """
                the mirror deletes the rows on this device that it has record metadata for, and downloads them again; \
                changes that were not uploaded are lost
                """,
            cure: """
                save a copy of the store, with its -wal, before the app is opened again: only that copy has the \
                changes that were not uploaded
                """,
            owner: .placeLost, .deletesRows(.mirrored)),
        KnownMirrorError(
            cocoa, 134_060,
            meaning: """
                the app's model cannot be mirrored, for example because of a uniqueness constraint or a required \
                attribute without a default
                """,
            does: "the mirror does nothing until the model changes",
            cure: "tell the app's developers: they have to change the model",
            owner: .refusedByICloud,
            .stops(until: "the mirror accepts the app's model")),
        KnownMirrorError(
            cocoa, 134_407,
            meaning: "the app closed the store while the mirror was at work",
            does: "the mirror probably continues when the app opens the store again",
            cure: "have the user open the app and leave it open for a few minutes",
            owner: .interrupted,
            isInferred: true),
        KnownMirrorError(
            cocoa, 134_419,
            meaning: "the system postponed the mirror's work",
            does: "the mirror probably tries again when the system lets it",
            cure: "nothing; ask for the store again a day later",
            owner: .settledByApp, isInferred: true),
        KnownMirrorError(
            cocoa, 134_422,
            meaning: "the app mirrors the same store twice at the same time",
            does: "the second mirror probably does nothing, and the first one works",
            cure: "have the user quit the app and open it again; if it lasts, tell the app's developers",
            owner: .connectedTwice,
            isInferred: true),
    ]
}
