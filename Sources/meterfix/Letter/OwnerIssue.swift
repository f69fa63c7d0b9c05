internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What the owner has to do, or must not do.
enum OwnerIssue {
    /// What an old version of the app deleted and made again is deleted everywhere as soon as the app opens.
    case storm
    case vanished(CustomerSummary.Vanished)
    /// What iCloud does not have yet is lost as soon as the app opens.
    case placeLost
    case otherAccount, dataDeleted
    case incomplete, damaged
    /// Put together from what could be read of a damaged file.
    case recovered
    case empty(CustomerSummary.FormerRecords)
    /// A file without any meters.
    case foreign
    case newerApp
    /// The exchange with iCloud fails, and the owner can do something about it.
    case cloud(CustomerSummary.CloudProblem)
    /// The repaired file is not on its device yet.
    case putBack

    /// The most urgent first.
    static func all(of account: CustomerSummary) -> [OwnerIssue] {
        let found = Set(account.open.map(\.check))
        let cause = account.cloud?.error.forTheOwner
        var all: [OwnerIssue] = []
        if account.storm == .pending { all.append(.storm) }
        if let vanished = account.vanished { all.append(.vanished(vanished)) }
        let isPlaceLost = account.deletions.contains { if case .lostPlace = $0 { true } else { false } }
        if isPlaceLost || found.contains(Check.mirrorTokenLost.id) || cause == .placeLost { all.append(.placeLost) }
        if account.deletions.contains(.otherAccount) || cause == .otherAccount { all.append(.otherAccount) }
        if account.deletions.contains(.userPurge) || cause == .dataDeleted { all.append(.dataDeleted) }
        if found.contains(Check.walMissing.id) { all.append(.incomplete) }
        if found.contains(Check.notIntact.id) { all.append(.damaged) }
        if account.isRecovered { all.append(.recovered) }
        if account.vanished == nil, let former = account.former { all.append(.empty(former)) }
        if account.meters == nil { all.append(.foreign) }
        if case .impossible = account.repair, account.isOfNewerApp { all.append(.newerApp) }
        // What follows ends with that the app is opened.
        guard !all.contains(where: \.isDanger) else { return all }
        if let cloud = account.cloud, cloud.isForTheOwner { all.append(.cloud(cloud)) }
        switch account.repair {
        case .done, .forgotten: if !account.hasArrived { all.append(.putBack) }
        case .none, .ahead, .impossible: break
        }
        return all
    }

    /// Whether something is lost as soon as somebody opens the app.
    var isDanger: Bool {
        switch self {
        case .storm, .vanished, .placeLost, .otherAccount, .dataDeleted: true
        case .incomplete, .damaged, .recovered, .empty, .foreign, .newerApp, .cloud, .putBack: false
        }
    }

    /// Whether this file is of no use.
    var isOfFile: Bool {
        switch self {
        case .incomplete, .damaged, .recovered, .empty, .foreign, .newerApp: true
        case .storm, .vanished, .placeLost, .otherAccount, .dataDeleted, .cloud, .putBack: false
        }
    }

    /// The ids of the checks that are said elsewhere than in a note about what they found.
    static let checks: Set = [
        Check.deleteStorm.id, Check.massDelete.id, Check.mirrorDeletesHere.id, Check.mirrorTokenLost.id,
        Check.walMissing.id, Check.notIntact.id, Check.mirrorFailing.id,
    ]
}

extension CustomerSummary.CloudProblem {
    /// Whether the owner can do something about it, and nothing is lost meanwhile.
    fileprivate var isForTheOwner: Bool {
        switch error.forTheOwner {
        case .storageFull, .someRefused, .notSignedIn, .needsAnswer, .unreachable, .startsAgain, .interrupted,
            .connectedTwice, .stopped, nil:
            true
        case .refusedByICloud, .settledByApp, .otherAccount, .dataDeleted, .placeLost: false
        }
    }
}
