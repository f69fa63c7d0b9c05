package import MeterModel

/// What a build of the app must have so that its store is mirrored: a row of the table of `check-app`. Each is a way to
/// miss it. What CloudKit and the system do then is from Apple's documentation, from published logs and threads, and
/// from descriptions of Core Data's code.
package enum AppRequirement: String, Sendable, CaseIterable {
    case unreadable
    case containerMissing = "container-missing"
    case containerOther = "container-other"
    case serviceMissing = "cloudkit-service-missing"
    case unresolvedSetting = "unresolved-setting"
    case profileLacks = "profile-lacks"
    case environmentDevelopment = "environment-development"
    case environmentPinned = "environment-pinned"
    case environmentMixed = "environment-mixed"
    case pushEntitlementMissing = "push-entitlement-missing"
    case pushDevelopment = "push-development"
    case pushModeMissing = "push-mode-missing"
    case keyValueStoreMissing = "kvstore-missing"
    case keyValueStoreOther = "kvstore-other"
    case applicationIdentifierMissing = "application-identifier-missing"
    case cloudKitNotLinked = "cloudkit-not-linked"
    case entitlementsNotAssigned = "entitlements-not-assigned"
    case entitlementsDiffer = "entitlements-differ"
    case modelCurrentMissing = "model-current-missing"
    case modelEntityMissing = "model-entity-missing"
    case modelUniquenessConstraint = "model-uniqueness-constraint"
    case modelAttributeRequired = "model-attribute-required"
    case modelAttributeType = "model-attribute-type"
    case modelTransformerUnknown = "model-transformer-unknown"
    case modelRelationshipRequired = "model-relationship-required"
    case modelInverseMissing = "model-inverse-missing"
    case modelRelationshipOrdered = "model-relationship-ordered"
    case modelRelationshipOutside = "model-relationship-outside"
    case modelDeleteDeny = "model-delete-deny"
    case modelExternalizedType = "model-externalized-type"
    case modelExternalizedRelationship = "model-externalized-relationship"
    case storeModelUnknown = "store-model-unknown"
    case storeOlderModel = "store-older-model"

    /// What the requirements are about, as JSON names it, in the order of the answer.
    package enum Group: String, Sendable, CaseIterable {
        case entitlements
        case backgroundModes = "background-modes"
        case model, store
    }

    package var id: String { rawValue }
    package var severity: Severity { row.severity }
    /// Nil for what is about files of any group.
    package var group: Group? { row.group }
    /// What can be said where it was looked at and is right, a fragment; nil where that says nothing.
    package var right: String? { row.right }
    /// What is wrong and what follows from it, a fragment.
    package var message: String { row.message }
    /// What to do, a fragment.
    package var cure: String { row.cure }

    private typealias Row = (severity: Severity, group: Group?, right: String?, message: String, cure: String)

    private static func row(
        _ severity: Severity, _ group: Group?, right: String? = nil, _ message: String, cure: String
    ) -> Row {
        (severity, group, right, message, cure)
    }

    /// Of what CloudKit's rules for a model forbid.
    private static func refused(_ breach: String, right: String? = nil, cure: String) -> Row {
        row(.error, .model, right: right, "\(breach), so Core Data does not open the store (134060)", cure: cure)
    }

    private var row: Row {
        switch self {
        case .unreadable:
            Self.row(
                .error, nil,
                "the file cannot be read, so what it says is not known",
                cure: "hand over the file as Xcode or the archive has it")
        case .containerMissing:
            Self.row(
                .error, .entitlements,
                "the entitlements list no iCloud container, so nothing is mirrored (NSCocoaErrorDomain 134400, CKErrorDomain "
                    + "8)",
                cure: "switch on iCloud with CloudKit in Signing & Capabilities, and choose the container there")
        case .containerOther:
            Self.row(
                .error, .entitlements, right: "the app's container is listed",
                "the entitlements do not list the app's container, so this build may not open it (CKErrorDomain 5 or 10)",
                cure:
                    "choose the app's container in Signing & Capabilities; if the app asks for another one, name that with "
                    + "--container")
        case .serviceMissing:
            Self.row(
                .error, .entitlements, right: "CloudKit is among the iCloud services",
                "com.apple.developer.icloud-services lacks CloudKit, and the app ends with \"missing required entitlement\"",
                cure: "tick CloudKit under iCloud in Signing & Capabilities; iCloud Documents is another service")
        case .unresolvedSetting:
            Self.row(
                .error, .entitlements, right: "no build setting is left unresolved",
                "a build setting is left unresolved in the entitlements of a built product, where it is taken literally",
                cure: "let Xcode sign the app: codesign does not resolve the settings in an .entitlements file")
        case .profileLacks:
            Self.row(
                .error, .entitlements, right: "the profile gives what the signature claims",
                "the signature claims what the embedded profile does not give: the system does not start the app, or refuses "
                    + "the service",
                cure: "add it to the App ID in the developer portal, create the profile again, and sign with that")
        case .environmentDevelopment:
            Self.row(
                .error, .entitlements, right: "the build uses the production database",
                "this build for distribution syncs with the developers' database (icloud-container-environment)",
                cure: "export with com.apple.developer.icloud-container-environment set to Production")
        case .environmentPinned:
            Self.row(
                .note, .entitlements,
                "the source pins the production database: debug builds write into customers' data, and the schema cannot grow "
                    + "by itself (CKErrorDomain 12, 2006)",
                cure:
                    "remove com.apple.developer.icloud-container-environment, unless it is there on purpose: the export sets "
                    + "it")
        case .environmentMixed:
            Self.row(
                .warning, .entitlements, right: "all targets use the same database",
                "targets use different databases (icloud-container-environment): each reports success, and nothing gets across",
                cure: "give every target the same icloud-container-environment, or none of them")
        case .pushEntitlementMissing:
            Self.row(
                .warning, .entitlements, right: "the build may receive push notifications",
                "the platform's own aps-environment is not there, so changes of other devices arrive only when the app is "
                    + "started",
                cure: "add Push Notifications in Signing & Capabilities; macOS has com.apple.developer.aps-environment")
        case .pushDevelopment:
            Self.row(
                .warning, .entitlements, right: "pushes come from the production service",
                "this build for distribution has the aps-environment development, so pushes of the production service do not "
                    + "arrive",
                cure: "sign with a profile for distribution, which sets aps-environment to production")
        case .pushModeMissing:
            Self.row(
                .warning, .backgroundModes, right: "remote notifications are among the background modes",
                "UIBackgroundModes lacks remote-notification, so changes of other devices arrive only when the app is opened",
                cure: "tick Remote notifications under Background Modes in Signing & Capabilities")
        case .keyValueStoreMissing:
            Self.row(
                .warning, .entitlements, right: "the key-value store can be read",
                "there is no com.apple.developer.ubiquity-kvstore-identifier, so this build cannot read the names of versions "
                    + "before Core Data (MeterNames, TC66TemperatureUnits)",
                cure: "tick Key-value storage under iCloud in Signing & Capabilities")
        case .keyValueStoreOther:
            Self.row(
                .warning, .entitlements, right: "the key-value store is that of earlier versions",
                "the key-value store is neither that of the app's own bundle identifier nor that of its container, so the "
                    + "names of earlier versions are not found",
                cure:
                    "find out first where customers have their old names, for what this build saved lives in the store that "
                    + "it names now; only then set com.apple.developer.ubiquity-kvstore-identifier to the team and the bundle "
                    + "identifier of the first app"
            )
        case .applicationIdentifierMissing:
            Self.row(
                .error, .entitlements, right: "the signature has the application identifier",
                "the signature of this Mac app lacks the com.apple.application-identifier of its profile, so all requests "
                    + "are refused (CKErrorDomain 8, \"without an application ID\")",
                cure:
                    "let Xcode sign the app, or copy com.apple.application-identifier and "
                    + "com.apple.developer.team-identifier from the profile into the entitlements that codesign gets")
        case .cloudKitNotLinked:
            Self.row(
                .note, .entitlements, right: "CloudKit is linked",
                "CloudKit.framework is not linked: one Mac app could not reach the service until it was (NSCocoaErrorDomain "
                    + "4099)",
                cure: "add CloudKit.framework to the target's frameworks, if setup fails with 4099")
        case .entitlementsNotAssigned:
            Self.row(
                .error, .entitlements, right: "every build configuration has its entitlements",
                "a build configuration of the app has no CODE_SIGN_ENTITLEMENTS, so it is built without iCloud",
                cure: "set CODE_SIGN_ENTITLEMENTS for this configuration, as for the others")
        case .entitlementsDiffer:
            Self.row(
                .warning, .entitlements,
                "the build configurations use different entitlements, so what works in Debug need not in Release",
                cure: "use one .entitlements file for all of them, or hand over each file to have it checked")
        case .modelCurrentMissing:
            Self.row(
                .error, .model, right: "the current version of the model is there",
                "the current version of the model is not there, or no version is named",
                cure: "choose the current version in Xcode's file inspector, and hand over the whole folder")
        case .modelEntityMissing:
            Self.row(
                .error, .model, right: "the model is the app's",
                "the model does not have this entity, so it is not the app's",
                cure: "hand over CKModel.xcdatamodeld, or the .momd of the app")
        case .modelUniquenessConstraint:
            Self.refused(
                "CloudKit takes no uniqueness constraint", right: "no uniqueness constraint",
                cure: "delete the constraint in a new version of the model, and look for duplicates in code")
        case .modelAttributeRequired:
            Self.refused(
                "the attribute is neither optional nor has a default value",
                right: "every attribute is optional or has a default value",
                cure: "make it optional, or give it a default value")
        case .modelAttributeType:
            Self.refused(
                "the attribute has a type that CloudKit does not have",
                right: "every attribute is of a type that CloudKit has",
                cure: "choose a type; for a reference use a relationship, or the URI as text")
        case .modelTransformerUnknown:
            Self.row(
                .warning, .model,
                "no file shows whether the app registers the value transformer before it loads the store, and whether it is "
                    + "reversible (134060)",
                cure:
                    "register it with ValueTransformer.setValueTransformer before loadPersistentStores, and let it reverse"
            )
        case .modelRelationshipRequired:
            Self.refused(
                "the relationship is not optional", right: "every relationship is optional",
                cure: "make it optional: records arrive one at a time")
        case .modelInverseMissing:
            Self.refused(
                "the relationship has no inverse", right: "every relationship has an inverse",
                cure: "give it an inverse")
        case .modelRelationshipOrdered:
            Self.refused(
                "the relationship is ordered", right: "no relationship is ordered",
                cure: "keep the order in an attribute")
        case .modelRelationshipOutside:
            Self.refused(
                "the relationship leads to an entity that its configuration lacks",
                right: "no relationship leads out of its configuration",
                cure: "put both entities into the configuration, or keep an identifier in place of the relationship")
        case .modelDeleteDeny:
            Self.refused(
                "the relationship has the delete rule Deny", right: "no relationship has the delete rule Deny",
                cure: "choose Nullify or Cascade, and ask in code before deleting")
        case .modelExternalizedType:
            Self.refused(
                "the attribute is externalized, and its values are all of one length",
                cure: "leave NSPersistentCloudKitContainerExternalizedAttributeKey to texts and binary data")
        case .modelExternalizedRelationship:
            Self.refused(
                "the relationship is externalized",
                cure: "take NSPersistentCloudKitContainerExternalizedAttributeKey out of its user info")
        case .storeModelUnknown:
            Self.row(
                .error, .store, right: "the store is of a version in hand",
                "the store is of none of the versions in hand: the app does not open it (134100), or these are not its files",
                cure: "hand over the model with every version that was published; `meterfix verify --model` lists the "
                    + "differences")
        case .storeOlderModel:
            Self.row(
                .note, .store,
                "the store is of an older version of the model, and the app migrates it when it opens it",
                cure: "nothing: open it in the app")
        }
    }
}
