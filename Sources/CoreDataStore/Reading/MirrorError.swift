/// Why the mirror stopped: domain and code as `ANSCKEVENT` has them. Neither says anything without the other: 134400 is
/// no error of CloudKit's.
public struct MirrorError: Hashable, Sendable {
    /// Empty if the mirror gave none.
    public let domain: String
    /// Means something only with the domain.
    public let code: Int64

    package init(domain: String, code: Int64) {
        self.domain = domain
        self.code = code
    }

    /// The model has something that the mirror does not take, such as a uniqueness constraint.
    package static let unmirrorableModel = MirrorError(domain: cocoa, code: 134_060)

    static let cloudKit = "CKErrorDomain"
    static let cocoa = "NSCocoaErrorDomain"

    /// Domain and code, as people look for them; nil if the mirror gave neither.
    package var name: String? {
        guard domain.isEmpty else { return "\(domain) \(code)" }
        return code == 0 ? nil : "error \(code) without a domain"
    }

    /// What it means for the user. This and the two below are fragments for people, lower case and without a full stop.
    public var meaning: String {
        if let known { return known.meaning }
        return domain.isEmpty ? "the mirror stopped without a reason" : "an error that meterfix does not know"
    }

    /// What the mirror does next by itself.
    public var whatTheMirrorDoes: String {
        known?.whatTheMirrorDoes ?? "it is not known what the mirror does next"
    }

    package var whatToDo: String {
        known?.whatToDo
            ?? """
            have the user open the app and leave it open for a few minutes; if it fails again, the device's log says \
            more, in the lines with CoreData+CloudKit
            """
    }

    /// The cause, as far as the owner of the device can do something about it; nil for an error that meterfix does not
    /// know.
    package var forTheOwner: OwnersCause? { known?.forTheOwner }

    package var reaction: MirrorReaction { known?.reaction ?? .unknown }

    /// Whether the mirror then deletes rows on this device; nil if that is not known.
    package var deletesRows: Bool? {
        switch reaction {
        case .deletesRows: true
        case .triesAgain, .stops, .uploadsEverything: false
        case .unknown: nil
        }
    }

    /// Whether what is said of it is a conclusion, and no description of Apple's code says it.
    package var isInferred: Bool { known?.isInferred ?? true }

    private var known: KnownMirrorError? { KnownMirrorError.named[self] }
}

/// What the mirror does after an error, as far as it concerns what is sent.
package enum MirrorReaction: Hashable, Sendable {
    /// It goes on by itself, and sends what waits.
    case triesAgain
    /// It sends nothing until something is so.
    case stops(until: String)
    /// It keeps the rows on the device and uploads every record again.
    case uploadsEverything
    case deletesRows(Rows)
    /// It depends on what the store does not keep, or nobody has described it.
    case unknown

    /// Which rows it deletes on the device.
    package enum Rows: Hashable, Sendable {
        /// Those with record metadata; then it downloads them again.
        case mirrored
        /// Those of the zone that the user deleted in iCloud.
        case ofZone
        case all
    }
}

extension MirrorError {
    /// What is wrong, as far as the owner of the device can do something about it, or must not.
    package enum OwnersCause: Hashable, Sendable, CaseIterable {
        /// The owner's iCloud storage is full.
        case storageFull
        /// iCloud refused some entries and the store does not keep why; often the storage is full.
        case someRefused
        /// Nobody is signed in, or the app may not use iCloud.
        case notSignedIn
        /// The device's settings ask for something, such as the password.
        case needsAnswer
        /// The device is on no network, or cannot reach iCloud.
        case unreachable
        /// The app exchanges everything again, which takes a good network and time.
        case startsAgain
        /// The app was closed too early.
        case interrupted
        case connectedTwice
        /// Only the developers or support can correct it; meanwhile the app must not be deleted.
        case refusedByICloud
        /// Nothing has to be done.
        case settledByApp
        /// When the app opens, it deletes all data on this device.
        case otherAccount
        /// When the app opens, it deletes all data on any device.
        case dataDeleted
        /// When the app opens, what iCloud does not have yet is lost on this device.
        case placeLost

        /// Whether something is deleted as soon as the app opens.
        package var isDangerous: Bool {
            switch self {
            case .otherAccount, .dataDeleted, .placeLost: true
            case .storageFull, .someRefused, .notSignedIn, .needsAnswer, .unreachable, .startsAgain, .interrupted,
                .connectedTwice, .refusedByICloud, .settledByApp:
                false
            }
        }
    }
}
