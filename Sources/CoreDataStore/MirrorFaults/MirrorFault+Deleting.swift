/// What deletes rows on the device.
extension MirrorFault {
    static let deleting: [MirrorFault] = [
        MirrorFault(
            "account-changed", cocoa, [134_405], alone: true, .deletes, 11, .described,
            means: """
                the iCloud account is another one than before: somebody has signed in, signed out or changed the account
                """,
            does: """
                whichever it was, the mirror deletes all mirrored rows on this device and sets itself up for the account that \
                is there now; changes not uploaded to the former account are lost
                """,
            cure: """
                save a copy of the store, with its -wal, before the app is opened again. If it was a mistake, have the user \
                sign in to the former account, which still has everything that was uploaded
                """,
            owner: .otherAccount),
        MirrorFault(
            "history-truncated", cocoa, [134_301], .deletes, 10, .described,
            named: "NSPersistentHistoryTokenExpiredError",
            orToldBy: "with reason: 'HistoryExpired'",
            means: """
                the history no longer has the transaction where the mirror stopped, so the mirror does not know what \
                was uploaded
                """,
            does: """
                the mirror deletes the rows on this device that it has record metadata for, and downloads them again; \
                changes that were not uploaded are lost
                """,
            cure: """
                save a copy of the store, with its -wal, before the app is opened again: only that copy has the \
                changes that were not uploaded. Then stop whatever empties the history
                """,
            owner: .placeLost),
        MirrorFault(
            "account-signed-out", cocoa, [134_405], .deletes, 11, .described,
            if: "ResetSyncReasonKey = 2|ResetSyncReasonKey=2|AccountLogout",
            orToldBy: "with reason: 'AccountLogout'",
            means: "the user has signed out of iCloud, and this store belongs to that account",
            does: """
                the mirror deletes all mirrored rows on this device and waits for an account; iCloud keeps what was \
                uploaded
                """,
            cure: """
                save a copy of the store, with its -wal, before the app is opened again. Then have the user sign in to \
                the same account, which brings back what was uploaded
                """,
            owner: .otherAccount),
        MirrorFault(
            "account-signed-in", cocoa, [134_405], .deletes, 12, .described,
            if: "ResetSyncReasonKey = 1|ResetSyncReasonKey=1|AccountLogin",
            orToldBy: "with reason: 'AccountLogin'",
            means: "somebody has signed in to iCloud, and the store had been checked without an account",
            does: "the mirror deletes all mirrored rows on this device and sets itself up for the account",
            cure: """
                save a copy of the store, with its -wal, before the app is opened again, and compare it with iCloud \
                afterwards
                """,
            owner: .otherAccount),
        MirrorFault(
            "account-changed", cocoa, [134_405], .deletes, 11, .described,
            orToldBy:
                "with reason: 'AccountChange'|CKIdentity record has changed from|Removing rows after account change",
            means: "the device is signed in to another iCloud account than the one that this store belongs to",
            does: """
                the mirror deletes all mirrored rows on this device and sets itself up for the new account; changes \
                not uploaded to the former account are lost
                """,
            cure: """
                save a copy of the store, with its -wal, before the app is opened again. If the account was changed by \
                mistake, have the user sign in to the former account, which still has everything that was uploaded
                """,
            owner: .otherAccount),
        MirrorFault(
            "zone-purged", cloudKit, [28], .deletes, 10, .described, named: "CKErrorUserDeletedZone",
            orToldBy: "with reason: 'UserPurgedZone'",
            means: "the user deleted the app's data in the iCloud settings",
            does: "the mirror deletes the same rows on this device, and every other device does so when it hears of it",
            cure: """
                if this was a mistake, keep all other devices offline, and save a copy of the store on each of them \
                before the app is opened there: iCloud has no copy any more
                """,
            owner: .dataDeleted),
    ]
}
