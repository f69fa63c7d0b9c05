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
    package static let unmirrorableModel = MirrorError(domain: MirrorFault.cocoa, code: 134_060)

    /// Domain and code, as people look for them; nil if the mirror gave neither.
    package var name: String? {
        guard domain.isEmpty else { return "\(domain) \(code)" }
        return code == 0 ? nil : "error \(code) without a domain"
    }

    /// What it means for the user. This and the two below are fragments for people, lower case and without a full stop.
    public var meaning: String {
        domain.isEmpty ? "the mirror stopped without a reason" : fault.meaning
    }

    /// What the mirror does next by itself.
    public var whatTheMirrorDoes: String { fault.whatTheMirrorDoes }

    package var whatToDo: String { fault.advice }

    /// The cause, as far as the owner of the device can do something about it; nil for an error that nobody has described.
    package var forTheOwner: OwnersCause? { fault.forTheOwner }

    package var reaction: MirrorReaction { MirrorReaction(fault) }

    /// Whether the mirror then deletes rows on this device; nil if that is not known.
    package var deletesRows: Bool? {
        fault.isCarrier && fault.kind == .stops || fault.mark == .inferred ? nil : fault.kind == .deletes
    }

    /// Whether it is none: the system put the work off, or the request was not needed.
    package var isNoFailure: Bool { fault.isNoFailure }

    /// The row of the table for an error of which only domain and code are known.
    public var fault: MirrorFault { .of(domain: domain, code: code, text: UnsafeBufferPointer<UInt8>?.none) }
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

extension MirrorReaction {
    /// The forecast is about the next start of the app. So what a start of the app may mend is not known.
    fileprivate init(_ fault: MirrorFault) {
        switch fault.kind {
        case .startsOver: self = .uploadsEverything
        case .retries, .note, .noise, .build: self = .triesAgain
        case .deletes, .stops, .waits:
            switch fault.forTheOwner {
            case .placeLost: self = .deletesRows(.mirrored)
            case .dataDeleted: self = .deletesRows(.ofZone)
            case .otherAccount: self = .deletesRows(.all)
            case .storageFull:
                self = .stops(until: "there is room in the user's iCloud storage and the app is started again")
            case .notSignedIn: self = .stops(until: "the device has an iCloud account that the app may use")
            case .needsAnswer: self = .stops(until: "the iCloud account can be used again")
            case .refusedByICloud: self = .stops(until: "the app's developers have corrected what is refused")
            case .startsAgain, .interrupted, .connectedTwice, .settledByApp: self = .triesAgain
            case .someRefused, .unreachable, .stopped, nil: self = .unknown
            }
        }
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
        /// The mirror gave up, and goes on when the app is started again.
        case stopped
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
        package var isDangerous: Bool { [.otherAccount, .dataDeleted, .placeLost].contains(self) }
    }
}
