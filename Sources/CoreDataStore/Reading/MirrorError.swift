/// Why the mirror stopped: domain and code as `ANSCKEVENT` has them. Neither says anything without the other: 134400 is
/// no error of CloudKit's.
package struct MirrorError: Hashable, Sendable {
    /// Empty if the mirror gave none.
    package let domain: String
    package let code: Int64

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
    package var meaning: String {
        if let known { return known.meaning }
        return domain.isEmpty ? "the mirror stopped without a reason" : "an error that meterfix does not know"
    }

    /// What the mirror does next by itself.
    package var whatTheMirrorDoes: String {
        known?.whatTheMirrorDoes ?? "it is not known what the mirror does next"
    }

    package var whatToDo: String {
        known?.whatToDo
            ?? """
            have the user open the app and leave it open for a few minutes; if it fails again, the device's log says \
            more, in the lines with CoreData+CloudKit
            """
    }

    /// The cause and what to do, for the owner of the device; nil for an error that meterfix does not know.
    package var forTheOwner: String? { known?.forTheOwner }

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
