internal import Answer
internal import CoreDataStore
internal import MeterRepair

/// The one thing to do, and the sentence above the questions.
extension CustomerLetter {
    private var isRepaired: Bool {
        switch account.repair {
        case .done, .forgotten: true
        case .none, .ahead, .impossible: false
        }
    }

    /// Nil where there is nothing to do.
    var oneThing: Task? {
        switch concerns.first {
        case .vanished:
            return task(
                "Switch on Airplane Mode on your other devices",
                "Do this first, and do not open USB Meter there. On a Mac, turn off Wi-Fi. Without a network, nothing can be deleted on those devices.",
                isUrgent: true)
        case .storm, .placeLost, .otherAccount, .dataDeleted:
            return task(
                "Do not open USB Meter", "Please leave it closed on all your devices until we write to you.",
                isUrgent: true)
        case .incomplete, .damaged, .recovered: return task("Send the file again, with all its parts", Self.sending)
        case .empty:
            return task(
                "Look whether this is the right file",
                "Is it from a device with your meters? Please also send the file with the same name and “-wal” at the end."
            )
        case .foreign: return task("Send the file with your meters", Self.sending)
        case .newerApp: return nil
        case .cloud(let cloud):
            return Self.words(on: cloud.error.forTheOwner).title.map { task($0, sentences(on: cloud)) }
        case .putBack: return task(Self.puttingBack.title, Self.puttingBack.text)
        case nil:
            guard !questions.isEmpty else { return nil }
            return task("\(isRepaired ? "Check" : "Answer") \(points.text)", reply)
        }
    }

    /// Nil where the questions are the one thing to do, and where there are none.
    var questionsLead: Inline? {
        guard !questions.isEmpty, !concerns.isEmpty else { return nil }
        return .sentences(["Please also \(isRepaired ? "check" : "answer") \(points).", reply])
    }

    /// `two questions`; the points to check after a repair.
    private var points: Inline {
        isRepaired ? .count(questions.count, "point", "points") : .count(questions.count, "question", "questions")
    }

    private var reply: Inline {
        if isRepaired { return "Where we are right, you need not answer." }
        return questions.count == 1 ? "A reply such as “1 yes” is enough." : "A reply such as “1 yes, 2 no” is enough."
    }

    private func task(_ title: String, _ text: Inline, isUrgent: Bool = false) -> Task {
        Task(tag: isUrgent ? "One thing to do, now" : "One thing to do", title: title, text: text)
    }

    /// Which files are to be sent again.
    static let sending: Inline = "Please close USB Meter and send all files that begin with “CKModel.sqlite”."

    static let puttingBack: (title: String, text: Inline) = (
        "Put the file back, and open USB Meter only on that device",
        "That is the device you sent the file from. Leave USB Meter open there until we write again. Leave it closed on all your other devices until then."
    )

    /// Why the exchange with iCloud fails, and what helps.
    func sentences(on cloud: CustomerSummary.CloudProblem) -> Inline {
        let fails: Inline =
            cloud.since.flatMap(date).map { "The exchange with iCloud has failed since \($0)." }
            ?? "The exchange with iCloud fails."
        return .sentences([fails, Self.words(on: cloud.error.forTheOwner).text])
    }

    /// - Returns: no title where the owner can do nothing.
    private static func words(on cause: MirrorError.OwnersCause?) -> (title: String?, text: Inline) {
        switch cause {
        case .storageFull:
            (
                "Make some room in iCloud",
                "Your iCloud storage is full, so your devices cannot exchange their changes. You see what takes up room in Settings, under your name and then iCloud. When there is room, quit USB Meter and open it again. Until then, do not delete it."
            )
        case .someRefused:
            (
                "Look whether your iCloud storage is full",
                "iCloud did not accept some entries. Until it does, do not delete USB Meter."
            )
        case .notSignedIn:
            (
                "Sign in to iCloud, and allow USB Meter to use it",
                "USB Meter has no iCloud account on this device. Please sign in with the same account as before; another account would delete the meters here."
            )
        case .needsAnswer:
            (
                "Answer what iCloud asks for",
                "iCloud expects an answer from you, perhaps your password. Please open the settings of the device and give it."
            )
        case .unreachable: ("Look whether the device is on the network", "The device could not reach iCloud.")
        case .startsAgain:
            (
                "Open USB Meter and leave it open",
                "USB Meter has to exchange all its data with iCloud again. That takes a good network and some time."
            )
        case .interrupted:
            (
                "Open USB Meter and leave it open",
                "USB Meter was closed during the exchange with iCloud. A few minutes are enough."
            )
        case .connectedTwice:
            ("Quit USB Meter and open it again", "USB Meter was connected to iCloud twice at the same time.")
        case .stopped:
            (
                "Quit USB Meter and open it again",
                "The exchange with iCloud has stopped. It goes on when USB Meter is started again."
            )
        case .refusedByICloud:
            (
                nil,
                "iCloud does not accept what USB Meter sends, and only we can correct this. Until then, please do not delete USB Meter."
            )
        case .settledByApp: (nil, "iCloud did not take everything the last time; USB Meter tries again by itself.")
        case .otherAccount: (nil, otherAccount)
        case .dataDeleted: (nil, dataDeleted)
        case .placeLost: (nil, placeLost)
        case nil:
            ("Look at iCloud in the settings of each device", "Is each device signed in to iCloud, and is there room?")
        }
    }
}
