extension MirrorFault {
    /// What a message of a log tells without a code.
    static let toldByWords: [MirrorFault] = [
        MirrorFault(
            "push-mode-missing", nil, [], .build, 38, .measured,
            if: """
                push notifications require the 'remote-notification' background mode|push notifications require the \
                remote-notification background mode
                """,
            means: """
                the build lacks the background mode for remote notifications, so changes of other devices arrive only \
                when the app is opened
                """,
            does: "the mirror imports only when the app is started",
            cure: "tell the app's developers: UIBackgroundModes has to have remote-notification (`meterfix check-app`)"),
        MirrorFault(
            "push-entitlement-missing", nil, [], .build, 38, .described,
            if: "push notifications require the '*' entitlement",
            means: """
                the build may not receive push notifications, so changes of other devices arrive only when the app is \
                opened
                """,
            does: "the mirror imports only when the app is started",
            cure: "tell the app's developers: the entitlement aps-environment is missing (`meterfix check-app`)"),
        MirrorFault(
            "deferred-rate-limit", nil, [], .waits, 45, .described,
            if: "coredata.cloudkit.activity.*ActivityRateLimitPolicy*FinalDecision: Must Not Proceed",
            means: "the device has postponed syncing, because the app synced too often",
            does: "the mirror waits, which can take hours",
            cure: "nothing; after a mass change, wait a day and have the user open the app from time to time"),
        MirrorFault(
            "deferred-low-power", nil, [], .waits, 45, .described,
            if: "coredata.cloudkit.activity.*Low Power Mode Policy*FinalDecision: Must Not Proceed",
            means: "the device is in low power mode and postpones syncing",
            does: "the mirror waits until the battery is charged or the mode is off",
            cure: "have the user charge the device, or turn off low power mode"),
        MirrorFault(
            "deferred-group", nil, [], .note, 95, .described,
            if: "coredata.cloudkit.activity.*Activity Group Policy*FinalDecision: Must Not Proceed",
            means: "another sync of the app is still running",
            does: "the mirror follows right after",
            cure: "nothing"),
        MirrorFault(
            "deferred-system", nil, [], .waits, 46, .described,
            if: """
                coredata.cloudkit.activity.*FinalDecision: Must Not Proceed!ActivityRateLimitPolicy|Low Power Mode \
                Policy|Activity Group Policy
                """,
            means: "the device has postponed syncing",
            does: "the mirror waits until the system lets it",
            cure: "have the user leave the app open, on a charger and a good network"),
        messagesLost,
        MirrorFault(
            "not-signed-in", nil, [], .waits, 40, .described,
            if: "Illegal attempt to export without an account|accountStatus=No Account|accountStatus=NoAccount",
            means: "nobody is signed in to iCloud on the device",
            does: "the mirror does not upload",
            cure: "have the user sign in to iCloud on the device, allow the app to use iCloud, and open the app",
            owner: .notSignedIn),
        MirrorFault(
            "account-restricted", nil, [], .waits, 41, .described,
            if: "accountStatus=Restricted|account status: restricted|CKAccountStatus.restricted",
            means: "Screen Time or a management profile forbids iCloud",
            does: "the mirror waits for the account to change",
            cure: "have the user lift the restriction, or ask the administrator",
            owner: .needsAnswer),
        MirrorFault(
            "account-unavailable", nil, [], .waits, 41, .described,
            if: """
                accountStatus=Temporarily Unavailable|accountStatus=TemporarilyUnavailable|accountStatus=Could Not \
                Determine|accountStatus=CouldNotDetermine|account status: temporarilyUnavailable|account status: \
                couldNotDetermine|CKAccountStatus.temporarilyUnavailable|CKAccountStatus.couldNotDetermine
                """,
            means: "the iCloud account cannot be used for now, or the system cannot tell whether it can",
            does: "the mirror waits for the account to change",
            cure: "have the user open the device's settings and answer what the account asks",
            owner: .needsAnswer),
        MirrorFault(
            "metadata-stale", nil, [], .note, 90, .described,
            if: """
                record metadata that points to missing entity|record metadata that points to an entity that is no \
                longer
                """,
            means: "the mirror keeps notes about an entity that the model no longer has",
            does: "the mirror drops them",
            cure: "see mirror-unknown-entity of `meterfix verify`"),
        MirrorFault(
            "metadata-purged", nil, [], .note, 90, .described,
            if: "purged record metadata during migration due to corrupted",
            means: "the mirror threw away notes that did not fit",
            does: "the mirror makes them again, which can upload rows twice",
            cure: "look for duplicates with `meterfix verify`"),
        MirrorFault(
            "records-skipped", nil, [], .note, 91, .described,
            if: "Skipping record because its entity|Skipping unknown updated record",
            means: "another device sends records that this version of the app does not know",
            does: "the mirror leaves them out",
            cure: "have the user update the app on this device"),
        MirrorFault(
            "local-edit-kept", nil, [], .note, 94, .described,
            if: "Importer is rejecting updated value",
            means: "a value came from another device while this one had a change that was not uploaded yet",
            does: "the mirror keeps the change of this device",
            cure: "nothing"),
        MirrorFault(
            "log-incomplete", nil, [], .stops, 39, .described,
            if: "[macos-unifiedlogs]|Failed to parse chunkset|Incorrect compression signature",
            means: "the program that read the log archive left lines out, because it does not know their compression",
            does: "what the mirror does is not affected",
            cure: """
                make the text again, of the same archive: on a Mac with macOS 26.2 or later, or with macos-UnifiedLogs \
                0.7.0 or later
                """),
        MirrorFault(
            "redacted", nil, [], .note, 96, .measured,
            if: "<private>",
            means: "the system has hidden parts of the messages",
            does: "what the mirror does is not affected",
            cure: """
                for the hidden parts, install Apple's CloudKit logging profile, or have the developers set \
                OSLogPreferences with Enable-Private-Data for com.apple.coredata, and take the log again
                """),
    ]

    /// Messages that look like errors and are none.
    static let noise: [MirrorFault] = [
        .noise(
            "noise-background-task",
            """
            updateTaskRequest failed|updateTaskRequest called|BGSystemTaskSchedulerErrorDomain|Error updating \
            background task request
            """),
        .noise("noise-column-there-already", "Skipping migration for 'ANSCK|Skipping migration for 'ZNSCK"),
        .noise(
            "noise-wal-checkpoint",
            "WAL checkpoint: Database did checkpoint|PostSaveMaintenance|Logging for the sqlite"),
        .noise("noise-clean-up", "Delete propagation prefetching failed with exception"),
        .noise("noise-first-launch", "Recovery attempt while adding*was successful"),
        .noise("noise-sql-debug", "CoreData: sql:|CoreData: annotation:|CoreData: details:"),
        .noise(
            "noise-xpc",
            """
            connection to service named|connection to service with pid|XPC connection interrupted|XPC connection \
            invalidated|XPC connection error|XPC connection was|Error received: Connection in|NSXPCConnection
            """),
        .noise(
            "noise-network-stack",
            """
            nw_connection|nw_socket|nw_read|nw_write|nw_protocol|nw_path|nw_endpoint|nw_flow|nw_resolver|nw_proxy|\
            boringssl|tcp_input|tcp_output|quic_conn|quic_stream|[connection]|Connection *: received failure|\
            Connection *: unable|finished with error [-999]
            """),
        .noise(
            "noise-keyboard",
            """
            RTIInputSystemClient|remoteTextInputSession|System gesture gate timed out|Snapshotting a \
            view|UIKeyboard
            """),
        .noise(
            "noise-graphics",
            """
            MetalTools|Metal API Validation|IOSurface|CAMetalLayer|fopen failed for data file|Errors \
            found*Invalidating cache
            """),
        .noise("noise-file-provider", "FileProvider|Could not create a bookmark|ViewBridge|TCC deny"),
        .noise("noise-accessibility", "AXRuntimeCommon|AXLoading|UIAccessibility"),
        .noise(
            "noise-assertions",
            """
            RBSAssertionError|Error acquiring assertion|ProcessAssertion|PPSClientDonation|-[RBSConnection|-[RBSService|\
            -[RBSState
            """),
        .noise(
            "noise-audio-bluetooth",
            "[aqme]|AudioQueueObject|CoreBluetooth*API MISUSE|CoreBluetooth*XPC|CBCentralManager"),
    ]

    /// What no other row knows: an error, a request that failed without one, and what of a log cannot be read.
    static let unknown = [unknownError, hiddenReason, brokenLog, linesLeftOut]

    package static let messagesLost = MirrorFault(
        "messages-lost", nil, [], .waits, 47, .described,
        if: "unreliable messages from|lossEvent|Messages dropped during|QUARANTINED DUE TO HIGH LOGGING VOLUME",
        means: "the system lost messages, because too many were logged at once: a failure may have been among them",
        does: "what the mirror does is not affected",
        cure: """
            take the log again with less in it: `log show --last 1d --info --debug --predicate 'subsystem \
            CONTAINS "coredata" OR subsystem CONTAINS "cloudkit"'`
            """)

    package static let unknownError = MirrorFault(
        "unknown-error", nil, [], .stops, 37, .inferred,
        means: "an error that meterfix does not know",
        does: """
            it is not known what the mirror does next; descriptions of Apple's code say that it gives up on what it \
            does not know
            """,
        cure: """
            have the user quit the app, open it again and leave it open for a few minutes; if it fails again, give the \
            log to the app's developers
            """)

    package static let hiddenReason = MirrorFault(
        "reason-hidden", nil, [], .stops, 36, .inferred,
        means: "a request failed, and why is not known: the system hid the error, or the log lacks it",
        does: "it is not known what the mirror does next",
        cure: """
            ask for the store and name it beside the log (`meterfix explain LOG STORE`), because the store keeps domain \
            and code of each request that failed; to see the error in a log, install Apple's CloudKit logging profile, \
            or have the developers set OSLogPreferences with Enable-Private-Data for com.apple.coredata, and take the \
            log again
            """)

    package static let brokenLog = MirrorFault(
        "log-incomplete", nil, [], .stops, 39, .measured,
        means: "the log breaks off, or is damaged: a part of it was not read",
        does: "what the mirror does is not affected",
        cure: "ask for the whole log again, compressed, so that nothing on its way cuts it")

    package static let linesLeftOut = MirrorFault(
        "lines-left-out", nil, [], .waits, 48, .inferred,
        means: "somebody left lines out of this log: a failure may have been among them",
        does: "what the mirror does is not affected",
        cure: "ask for the whole log")
}
