extension MirrorFault {
    /// What is wrong with the file of the store.
    static let ofTheStore: [MirrorFault] = [
        MirrorFault(
            "metadata-exception", cocoa, [134_402], .stops, 27, .described,
            means: "the mirror's own tables could not be read or migrated, because of an exception",
            does: "\(givesUp), and then it fails again",
            cure: "save a copy of the store, and look at the mirror's tables with `meterfix verify`",
            owner: .refusedByICloud),
        MirrorFault(
            "asset-folder", cocoa, [134_403], .stops, 28, .described,
            means: "the folder for large values beside the store cannot be made",
            does: givesUp,
            cure: "check the free space and the permissions on the device",
            owner: .refusedByICloud),
        MirrorFault(
            "serialise-exception", cocoa, [134_420], .stops, 28, .described,
            orToldBy: "failed to generate records for object",
            means: "a row could not be turned into a record, because of an exception",
            does: "\(givesUp), and then it fails again",
            cure: "tell the app's developers: the exception in the text names the value",
            owner: .refusedByICloud),
        MirrorFault(
            "mirror-exception", cocoa, [134_421], .stops, 28, .described,
            orToldBy: "crashed in CoreData's mirror",
            means: """
                the mirror's own code failed with an exception, often over metadata of a row or an entity that is not \
                there
                """,
            does: "\(givesUp), and then it fails again",
            cure: "save a copy of the store, and look for metadata without a row or an entity with `meterfix verify`",
            owner: .refusedByICloud),
        MirrorFault(
            "mirror-code-unknown", cocoa, [134_401, 134_408, 134_414], .stops, 37, .inferred,
            means: "a code of the mirror's range that no description explains",
            does: "it is not known what the mirror does next",
            cure: "give the log to the app's developers"),
        MirrorFault(
            "token-of-other-store", cocoa, [134_501], .stops, 27, .described,
            means: "a place in the history is of another store, as after a replaced store file",
            does: """
                the request fails; a mirror whose own place is of another store starts from the beginning of the \
                history
                """,
            cure: "save a copy of the store, and check the mirror's history token with `meterfix verify`"),
        MirrorFault(
            "request-invalid", cocoa, [134_070, 134_091], .stops, 36, .described,
            means: "the app asked the mirror for something that it does not know",
            does: "the mirror refuses the request and goes on",
            cure: "tell the app's developers"),
        MirrorFault(
            "store-incompatible", cocoa, [134_100, 134_020], .stops, 20, .described,
            orToldBy: "model used to open the store is incompatible",
            means: "the store was made with another model than the app has",
            does: "the store is not opened",
            cure: "`meterfix verify` and `meterfix migrate` tell which version it is of and bring it up to date",
            owner: .refusedByICloud),
        MirrorFault(
            "migration-failed", cocoa, [134_110], .stops, 20, .measured,
            if: "missing attribute values on mandatory destination attribute",
            means: """
                the store could not be brought up to the version of the app's model, because that requires a value that \
                the rows of the store do not have
                """,
            does: "the store is not opened",
            cure: """
                tell the app's developers: the attribute that the reason names needs a default value in the model, or \
                has to be optional; save a copy of the store until then
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "migration-failed",
            cocoa, [134_110, 134_120, 134_150, 134_160, 134_170, 134_180, 134_504, 134_505, 134_506], .stops, 20,
            .described,
            means: "the store could not be brought up to the version of the app's model",
            does: "the store is not opened",
            cure: "save a copy of the store, and try `meterfix migrate`",
            owner: .refusedByICloud),
        MirrorFault(
            "migration-unmapped", cocoa, [134_130, 134_140, 134_190], .stops, 20, .described,
            means: "the app has no model for this store, or no way to bring it up to date",
            does: "the store is not opened",
            cure: "save a copy of the store, and try `meterfix migrate`; otherwise tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "mirror-collision", sqlite, [19], .stops, 20, .described,
            if: "ANSCK|RECORDMETADATA",
            means: "two rows of the mirror's metadata collide, so the store cannot be migrated",
            does: "the store is not opened",
            cure: "save a copy of the store, and see mirror-collision of `meterfix verify`",
            owner: .refusedByICloud),
        MirrorFault(
            "store-open-failed", cocoa, [134_080, 134_000, 134_010], .stops, 22, .measured,
            orToldBy: "addPersistentStore*returned error|encountered during addPersistentStore|Failed to stat path",
            means: "the store could not be opened",
            does: "nothing is mirrored",
            cure: "read the underlying error; save a copy of the store, and look at it with `meterfix verify`"),
        MirrorFault(
            "save-failed", cocoa, [134_030, 134_040, 134_050], .stops, 30, .described,
            means: "the app could not save, so there is nothing to upload",
            does: "nothing is mirrored",
            cure: "read the underlying error, which tells why"),
        MirrorFault(
            "store-timeout", cocoa, [134_090], .retries, 62, .described, named: "NSPersistentStoreTimeoutError",
            means: "the store did not answer in time",
            does: "the mirror tries again",
            cure: "nothing"),
        MirrorFault(
            "store-corrupt", sqlite, [11, 26], .stops, 19, .described,
            orToldBy: "database corruption at line|database integrity compromised*.sqlite",
            means: "the store's file is damaged",
            does: "nothing is mirrored until the file is whole",
            cure: """
                save a copy of all three files of the store before the app is opened again, and look at it with \
                `meterfix verify`
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "store-corrupt", cocoa, [259], .stops, 19, .described, named: "NSFileReadCorruptFileError",
            means: "the store's file is damaged",
            does: "nothing is mirrored until the file is whole",
            cure: """
                save a copy of all three files of the store before the app is opened again, and look at it with \
                `meterfix verify`
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "disk-full", sqlite, [13], .stops, 19, .described,
            means: "the device has no space left",
            does: "nothing is mirrored until there is space",
            cure: "have the user make room on the device"),
        MirrorFault(
            "disk-full", cocoa, [640], .stops, 19, .described, named: "NSFileWriteOutOfSpaceError",
            means: "the device has no space left",
            does: "nothing is mirrored until there is space",
            cure: "have the user make room on the device"),
        MirrorFault(
            "column-missing", sqlite, [1], .stops, 19, .measured,
            if: "no such column|no such table",
            means: "the store lacks a column or a table that the app's model has",
            does: "reading and saving fail",
            cure: "save a copy of the store, and see column-missing of `meterfix verify`",
            owner: .refusedByICloud),
        MirrorFault(
            "store-busy", sqlite, [5, 6], .retries, 62, .described,
            means: "another process holds the store",
            does: "the mirror tries again",
            cure: "have the user quit widgets and extensions of the app"),
        MirrorFault(
            "store-read-only", sqlite, [8], .stops, 30, .described,
            means: "the store may not be written",
            does: "nothing is uploaded",
            cure: "check the permissions of the file, and whether the device was locked"),
        MirrorFault(
            "store-io-error", sqlite, [10, 14], .stops, 22, .described,
            means: "the store's file cannot be read or opened",
            does: "nothing is mirrored",
            cure: "save a copy of all three files; find out whether the app's folder was moved or deleted"),
    ]

    /// What is wrong with the network.
    static let ofTheNetwork: [MirrorFault] = [
        MirrorFault(
            "offline", url, [-1009, -1018, -1020], .retries, 60, .described,
            means: "the device is offline",
            does: "the mirror tries again by itself",
            cure: "have the user get the device online",
            owner: .unreachable),
        MirrorFault(
            "network-trouble",
            url,
            [
                -1, -995, -996, -997, -999, -1001, -1003, -1004, -1005, -1006, -1007, -1008, -1010, -1012, -1013,
                -1014, -1019, -1100, -1101, -1102, -1103, -1104, -1200, -2000, -3000, -3001, -3002, -3003, -3004, -3005,
                -3006, -3007,
            ], .retries, 60, .described,
            means: "the connection to CloudKit broke or was too slow",
            does: "the mirror tries again by itself",
            cure: "nothing, unless it lasts: then check network, VPN and content filters",
            owner: .unreachable),
        MirrorFault(
            "connection-untrusted", url, [-1201, -1202, -1203, -1204, -1205, -1206, -1022], .stops, 27,
            .described,
            means: "something between the device and CloudKit answers with a certificate that is not Apple's",
            does: """
                the mirror does not try again: it gives up and stays idle until the app is started again or the \
                account changes
                """,
            cure: """
                have the user turn off the proxy, filter or antivirus that looks into connections, and check the \
                device's date; then quit the app and open it again
                """,
            owner: .unreachable),
        MirrorFault(
            "connection-odd", url, [], .stops, 36, .described,
            means: "CloudKit's answer made no sense to the device",
            does: """
                the mirror does not try again: it gives up and stays idle until the app is started again or the \
                account changes
                """,
            cure: """
                have the user quit the app and open it again; if it lasts, check the network and the version of the \
                system
                """),
    ]
}
