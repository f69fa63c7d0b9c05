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
        if !concerns.isEmpty { return urgent.task }
        guard !questions.isEmpty else { return nil }
        return Task("\(isRepaired ? "Check" : "Answer") \(points.text)", reply)
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

    /// Why the exchange with iCloud fails, and what helps.
    func sentences(on cloud: CustomerSummary.CloudProblem) -> Inline {
        let fails: Inline =
            cloud.since.flatMap(date).map { "The exchange with iCloud has failed since \($0)." }
            ?? "The exchange with iCloud fails."
        return .sentences([fails, Self.words(on: cloud.cause).text])
    }

    /// - Returns: no title where the owner can do nothing.
    static func words(on cause: MirrorError.OwnersCause?) -> (title: String?, text: Inline) {
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
