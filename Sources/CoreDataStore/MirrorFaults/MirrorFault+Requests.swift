/// What CloudKit answers to a request.
extension MirrorFault {
    static let ofRequests: [MirrorFault] = [
        MirrorFault(
            "server-rejected-retry", cloudKit, [15], .retries, 61, .described,
            named: "CKErrorServerRejectedRequest",
            if: "Retry after|CKRetryAfter",
            means: "CloudKit refused the request and named a time to try again",
            does: "the mirror tries again after that time",
            cure: "nothing for now; ask for a new log a day later"),
        MirrorFault(
            "subscription-duplicate", cloudKit, [15], .stops, 26, .described,
            named: "CKErrorServerRejectedRequest",
            if: "subscription is duplicate",
            means: "CloudKit already has the mirror's subscription under another name",
            does: "\(givesUp), and then it fails again",
            cure:
                "tell the app's developers: they have to delete the stale subscription or zone in the CloudKit console",
            owner: .refusedByICloud),
        MirrorFault(
            "server-rejected", cloudKit, [15], .stops, 25, .described, named: "CKErrorServerRejectedRequest",
            means: "CloudKit refused the request",
            does: """
                unless CloudKit named a time to try again, the mirror gives up: it stays idle until the app is started \
                again or the account changes (a store of the public database tries again)
                """,
            cure: """
                have the user quit the app and open it again, once; if it comes back, the container is broken or \
                brand-new: tell the app's developers
                """),
        MirrorFault(
            "share-conflict", cloudKit, [14], .retries, 64, .described, named: "CKErrorServerRecordChanged",
            if: "zoneshare",
            means: "a share was changed elsewhere in the meantime",
            does: "the mirror takes the server's version of the share and tries again",
            cure: "nothing"),
        MirrorFault(
            "record-conflict", cloudKit, [14], .stops, 31, .described, named: "CKErrorServerRecordChanged",
            means: """
                a record in iCloud is newer than the one that this device was about to replace, which is rare, because \
                uploads normally overwrite
                """,
            does: """
                the mirror merges nothing: it gives up and stays idle until the app is started again or the account \
                changes
                """,
            cure: "have the user quit the app and open it again; if it comes back, tell the app's developers"),
        MirrorFault(
            "record-type-unknown", cloudKit, [11], .note, 92, .described, named: "CKErrorUnknownItem",
            if: "Did not find record type",
            means: "the cloud does not know this record type yet: nobody has uploaded one",
            does: "the mirror goes on",
            cure: "nothing; if other devices have such records, the schema was not deployed"),
        MirrorFault(
            "unknown-item", cloudKit, [11], .note, 91, .described, named: "CKErrorUnknownItem",
            means: "a record that was to be changed or fetched is not in iCloud any more",
            does: "the mirror drops what it noted about that record and goes on",
            cure: "nothing"),
        MirrorFault(
            "record-too-large", cloudKit, [27], .stops, 24, .described, named: "CKErrorLimitExceeded",
            if: "record too large",
            means: "one record is larger than CloudKit allows (1 MB)",
            does: "the mirror tries smaller batches, and finally gives up with NSCocoaErrorDomain 134411",
            cure: """
                have the user shorten the long text or remove the large data of that record; otherwise tell the app's \
                developers
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "references-too-many", cloudKit, [27], .stops, 24, .measured, named: "CKErrorLimitExceeded",
            if: "owning references",
            means: "too many records point to one record (more than about 750)",
            does: "the mirror tries smaller batches, and finally gives up with NSCocoaErrorDomain 134411",
            cure: "tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "batch-too-large", cloudKit, [27], .retries, 63, .described, named: "CKErrorLimitExceeded",
            means: "a batch of records was too large for CloudKit",
            does: """
                the mirror tries again with smaller batches (1,572,864 bytes, then 512,000 and 200 records, then \
                256,000 and 100), and finally gives up with NSCocoaErrorDomain 134411
                """,
            cure: "nothing: the mirror handles this by itself"),
        MirrorFault(
            "batch-never-fits", cocoa, [134_411], .stops, 24, .described,
            means: "a batch of records was too large for CloudKit, however small the mirror made it",
            does: "\(givesUp), and then it fails again",
            cure: "tell the app's developers: one record is too large",
            owner: .refusedByICloud),
        MirrorFault(
            "mirrored-twice", cocoa, [134_422], .stops, 23, .described,
            means: "the app mirrors the same store twice in one process",
            does: "the second mirror is torn down, and the first goes on",
            cure: "have the user quit the app and open it again; if it comes back, tell the app's developers",
            owner: .connectedTwice),
        MirrorFault(
            "mirrored-twice", cocoa, [134_410], .stops, 23, .described,
            if: "another instance of this persistent store",
            means: "the app mirrors the same store twice in one process",
            does: "the second mirror is torn down, and the first goes on",
            cure: "have the user quit the app and open it again; if it comes back, tell the app's developers",
            owner: .connectedTwice),
        MirrorFault(
            "mirrored-twice", nil, [], .stops, 23, .described,
            if: """
                register a second handler for activity|Registering a handler for a CKScheduler activity identifier \
                that has already been registered
                """,
            means: "the app mirrors the same store twice in one process",
            does: "the second mirror is torn down, and the first goes on",
            cure: "have the user quit the app and open it again; if it comes back, tell the app's developers",
            owner: .connectedTwice),
        MirrorFault(
            "internal-error", cloudKit, [1], .stops, 32, .described, named: "CKErrorInternalError",
            means: "CloudKit on the device had an error of its own",
            does: givesUp,
            cure: "have the user restart the device and open the app again"),
        MirrorFault(
            "asset-missing", cloudKit, [16], .stops, 33, .described, named: "CKErrorAssetFileNotFound",
            means: "a file that was to be uploaded is not there",
            does: unhandled,
            cure: "have the user restart the app; otherwise tell the app's developers"),
        MirrorFault(
            "asset-changed", cloudKit, [17], .stops, 33, .described, named: "CKErrorAssetFileModified",
            means: "a file was changed while it was uploaded",
            does: unhandled,
            cure: "have the user quit the app and open it again"),
        MirrorFault(
            "app-too-old", cloudKit, [18], .stops, 33, .described, named: "CKErrorIncompatibleVersion",
            means: "this version of the app is too old for the server",
            does: unhandled,
            cure: "have the user update the app",
            owner: .refusedByICloud),
        MirrorFault(
            "unique-violation", cloudKit, [19], .stops, 33, .described, named: "CKErrorConstraintViolation",
            means: "the server found a value twice that must be unique",
            does: unhandled,
            cure: "tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "database-bad", cloudKit, [24], .stops, 33, .described, named: "CKErrorBadDatabase",
            means: "the operation is not allowed in this kind of database",
            does: unhandled,
            cure: "tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "participants-too-many", cloudKit, [29], .stops, 33, .described, named: "CKErrorTooManyParticipants",
            means: "a share has too many participants",
            does: unhandled,
            cure: "have the user remove participants from the share"),
        MirrorFault(
            "already-shared", cloudKit, [30], .stops, 33, .described, named: "CKErrorAlreadyShared",
            means: "a record is already in another share",
            does: unhandled,
            cure: "tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "reference-violation", cloudKit, [31], .stops, 33, .described, named: "CKErrorReferenceViolation",
            means: "a record points to a record that is not in iCloud",
            does: unhandled,
            cure: "have the user quit the app and open it again; if it comes back, tell the app's developers"),
        MirrorFault(
            "account-managed", cloudKit, [32], .stops, 33, .described, named: "CKErrorManagedAccountRestricted",
            means: "the iCloud account is managed, by a school or a company, and may not do this",
            does: unhandled,
            cure: "have the user ask the account's administrator, or use another account",
            owner: .needsAnswer),
        MirrorFault(
            "participant-unverified", cloudKit, [33], .stops, 33, .described,
            named: "CKErrorParticipantMayNeedVerification",
            means: "the user has to confirm an invitation to a share",
            does: unhandled,
            cure: "have the user accept the invitation"),
        MirrorFault(
            "response-lost", cloudKit, [34], .stops, 33, .described, named: "CKErrorServerResponseLost",
            means: """
                the connection broke after the request was sent, so nobody knows whether the server's response was \
                lost or the request
                """,
            does: unhandled,
            cure: "have the user quit the app and open it again on a good network"),
        MirrorFault(
            "asset-not-available", cloudKit, [35], .stops, 33, .described, named: "CKErrorAssetNotAvailable",
            means: "the file of a record is not on the server any more",
            does: unhandled,
            cure: "tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "participant-invited", cloudKit, [37], .stops, 33, .described,
            named: "CKErrorParticipantAlreadyInvited",
            means: "the user is already invited to this share",
            does: unhandled,
            cure: "have the user accept the first invitation"),
        MirrorFault(
            "results-truncated", cloudKit, [13], .note, 95, .described, named: "CKErrorResultsTruncated",
            means: "a code of old systems that CloudKit does not send any more",
            does: "the mirror goes on",
            cure: "nothing"),
    ]
}
