/// What passes by itself, and what only carries the error of something else.
extension MirrorFault {
    static let passing: [MirrorFault] = [
        MirrorFault(
            "network-unavailable", cloudKit, [3], .retries, 60, .described, named: "CKErrorNetworkUnavailable",
            means: "the device is offline",
            does: "the mirror tries again by itself",
            cure: "have the user get the device online and open the app",
            owner: .unreachable),
        MirrorFault(
            "network-failure", cloudKit, [4], .retries, 60, .described, named: "CKErrorNetworkFailure",
            means: "the connection to CloudKit broke",
            does: "the mirror tries again by itself",
            cure: "nothing, unless it lasts: then check network, VPN and content filters",
            owner: .unreachable),
        MirrorFault(
            "daemon-unreachable", cloudKit, [6], .retries, 61, .measured, named: "CKErrorServiceUnavailable",
            if: "NSCocoaErrorDomain:4097|NSCocoaErrorDomain:4099|CloudKit daemon",
            means: "the app cannot talk to the system's CloudKit service",
            does: "the mirror tries again by itself",
            cure: """
                have the user restart the device; if one build alone has it, tell the app's developers: its \
                entitlements are wrong, or CloudKit.framework is not linked
                """),
        MirrorFault(
            "service-unavailable", cloudKit, [6], .retries, 61, .described, named: "CKErrorServiceUnavailable",
            means: "CloudKit is busy and asks the device to wait",
            does: "the mirror tries again, after the time that CloudKit named if there is one",
            cure: "nothing; ask for the store or a log again a day later"),
        MirrorFault(
            "rate-limited", cloudKit, [7], .retries, 61, .described, named: "CKErrorRequestRateLimited",
            means: "the device sends more than CloudKit allows for now",
            does: "the mirror tries again after the time that CloudKit named, which can take hours",
            cure: "nothing; after a mass change, wait a day"),
        MirrorFault(
            "batch-failed", cloudKit, [22], .retries, 66, .described, named: "CKErrorBatchRequestFailed",
            means: "the record itself is fine, but CloudKit refused the whole batch because of another one",
            does: "the mirror does what the error of that other record asks for",
            cure: "look for the error of the other record",
            carries: true),
        MirrorFault(
            "zone-busy", cloudKit, [23], .retries, 62, .described, named: "CKErrorZoneBusy",
            means: "the server is busy with this zone",
            does: "the mirror tries again by itself",
            cure: "nothing"),
        MirrorFault(
            "object-gone", cocoa, [133_000], .retries, 65, .described,
            named: "NSManagedObjectReferentialIntegrityError",
            means: "a row that the mirror was working on was deleted meanwhile",
            does: "the mirror tries again by itself",
            cure: "nothing"),
        MirrorFault(
            "partial-failure", cloudKit, [2], .stops, 35, .described, named: "CKErrorPartialFailure",
            means: "CloudKit refused some of the records, each for its own reason, and these reasons are not shown",
            does: "for each record, the mirror does what the error of that record asks for",
            cure: """
                check whether the user's iCloud storage is full, which often shows as this error; otherwise read the \
                device's log with `meterfix explain`: it names each record with its own error, if private data is \
                shown
                """,
            owner: .someRefused, carries: true),
        MirrorFault(
            "not-initialised", cocoa, [134_406], .stops, 34, .described,
            means: "the mirror is not initialised and refuses every request; an error before this one is the cause",
            does: "the mirror does nothing until its setup succeeds",
            cure: "look for the setup that failed, in the device's log; have the user quit the app and open it again",
            carries: true),
        MirrorFault(
            "mirror-recovered", cocoa, [134_409], .retries, 67, .described,
            means: "a request failed, and the mirror has dealt with it",
            does: "the mirror schedules the request again",
            cure: "nothing",
            carries: true),
        MirrorFault(
            "mirror-gave-up", cocoa, [134_410], .stops, 34, .described,
            means: """
                a request failed, and the mirror could not deal with it (or, on older systems, the app mirrors the \
                same store twice)
                """,
            does: givesUp,
            cure:
                "look for the error before this one, in the device's log; have the user quit the app and open it again",
            carries: true),
        MirrorFault(
            "several-errors", cocoa, [134_404], .stops, 36, .described,
            means: "an import failed for several reasons at once",
            does: givesUp,
            cure: "read the detailed errors in the device's log",
            carries: true),
        MirrorFault(
            "deferred", cocoa, [134_419], .note, 92, .described,
            means: "the system postponed the mirror's work, which is no failure",
            does: "the mirror goes on when the system lets it",
            cure: "nothing",
            fails: false),
        MirrorFault(
            "request-pending", cocoa, [134_417], .note, 94, .described,
            means: "a request of this kind was already waiting, so this one was dropped, which is no failure",
            does: "the mirror carries out the waiting one",
            cure: "nothing",
            fails: false),
        MirrorFault(
            "fetch-incomplete", cocoa, [134_418], .note, 93, .described,
            means: "some of the records asked for could not be fetched, which is no failure",
            does: "the mirror goes on",
            cure: "nothing",
            fails: false),
        MirrorFault(
            "store-removed", cocoa, [134_407], .note, 92, .described,
            means: "the app closed the store while the mirror was at work, which is no failure",
            does: "the mirror continues when the app opens the store again",
            cure: "nothing, if the app was quit or syncing was turned off",
            owner: .interrupted,
            fails: false),
        MirrorFault(
            "store-removed", nil, [], .note, 92, .measured,
            if: "tear down with reason: Store Removed",
            means: "the app closed the store",
            does: "the mirror continues when the app opens the store again",
            cure: """
                nothing, if the app was quit; an app that replaces its store file while it is open loses the mirror \
                until it is started again
                """,
            owner: .interrupted),
        MirrorFault(
            "relationship-waiting", cocoa, [134_412, 134_413], .note, 93, .described,
            means: "one end of a relationship is not on this device",
            does: "the mirror leaves the relationship until the other end arrives",
            cure: "nothing"),
    ]
}
