internal import Answer
internal import MeterRepair

/// What happens next: who acts, in order. In English, for those who read the rest of the page.
struct LetterSteps {
    private(set) var all: [CustomerLetter.Step] = []

    /// - Parameters:
    ///   - concern: the most urgent.
    ///   - questions: how many the letter asks.
    init(_ account: CustomerAccount, _ concern: LetterConcern?, questions: Int) {
        switch concern {
        case .vanished: vanished(isMirrored: account.isMirrored)
        case .placeLost, .otherAccount, .dataDeleted: danger(account.isMirrored)
        case .incomplete, .damaged, .empty, .foreign: sendAgain()
        case .newerApp: return
        case .cloud, .putBack, nil:
            var needsCloud = false
            if case .cloud = concern { needsCloud = true }
            switch account.repair {
            case .ahead: ahead(account, needsCloud: needsCloud, questions: questions)
            case .done, .forgotten: done(account, needsCloud: needsCloud)
            case .none, .impossible: if needsCloud { cloudAlone() }
            }
        }
    }

    /// The first step that is not done is for now.
    private mutating func add(_ title: Inline, _ text: Inline, isDone: Bool = false) {
        let isNow = !isDone && !all.contains { $0.state == .now }
        all.append(CustomerLetter.Step(title: title, text: text, state: isDone ? .past : isNow ? .now : .later))
    }

    private mutating func ahead(_ account: CustomerAccount, needsCloud: Bool, questions: Int) {
        if needsCloud {
            add(
                "The owner gets iCloud to work",
                "Then update USB Meter on each device, open it for a few minutes with the network on, and close it again everywhere."
            )
        } else if account.isMirrored {
            add(
                "The owner gets the devices ready",
                "Update USB Meter on each device, open it for a few minutes with the network on, and close it again everywhere."
            )
        }
        if questions > 0 || account.isMirrored {
            let what: Inline = questions == 0 ? "the file again" : "the answers and the file again"
            add("The owner replies", "With \(what). From then on, USB Meter stays closed on every device.")
        }
        add(
            "We repair the file",
            "With a backup\(questions == 0 ? "" : ", and with the answers"). The owner gets it back with instructions.")
        add("The owner puts it back on this device", "USB Meter is opened here first, and left open.")
        if account.isMirrored {
            add(
                "iCloud brings the repair to the other devices",
                "We look at a new copy of the file and say when to open USB Meter there.")
        }
    }

    private mutating func done(_ account: CustomerAccount, needsCloud: Bool) {
        let isBack = account.hasArrived
        add("We repaired the file", "With a backup. This is done.", isDone: true)
        if needsCloud, !isBack {
            add("The owner gets iCloud to work", "Otherwise the repair does not reach the other devices.")
        }
        add(
            "The owner puts the file back",
            "With USB Meter closed: move \(.code("CKModel.sqlite")), \(.code("CKModel.sqlite-wal")) and \(.code("CKModel.sqlite-shm")) into a folder and keep them, then put the repaired files in their place.",
            isDone: isBack)
        add(
            "The owner opens USB Meter there", "Only on this device, with the network on. It is left open.",
            isDone: isBack)
        guard account.isMirrored else { return }
        add(
            "The owner sends us the file once more",
            isBack ? "All changes have arrived in iCloud." : "We check that all changes have arrived in iCloud.",
            isDone: isBack)
        add("The owner opens USB Meter everywhere", "The other devices get the repair from iCloud.")
    }

    private mutating func cloudAlone() {
        add("The owner gets iCloud to work", "The letter says how.")
        add("The owner opens USB Meter", "For a few minutes, with the network on.")
        add("The owner sends us the file again", "We check that the exchange with iCloud works.")
    }

    private mutating func sendAgain() {
        add("The owner sends the file again", "With USB Meter closed, and with all its parts.")
        add("We look at it again", "Nothing has been changed until then.")
    }

    private mutating func danger(_ isMirrored: Bool) {
        add("The owner leaves USB Meter closed", "On all devices, and keeps them as they are.")
        add("We save what is in this file", "With a backup, before anything opens it.")
        add("We say when to open USB Meter", "And on which device first.")
    }

    private mutating func vanished(isMirrored: Bool) {
        add("The owner takes the other devices offline", "Airplane Mode on. USB Meter stays closed, here as well.")
        add("The owner answers the questions", "And tells us the names of all devices.")
        add(
            "We save the meters",
            "From a device that still has them, while it is offline. If there is none, from backups and from what is left of this file."
        )
        add("We bring them back", "Into this file, with a backup. The owner gets it back with instructions.")
        add(
            "The owner opens USB Meter here first",
            isMirrored ? "From here, iCloud brings the meters to the other devices." : "It is left open.")
    }
}

extension CustomerLetter {
    /// Where meters vanished. The last point is what may be done.
    static let donts = [
        Point(
            title: "Do not open USB Meter on another device",
            text: "Not even to look. It would delete the meters there, too.", isAllowed: false),
        Point(
            title: "Do not sign out of iCloud or change the account",
            text: "Either one deletes the meters that are on that device.", isAllowed: false),
        Point(
            title: "Do not delete the app or install it again", text: "With the app goes the file that we need.",
            isAllowed: false),
        Point(
            title: "Do not restore a device from a backup", text: "The app would get the same deletion again.",
            isAllowed: false),
        Point(
            title: "Do not name meters again on this device", text: "New entries get in the way of the old ones.",
            isAllowed: false),
        Point(
            title: "What you may do",
            text:
                "Charge the devices, and make a backup by cable while USB Meter is closed and Airplane Mode is on.",
            isAllowed: true),
    ]
}
