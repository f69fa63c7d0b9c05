internal import Answer
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

/// What happens next: who acts, in order.
struct LetterSteps {
    private(set) var all: [Block.Step] = []

    /// - Parameters:
    ///   - concern: the most urgent.
    ///   - questions: how many the letter asks.
    init(_ account: CustomerSummary, _ concern: OwnerIssue?, questions: Int) {
        switch concern {
        case .vanished: vanished(isMirrored: account.isMirrored)
        case .storm, .placeLost, .otherAccount, .dataDeleted: danger()
        case .incomplete, .damaged, .recovered, .empty, .foreign: sendAgain()
        case .newerApp: break
        case .cloud(let problem): repair(account, problem, questions: questions)
        case .putBack, nil: repair(account, nil, questions: questions)
        }
    }

    /// - Parameter cloud: what keeps the repair from the other devices.
    private mutating func repair(
        _ account: CustomerSummary, _ cloud: CustomerSummary.CloudProblem?, questions: Int
    ) {
        switch account.repair {
        case .ahead: ahead(account, cloud, questions: questions)
        case .done(_, let time), .forgotten(let time): done(account, cloud, at: time)
        case .none, .impossible: if let cloud { cloudAlone(cloud) }
        }
    }

    /// The first step that is not done is for now.
    private mutating func add(_ title: Inline, _ text: Inline, isDone: Bool = false) {
        let isNow = !isDone && !all.contains { $0.state == .now }
        all.append(Block.Step(isDone ? .past : isNow ? .now : .later, title, text))
    }

    private mutating func ahead(_ account: CustomerSummary, _ cloud: CustomerSummary.CloudProblem?, questions: Int) {
        let answers: Inline = questions == 0 ? "" : ", and with your answers"
        if let cloud {
            add(
                Self.title(cloud),
                "Then update USB Meter on each device, open it for a few minutes with the network on, and close it again everywhere."
            )
            add(
                "You reply",
                "Send us \(questions == 0 ? "" : "your answers and ")the file again. From then on, leave USB Meter closed."
            )
        } else if questions > 0 {
            add(
                "You reply",
                "Send us your answers, and leave USB Meter closed from then on. If it was open since you sent the file, send the file again."
            )
        }
        let condition: Inline =
            cloud == nil && account.isMirrored
            ? " Until then, USB Meter has to be up to date on all devices, in step with iCloud, and closed." : ""
        add("We repair the file", "With a backup\(answers). You get it back with instructions.\(condition)")
        add("You put it back on this device", "Open USB Meter here first, and leave it open.")
        guard account.isMirrored else { return }
        add(
            "iCloud brings the repair to your other devices",
            "We look at a new copy and tell you when to open USB Meter there.")
    }

    private mutating func done(_ account: CustomerSummary, _ cloud: CustomerSummary.CloudProblem?, at time: Timestamp) {
        let isBack = account.hasArrived
        let date = LetterStyle.date(time, now: account.now).map { "On \($0), with" } ?? "With"
        add("We repaired the file", "\(date) a backup. This is done.", isDone: true)
        if let cloud, !isBack { add(Self.title(cloud), "Otherwise the repair does not reach your other devices.") }
        add(
            "You put the file back",
            "With USB Meter closed: move \(.code("CKModel.sqlite")), \(.code("CKModel.sqlite-wal")) and \(.code("CKModel.sqlite-shm")) into a folder and keep them, then put the repaired files in their place.",
            isDone: isBack)
        add(
            "You open USB Meter there", "Only on this device, with the network on. Leave it open until we write again.",
            isDone: isBack)
        guard account.isMirrored else { return }
        add(
            "You send us the file once more",
            isBack ? "All changes have arrived in iCloud." : "We check that all changes have arrived in iCloud.",
            isDone: isBack)
        add("You open USB Meter everywhere", "Your other devices get the repair from iCloud.")
    }

    private mutating func cloudAlone(_ cloud: CustomerSummary.CloudProblem) {
        add(Self.title(cloud), "The letter says how.")
        add("You open USB Meter", "For a few minutes, with the network on.")
        add("You send us the file again", "We check that the exchange with iCloud works.")
    }

    private static func title(_ cloud: CustomerSummary.CloudProblem) -> Inline {
        cloud.error.forTheOwner == .storageFull ? "You make room in iCloud" : "You get iCloud to work"
    }

    private mutating func sendAgain() {
        add("You send the file again", "With USB Meter closed, and with all its parts.")
        add("We look at it again", "Nothing is changed until then.")
    }

    private mutating func danger() {
        add("You leave USB Meter closed", "On all your devices.")
        add("We save what is in this file", "Before anything opens it.")
        add("We tell you when to open USB Meter", "And on which device first.")
    }

    private mutating func vanished(isMirrored: Bool) {
        add("You take your other devices offline", "Airplane Mode on. USB Meter stays closed, here as well.")
        add("You answer the questions", "And tell us the names of all your devices.")
        add(
            "We save the meters",
            "From a device that still has them, while it is offline. If there is none, from backups and from what is left of this file."
        )
        add("We bring them back", "Into this file, with a backup. You get it back with instructions.")
        add(
            "You open USB Meter here first",
            isMirrored ? "From here, iCloud brings the meters to your other devices." : "Leave it open.")
    }
}

extension CustomerLetter {
    /// Where meters vanished. The last point is what may be done.
    static let donts = [
        Block.Point(
            .discarded, .warning,
            "Do not open USB Meter on another device",
            "Not even to look. It would delete the meters there, too."),
        Block.Point(
            .discarded, .warning,
            "Do not sign out of iCloud or change the account",
            "Either one deletes the meters that are on that device."),
        Block.Point(
            .discarded, .warning,
            "Do not delete the app or install it again",
            "With the app goes the file that we need."),
        Block.Point(
            .discarded, .warning,
            "Do not restore a device from a backup",
            "The app would get the same deletion again."),
        Block.Point(
            .discarded, .warning,
            "Do not name meters again on this device",
            "New entries get in the way of the old ones."),
        Block.Point(
            .check, .good,
            "What you may do",
            "Charge the devices, and make a backup by cable while USB Meter is closed and Airplane Mode is on."),
    ]
}
