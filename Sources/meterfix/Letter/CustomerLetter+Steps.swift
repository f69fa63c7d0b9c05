internal import Answer
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

/// What happens next: who acts, in order.
extension CustomerLetter {
    var steps: [Block.Step] { urgent.steps ?? stepsOfRepair }

    private var stepsOfRepair: [Block.Step] {
        // What keeps the repair from the other devices.
        let cloud: CustomerSummary.CloudProblem? = if case .cloud(let problem) = concerns.first { problem } else { nil }
        return switch account.repair {
        case .ahead: ahead(cloud)
        case .done(_, let time), .forgotten(let time): done(cloud, at: time)
        case .none, .impossible: cloud.map(Self.cloudAlone) ?? []
        }
    }

    private func ahead(_ cloud: CustomerSummary.CloudProblem?) -> [Block.Step] {
        var steps: [Block.Step] = []
        let answers: Inline = questions.isEmpty ? "" : ", and with your answers"
        if let cloud {
            steps.add(
                Self.title(cloud),
                "Then update USB Meter on each device, open it for a few minutes with the network on, and close it again everywhere."
            )
            steps.add(
                "You reply",
                "Send us \(questions.isEmpty ? "" : "your answers and ")the file again. From then on, leave USB Meter closed."
            )
        } else if !questions.isEmpty {
            steps.add(
                "You reply",
                "Send us your answers, and leave USB Meter closed from then on. If it was open since you sent the file, send the file again."
            )
        }
        let condition: Inline =
            if account.ahead != nil {
                " Until then, leave USB Meter closed on all devices."
            } else if cloud == nil && account.isMirrored {
                " Until then, USB Meter has to be up to date on all devices, in step with iCloud, and closed."
            } else {
                ""
            }
        steps.add("We repair the file", "With a backup\(answers). You get it back with instructions.\(condition)")
        steps.add("You put it back on this device", "Open USB Meter here first, and leave it open.")
        guard account.isMirrored else { return steps }
        steps.add(
            "iCloud brings the repair to your other devices",
            "We look at a new copy and tell you when to open USB Meter there.")
        return steps
    }

    private func done(_ cloud: CustomerSummary.CloudProblem?, at time: Timestamp) -> [Block.Step] {
        var steps: [Block.Step] = []
        let (isBack, hasArrived) = (account.returned != nil, account.hasArrived)
        let date = date(time).map { "On \($0), with" } ?? "With"
        steps.add("We repaired the file", "\(date) a backup. This is done.", isDone: true)
        if let cloud, !hasArrived {
            steps.add(Self.title(cloud), "Otherwise the repair does not reach your other devices.")
        }
        steps.add(
            "You put the file back",
            "With USB Meter closed: move \(.code("CKModel.sqlite")), \(.code("CKModel.sqlite-wal")) and \(.code("CKModel.sqlite-shm")) into a folder and keep them, then put the repaired files in their place.",
            isDone: isBack)
        steps.add(
            "You open USB Meter there",
            "\(mayOthersOpen ? "With" : "Only on this device, with") the network on. Leave it open until we write again.",
            isDone: hasArrived)
        guard account.isMirrored else { return steps }
        steps.add(
            "You send us the file once more",
            hasArrived ? "All changes have arrived in iCloud." : "We check that all changes have arrived in iCloud.",
            isDone: hasArrived)
        if mayOthersOpen {
            steps.add("You type names again on every device", "Your other devices get the change from iCloud.")
        } else {
            steps.add("You open USB Meter everywhere", "Your other devices get the repair from iCloud.")
        }
        return steps
    }

    /// Whether the other devices may be used while the change is uploaded.
    var mayOthersOpen: Bool {
        guard account.ahead == .upload(of: .namesLeftAlone) else { return false }
        return switch account.repair {
        case .done(let repair, _): repair.merged.isEmpty
        case .none, .ahead, .impossible: true
        case .forgotten: false
        }
    }

    private static func cloudAlone(_ cloud: CustomerSummary.CloudProblem) -> [Block.Step] {
        [
            .init(.now, title(cloud), "The letter says how."),
            .init(.later, "You open USB Meter", "For a few minutes, with the network on."),
            .init(.later, "You send us the file again", "We check that the exchange with iCloud works."),
        ]
    }

    private static func title(_ cloud: CustomerSummary.CloudProblem) -> Inline {
        cloud.cause == .storageFull ? "You make room in iCloud" : "You get iCloud to work"
    }
}

extension [Block.Step] {
    /// The first step that is not done is for now.
    fileprivate mutating func add(_ title: Inline, _ text: Inline, isDone: Bool = false) {
        append(.init(isDone ? .past : contains { $0.state == .now } ? .later : .now, title, text))
    }
}

extension CustomerLetter {
    /// Only where meters vanished. The last point is what may be done.
    var donts: [Block.Point] { account.vanished == nil ? [] : Self.donts }

    private static let donts: [Block.Point] =
        [
            ("Do not open USB Meter on another device", "Not even to look. It would delete the meters there, too."),
            (
                "Do not sign out of iCloud or change the account",
                "Either one deletes the meters that are on that device."
            ),
            ("Do not delete the app or install it again", "With the app goes the file that we need."),
            ("Do not restore a device from a backup", "The app would get the same deletion again."),
            ("Do not name meters again on this device", "New entries get in the way of the old ones."),
        ].map { Block.Point(.discarded, .warning, Inline($0), Inline($1)) } + [
            .init(
                .check, .good, "What you may do",
                "Charge the devices, and make a backup by cable while USB Meter is closed and Airplane Mode is on."
            )
        ]
}
