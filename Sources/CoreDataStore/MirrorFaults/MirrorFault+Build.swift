/// A full storage, and what only the developers of the app can correct.
extension MirrorFault {
    static let ofTheBuild: [MirrorFault] = [
        MirrorFault(
            "invalid-arguments", cloudKit, [12], alone: true, .stops, 29, .described, named: "CKErrorInvalidArguments",
            means: """
                CloudKit does not accept what the app sends, most often because the production schema lacks a record type or a \
                field
                """,
            does: "\(givesUp), and then it fails again",
            cure: """
                tell the app's developers: they have to deploy the schema to production in the CloudKit console; \
                `meterfix explain` shows what a log says of it
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "model-not-mirrorable", cocoa, [134_060], alone: true, .stops, 20, .measured, named: "NSCoreDataError",
            means: """
                the app's model cannot be mirrored, for example because of a uniqueness constraint or a required attribute \
                without a default (or, more rarely, Core Data refused something else)
                """,
            does: "the mirror does nothing until the model changes",
            cure: "tell the app's developers: they have to change the model",
            owner: .refusedByICloud),
        MirrorFault(
            "quota-exceeded", cloudKit, [25], .stops, 20, .described, named: "CKErrorQuotaExceeded",
            orToldBy: """
                export*: Quota exceeded|CKRecordID*to server: Quota exceeded|CloudKit*Quota exceeded|iCloud*Quota \
                exceeded|your iCloud storage is full
                """,
            means: "the user's iCloud storage is full, so CloudKit accepts nothing more",
            does: """
                the mirror gives up: it stays idle until the app is started again, the account changes or a push from \
                another device wakes it, and room alone does not wake it
                """,
            cure: """
                have the user make room in iCloud, or buy more: in the device's settings, under the user's name and \
                iCloud; in the app, archive old charge records if there are many. Then quit the app, open it again and \
                leave it open. Until then the app must not be deleted, because what was not uploaded is only on this device
                """,
            owner: .storageFull),
        MirrorFault(
            "schema-not-deployed", cloudKit, [12], .stops, 21, .measured, named: "CKErrorInvalidArguments",
            if: "in production schema", orToldBy: "server message = *in production schema",
            means: "the app writes a record type or a field that the container's production schema does not have",
            does: "\(givesUp), and then it fails again",
            cure: """
                tell the app's developers: they have to deploy the schema to production in the CloudKit console, with \
                all optional fields and the _ckAsset variants; then have the user open the app again
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "schema-type-clash", cloudKit, [12], .stops, 21, .measured, named: "CKErrorInvalidArguments",
            if: "invalid attempt to set value type",
            means: "a field has another type in the cloud than the app sends",
            does: "\(givesUp), and then it fails again",
            cure:
                "tell the app's developers: a type cannot be changed in production, so the attribute needs a new name",
            owner: .refusedByICloud),
        MirrorFault(
            "invalid-arguments", cloudKit, [12], .stops, 29, .described, named: "CKErrorInvalidArguments",
            orToldBy: "You can't save the same record twice",
            means: "CloudKit does not accept what the app sends",
            does: "\(givesUp), and then it fails again",
            cure: "give the server's message in the log to the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "bundle-id-invalid", cloudKit, [10], .stops, 20, .described, named: "CKErrorPermissionFailure",
            if: "invalid bundle ID",
            means:
                "this build of the app may not use the iCloud container, because container and app ID are not connected",
            does: givesUp,
            cure: """
                tell the app's developers: they have to assign the container to the app ID, renew the provisioning \
                profile and ship a new build
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "permission-failure", cloudKit, [10], .stops, 30, .described, named: "CKErrorPermissionFailure",
            means: "the account may not read or write these records",
            does: givesUp,
            cure: """
                check which account is signed in; for shared records ask their owner; otherwise tell the app's \
                developers
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "container-bad", cloudKit, [5], .stops, 22, .described, named: "CKErrorBadContainer",
            means: "the iCloud container does not exist, or is not set up on Apple's servers",
            does: givesUp,
            cure: """
                tell the app's developers: the container must exist, and its name must be the same in the app, in the \
                entitlements and in the portal
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "entitlement-missing", cloudKit, [8], .stops, 20, .measured, named: "CKErrorMissingEntitlement",
            if: "without an application ID",
            orToldBy: """
                without an application ID|for entitlement "com.apple.application-identifier"|for entitlement \
                "application-identifier"
                """,
            means: "the build is signed without its application identifier, so CloudKit refuses every request",
            does: "the mirror gives up, and then it fails again",
            cure: """
                tell the app's developers: the signature lacks com.apple.application-identifier, which Xcode copies out \
                of the profile and a script does not (`meterfix check-app` on the built app shows it)
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "entitlement-missing", cloudKit, [8], .stops, 20, .described, named: "CKErrorMissingEntitlement",
            means: "the build lacks the iCloud entitlement",
            does: "the mirror gives up, often by ending the app",
            cure: "tell the app's developers: `meterfix check-app` shows which entitlement is missing",
            owner: .refusedByICloud),
        MirrorFault(
            "entitlement-missing", nil, [], .stops, 20, .measured,
            if: """
                missing required entitlement|missing the required entitlement|not entitled to access|Significant \
                issue*entitlement|must have a \
                com.apple.developer.icloud
                """,
            means: "the build lacks the iCloud entitlement",
            does: "the mirror gives up, often by ending the app",
            cure: "tell the app's developers: `meterfix check-app` shows which entitlement is missing",
            owner: .refusedByICloud),
        MirrorFault(
            "history-tracking-missing", cocoa, [134_060], .stops, 21, .described, named: "NSCoreDataError",
            if: "NSPersistentHistoryTrackingKey is required",
            means: "the app opens a mirrored store without persistent history",
            does: "the store is not mirrored, and in some cases not opened",
            cure: "tell the app's developers: they have to set NSPersistentHistoryTrackingKey",
            owner: .refusedByICloud),
        MirrorFault(
            "history-tracking-missing", nil, [], .stops, 21, .described,
            if: "opened without NSPersistentHistoryTrackingKey",
            means: """
                the app, or another process such as a widget, opened the store without persistent history, so it is \
                read-only there
                """,
            does: "the mirror uploads nothing from there, because nothing can be written there",
            cure: """
                tell the app's developers: they have to set NSPersistentHistoryTrackingKey in every process that opens \
                the store
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "container-id-missing", cocoa, [134_060], .stops, 21, .described, named: "NSCoreDataError",
            if: "container identifier is required|containerIdentifier only accepts",
            means: "the app asks for a mirrored store without naming a container",
            does: "the store is not opened",
            cure: "tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "store-kind-unsupported", cocoa, [134_060], .stops, 22, .described, named: "NSCoreDataError",
            if: "only supported for * stores",
            means: "the store is not of SQLite, and the mirror works with SQLite stores only",
            does: "the store is not opened",
            cure: "tell the app's developers",
            owner: .refusedByICloud),
        MirrorFault(
            "model-not-mirrorable", cocoa, [134_060], .stops, 20, .measured, named: "NSCoreDataError",
            if: """
                CloudKit integration requires|CloudKit integration does not|unsupported delete rules|mergeable \
                storage|have invalid values|encrypted relationships|is not supported on relationships|variable length \
                attribute|CloudKit integration forbids
                """,
            orToldBy: """
                CloudKit integration requires|CloudKit integration does not support|CloudKit integration forbids
                """,
            means: """
                the app's model cannot be mirrored, for example because of a uniqueness constraint, an ordered \
                relationship or a required attribute without a default
                """,
            does: "the store is not opened until the model changes",
            cure: """
                read the lines after the reason, which name entity and property; `meterfix migrate` brings a store of \
                an old version of the model up to date; otherwise tell the app's developers
                """,
            owner: .refusedByICloud),
        MirrorFault(
            "core-data-error", cocoa, [134_060], .stops, 31, .described, named: "NSCoreDataError",
            means: """
                Core Data refused something without an error code of its own, and the reason is only in the error's \
                text
                """,
            does: "what the mirror does depends on that reason",
            cure: "give the reason to the app's developers",
            owner: .refusedByICloud),
    ]
}
