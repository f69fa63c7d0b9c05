/// What is wrong with the account, its keys or its zones.
extension MirrorFault {
    static let ofTheAccount: [MirrorFault] = [
        MirrorFault(
            "operation-cancelled", cloudKit, [20], .waits, 47, .described, named: "CKErrorOperationCancelled",
            means: "the operation was cancelled, for example because the app was quit",
            does: "the mirror does not try again at once: the next push or launch sets it up again",
            cure: "have the user open the app and leave it open",
            owner: .interrupted),
        MirrorFault(
            "not-signed-in", cocoa, [134_400], .waits, 40, .measured,
            if: "NoAccount|CKErrorNotAuthenticated|no user signed in",
            means: "nobody is signed in to iCloud on the device, or iCloud is off for it",
            does: "the mirror waits: it sets itself up when an account appears or the app is started again",
            cure: "have the user sign in to iCloud on the device, allow the app to use iCloud, and open the app",
            owner: .notSignedIn),
        MirrorFault(
            "account-restricted", cocoa, [134_400], .waits, 41, .described,
            if: "Restricted",
            means: "Screen Time or a management profile forbids iCloud",
            does: "the mirror waits for the account to change",
            cure: "have the user lift the restriction, or ask the administrator",
            owner: .needsAnswer),
        MirrorFault(
            "account-unavailable", cocoa, [134_400], .waits, 41, .measured,
            if: "TemporarilyUnavailable",
            means: """
                an iCloud account is there but cannot be used for now, because it asks for its password or for new \
                terms
                """,
            does: "the mirror waits for the account to change",
            cure: "have the user open the device's settings and answer what the account asks",
            owner: .needsAnswer),
        MirrorFault(
            "encryption-unsupported", cocoa, [134_400], .waits, 42, .described,
            if: "device to device encryption",
            means: """
                the account or the device cannot keep encrypted records, because two-factor authentication or the \
                keychain is off
                """,
            does: "the mirror waits for the account to change",
            cure: "have the user turn on two-factor authentication and iCloud Keychain",
            owner: .needsAnswer),
        MirrorFault(
            "container-unavailable", cocoa, [134_400], .stops, 24, .described,
            if: """
                Failed to get a container back|Failed to get a database back|Could not locate the desired \
                zone|database scope
                """,
            means: "the mirror got no container, database or zone to work with",
            does: givesUp,
            cure: "tell the app's developers: container name and entitlements do not fit together",
            owner: .refusedByICloud),
        MirrorFault(
            "account-problem", cocoa, [134_400], .waits, 43, .described,
            means:
                "the device has no iCloud account that the app may use (which of ten causes it is, the error's text tells)",
            does: "the mirror waits: it sets itself up when the account changes or the app is started again",
            cure: """
                have the user sign in to iCloud on the device, allow the app to use iCloud, answer what the account \
                asks, and open the app
                """,
            owner: .notSignedIn),
        MirrorFault(
            "account-needs-password", cloudKit, [9], .waits, 41, .measured, named: "CKErrorNotAuthenticated",
            if: "verify new terms|suspended mode|auth token",
            means: "the account is signed in, and asks for its password or for new terms before iCloud can be used",
            does: "the mirror starts its setup again at once, which then waits for the account",
            cure: "have the user open the device's settings, answer what the account asks, and open the app",
            owner: .needsAnswer),
        MirrorFault(
            "not-signed-in", cloudKit, [9], .waits, 40, .described, named: "CKErrorNotAuthenticated",
            orToldBy: "requires an authenticated account|account status: noAccount|CKAccountStatus.noAccount",
            means: "nobody is signed in to iCloud on the device",
            does: "the mirror starts its setup again at once, which then waits for an account",
            cure: "have the user sign in to iCloud on the device, allow the app to use iCloud, and open the app",
            owner: .notSignedIn),
        MirrorFault(
            "account-needs-password", cloudKit, [36], .waits, 41, .measured,
            named: "CKErrorAccountTemporarilyUnavailable",
            if: "auth token|1029|2011",
            orToldBy: "bad or missing auth token|needs to verify new terms",
            means: "the account's sign-in on this device has expired",
            does: "the mirror does not try again: it waits for the account to change or the app to be started again",
            cure: "have the user open the device's settings and enter the account's password",
            owner: .needsAnswer),
        MirrorFault(
            "account-unavailable", cloudKit, [36], .waits, 41, .described,
            named: "CKErrorAccountTemporarilyUnavailable",
            means: "the iCloud account is not available for now",
            does: "the mirror does not try again: it waits for the account to change or the app to be started again",
            cure: """
                have the user open the device's settings and answer what the account asks; then quit the app and open \
                it again
                """,
            owner: .needsAnswer),
        MirrorFault(
            "account-notice", cocoa, [134_415, 134_416], .note, 93, .described,
            means: """
                the system said that the account (134415) or the identity (134416) may have changed, which is no \
                failure
                """,
            does: "the mirror sets itself up again",
            cure: "nothing",
            fails: false),
        MirrorFault(
            "keys-unavailable", cloudKit, [110], .waits, 44, .described,
            means: "the keys of the encrypted records are not there yet",
            does: "the mirror waits for the identity to change or the app to be started again",
            cure: "have the user turn on iCloud Keychain, unlock the device and open the app",
            owner: .needsAnswer),
        MirrorFault(
            "keychain-unsynced", cloudKit, [111], .waits, 44, .described,
            means: "the iCloud keychain of this device has not caught up, so encrypted records cannot be read",
            does: "the mirror waits: a push sets it up again, and so does a start of the app",
            cure: "have the user turn on iCloud Keychain and approve this device from another one, then open the app",
            owner: .needsAnswer),
        MirrorFault(
            "key-lost", cloudKit, [112], .startsOver, 50, .described,
            means: """
                the key to the app's encrypted data in iCloud is lost, as after an account was reset without a \
                recovery key
                """,
            does: """
                the mirror keeps the rows on this device and uploads everything again; it may delete the zone in \
                iCloud and make it again before
                """,
            cure: "let the device with the most complete data upload first, alone and on a good network"),
        MirrorFault(
            "zone-gone", cloudKit, [26], .startsOver, 51, .described, named: "CKErrorZoneNotFound",
            orToldBy: "with reason: 'ZoneDeleted'",
            means: "the zone with the app's records is not in iCloud any more",
            does: "the mirror keeps the rows on this device and uploads everything again",
            cure: """
                have the user open the app and leave it open on a good network; then check the other devices for \
                duplicates
                """),
        MirrorFault(
            "change-token-expired", cloudKit, [21], .startsOver, 52, .described,
            named: "CKErrorChangeTokenExpired",
            orToldBy: "with reason: 'ServerChangeTokenExpired'",
            means: "the mirror has not asked CloudKit for changes for so long that CloudKit cannot say what is new",
            does: "the mirror keeps the rows on this device, and downloads and uploads everything again",
            cure: "have the user open the app and leave it open on a good network; this can take long"),
    ]
}
