internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What the owner has to do, or must not do.
enum OwnerIssue: Hashable {
    /// What an old version of the app deleted and made again is deleted everywhere as soon as the app opens.
    case storm
    case vanished(CustomerSummary.Vanished)
    /// What iCloud does not have yet is lost as soon as the app opens.
    case placeLost
    case otherAccount, dataDeleted
    case incomplete, mixed, damaged
    /// Without a table or a column that the app needs.
    case lacking
    /// Put together from what could be read of a damaged file.
    case recovered
    case empty(CustomerSummary.FormerRecords)
    /// A file without any meters.
    case foreign
    case newerApp
    /// The exchange with iCloud fails, and the owner can do something about it.
    case cloud(CustomerSummary.CloudProblem)
    /// Meters are about to be deleted on all devices.
    case going(CustomerSummary.OpenPoint)
    /// The repaired file is not on its device yet.
    case putBack
    /// It may not go there yet.
    case heldBack(isDownloadOpen: Bool)

    /// The most urgent first.
    static func all(of account: CustomerSummary) -> [OwnerIssue] {
        let found = Set(account.open.map(\.check))
        let cause = account.cloud?.cause
        var all: [OwnerIssue] = []
        if account.storm == .pending { all.append(.storm) }
        if let vanished = account.vanished { all.append(.vanished(vanished)) }
        let isPlaceLost = account.deletions.contains { if case .lostPlace = $0 { true } else { false } }
        let isTokenLost = account.open.contains { $0.check == Check.mirrorTokenLost.id && $0.severity == .error }
        if isPlaceLost || isTokenLost || cause == .placeLost { all.append(.placeLost) }
        if account.deletions.contains(.otherAccount) || cause == .otherAccount { all.append(.otherAccount) }
        if account.deletions.contains(.userPurge) || cause == .dataDeleted { all.append(.dataDeleted) }
        if found.contains(Check.walMissing.id) { all.append(.incomplete) }
        if found.contains(Check.filesMixed.id) { all.append(.mixed) }
        if found.contains(Check.notIntact.id) { all.append(.damaged) }
        if !found.isDisjoint(with: checksOfParts) { all.append(.lacking) }
        if account.isRecovered { all.append(.recovered) }
        if account.vanished == nil, let former = account.former { all.append(.empty(former)) }
        if account.meters == nil, !found.contains(Check.noDeviceSettings.id) { all.append(.foreign) }
        if case .impossible = account.repair, account.isOfNewerApp { all.append(.newerApp) }
        // What follows ends with that the app is opened.
        guard !all.contains(where: { $0.kind == .danger }) else { return all }
        if let going = account.open.first(where: { $0.check == Check.deletePendingAlive.id }) {
            all.append(.going(going))
        }
        if let cloud = account.cloud, cloud.isForTheOwner { all.append(.cloud(cloud)) }
        let isUnreturned =
            switch account.repair {
            case .done, .forgotten: !account.hasArrived
            case .none: account.isUnreturned
            case .ahead, .impossible: false
            }
        if isUnreturned {
            all.append(
                account.isHeldBack
                    ? .heldBack(isDownloadOpen: found.contains(Check.mirrorNotDownloaded.id)) : .putBack)
        }
        return all
    }

    enum Kind {
        /// Something is lost as soon as somebody opens the app.
        case danger
        /// This file is of no use.
        case file
        case task
    }

    var kind: Kind {
        switch self {
        case .storm, .vanished, .placeLost, .otherAccount, .dataDeleted: .danger
        case .incomplete, .mixed, .damaged, .lacking, .recovered, .empty, .foreign, .newerApp: .file
        case .going, .cloud, .putBack, .heldBack: .task
        }
    }

    /// The ids of the checks that are said elsewhere than in a note about what they found.
    static let checks = checksOfParts.union([
        Check.deleteStorm.id, Check.massDelete.id, Check.mirrorDeletesHere.id, Check.walMissing.id, Check.filesMixed.id,
        Check.notIntact.id, Check.mirrorFailing.id, Check.deletePendingAlive.id,
    ])

    /// Those that find a table or a column missing.
    private static let checksOfParts: Set = [Check.noDeviceSettings.id, Check.columnMissing.id, Check.tableMissing.id]
}

extension CustomerSummary.CloudProblem {
    /// Whether the owner can do something about it, and nothing is lost meanwhile.
    fileprivate var isForTheOwner: Bool {
        switch cause {
        case .storageFull, .someRefused, .notSignedIn, .needsAnswer, .unreachable, .startsAgain, .interrupted,
            .connectedTwice, .stopped, nil:
            true
        case .refusedByICloud, .settledByApp, .otherAccount, .dataDeleted, .placeLost: false
        }
    }
}

/// What a letter says of an issue: a row of the table below. What a row leaves out is said by the state of the repair.
struct IssueWords {
    /// The verdict in a word or two.
    var word: String?
    /// Without a full stop.
    var title: Inline?
    /// One to three sentences below the title.
    var lead: [Inline]?
    /// The first sentences of the letter.
    var opening: [Inline] = []
    var task: CustomerLetter.Task?
    var steps: [Block.Step]?
    /// What is asked before what the repair asks.
    var questions: [CustomerLetter.Asked] = []
    /// Where another issue is more urgent.
    var note: Inline?
}

extension CustomerLetter {
    /// The words of the most urgent issue.
    var urgent: IssueWords { concerns.first.map(words) ?? IssueWords() }

    /// The table: a new issue is a row of it, and says when there is one in `OwnerIssue.all`.
    func words(on issue: OwnerIssue) -> IssueWords {
        switch issue {
        case .vanished(let vanished): words(on: vanished)
        case .storm:
            IssueWords(
                title: "USB Meter deleted your meters and stored them again", lead: [Self.stormAhead], opening: [storm],
                task: Self.leaveClosed, steps: Self.untilWeWrite, note: storm)
        case .placeLost:
            Self.danger(
                "If USB Meter is opened, changes are lost on this device",
                "The device has lost its place in the exchange with iCloud. What iCloud does not have yet is only in this file.",
                Self.placeLost)
        case .otherAccount:
            Self.danger(
                "The iCloud account on this device has changed",
                "As soon as USB Meter is opened, it deletes the meters on this device.", Self.otherAccount)
        case .dataDeleted:
            Self.danger(
                "The data of USB Meter was deleted in iCloud",
                "Each device on which USB Meter is opened deletes its meters.", Self.dataDeleted)
        case .incomplete:
            Self.sendAgain(
                nil, "A part of this file is missing", Self.incomplete,
                "What follows is only true of the part that we have.")
        case .mixed:
            Self.sendAgain(nil, "The parts of this file do not belong together", Self.mixed, note: Self.mixed)
        case .damaged:
            Self.sendAgain("File damaged", "This file is damaged", Self.damaged)
        case .lacking:
            IssueWords(
                word: "File not whole", title: "A part of this file is missing",
                lead: ["The app needs it, and an older copy or a backup may have it."], opening: [Self.lacking],
                task: Task(
                    "Leave USB Meter closed on this device, and look for an older copy",
                    "Is there a backup of the device, or an older copy of the file? Please send us that, or tell us that there is none."
                ),
                steps: Self.theFileAgain, note: Self.lacking)
        case .recovered:
            Self.sendAgain(
                "File damaged", "This file was put together from a damaged one", Self.recovered, note: Self.recovered)
        case .empty:
            IssueWords(
                word: "No meters", title: Self.noMeter, lead: Self.anotherDevice,
                task: Task(
                    "Look whether this is the right file",
                    "Is it from a device with your meters? Please also send the file with the same name and “-wal” at the end."
                ),
                steps: Self.theFileAgain)
        case .foreign:
            IssueWords(
                word: "Wrong file", title: "This is not the file with the meters", lead: Self.anotherDevice,
                task: Task("Send the file with your meters", Self.sending), steps: Self.theFileAgain)
        case .newerApp:
            IssueWords(
                word: "Cannot be repaired yet", title: "This file is probably from a newer version of USB Meter",
                lead: ["It can be repaired as soon as we know that version. Nothing has been changed."],
                opening: [Self.newerApp], steps: [], note: Self.newerApp)
        case .cloud(let problem):
            IssueWords(
                task: Self.words(on: problem.cause).title.map { Task($0, sentences(on: problem)) },
                note: sentences(on: problem))
        case .going(let point): words(on: point)
        case .putBack:
            IssueWords(task: putBack, note: "\(putBack.title). \(putBack.text)")
        case .heldBack(let isDownloadOpen):
            IssueWords(
                lead: ["The changed file does not go back yet."],
                task: isDownloadOpen ? Self.download : Self.waiting, steps: Self.theFileAgain)
        }
    }

    private static func danger(_ title: Inline, _ lead: Inline, _ sentence: Inline) -> IssueWords {
        IssueWords(
            title: title, lead: [lead], opening: [sentence], task: leaveClosed, steps: untilWeWrite, note: sentence)
    }

    private static func sendAgain(
        _ word: String?, _ title: Inline, _ sentence: Inline, _ more: Inline = "", note: Inline? = nil
    ) -> IssueWords {
        IssueWords(
            word: word, title: title, lead: ["We need the file again, with all its parts."], opening: [sentence, more],
            task: Task("Send the file again, with all its parts", sending), steps: theFileAgain,
            note: note ?? .sentences([sentence, sending]))
    }

    private func words(on going: CustomerSummary.OpenPoint) -> IssueWords {
        let names: Inline = names(going.names).map { ": \($0)." } ?? "."
        let meters = Inline.count(going.count, "meter is", "meters are").withCapital
        let pronoun = going.count == 1 ? "it" : "them"
        let sentence: Inline = "\(meters) about to be deleted on all your devices\(names)"
        let isToPutBack = account.returned == nil && concerns.contains { if case .putBack = $0 { true } else { false } }
        let start: Inline = isToPutBack ? "Then put the repaired file back before you" : "Then"
        return IssueWords(
            title: "\(meters) about to be deleted",
            lead: ["iCloud, or this device, has been told to delete \(pronoun)."],
            opening: [sentence],
            task: Task(
                "Write down the name and the unit of each meter that you still need",
                "\(start) open USB Meter with the network on, leave it open for a while, and send us the file again. If a meter is missing then, connect to it once more and give it its name."
            ),
            note: sentence)
    }

    private func words(on vanished: CustomerSummary.Vanished) -> IssueWords {
        let entries = Phrase.count(vanished.deleted, "entry was deleted", "entries were deleted at once")
        return IssueWords(
            title:
                "\(vanished.isByApp ? "USB Meter" : "iCloud") deleted \(vanished.left == 0 ? "all meters" : "most of the meters") in this file",
            lead: [
                "\(entries) \(day(vanished.at)).",
                "Another device may have the last copy. It is lost there, too, once USB Meter runs with a network.",
            ],
            opening: Self.sentences(on: vanished, day(vanished.at).withCapital),
            task: Task(
                "Switch on Airplane Mode on your other devices",
                "Do this first, and do not open USB Meter there. On a Mac, turn off Wi-Fi. Without a network, nothing can be deleted on those devices.",
                isUrgent: true),
            steps: Self.bringingBack(isMirrored: account.isMirrored), questions: Self.questions(on: vanished))
    }
}

/// What several rows say.
extension CustomerLetter {
    static let placeLost: Inline =
        "This device has lost its place in the exchange with iCloud. If USB Meter is opened now, what iCloud does not have yet is lost here."
    static let otherAccount: Inline =
        "The iCloud account on this device has changed. If USB Meter is opened now, it deletes your meters on this device."
    static let dataDeleted: Inline =
        "The data of USB Meter was deleted in iCloud. Each device on which USB Meter is opened deletes your meters, too."
    private static let incomplete: Inline =
        "A part of the file is missing, and probably your latest changes with it."
    private static let mixed: Inline =
        "The parts of the file are from different moments, or from different devices. We have changed nothing."
    private static let damaged: Inline =
        "The file is damaged, probably on its way to us. We have changed nothing."
    private static let lacking: Inline =
        "A part of the file is missing that USB Meter needs: it may take the file for damaged, and delete it. We have changed nothing."
    private static let recovered: Inline =
        "The file was put together from what could be read of a damaged one. What is missing in it may still be in iCloud."
    private static let newerApp: Inline =
        "Your file is probably from a newer version of USB Meter than we can repair today. You need not do anything; we will write to you."
    static let noMeter: Inline = "There is no meter in this file"
    private static let anotherDevice: [Inline] = ["We need the file from a device with the meters."]

    private var storm: Inline {
        "\(day(account.stormTime).withCapital), an old version of USB Meter on this device deleted your meters and stored them again. \(Self.stormAhead)"
    }

    private static let stormAhead: Inline =
        "If it is opened now, your other devices do the same, and what was changed there is lost."

    private static let leaveClosed = Task(
        "Do not open USB Meter", "Please leave it closed on all your devices until we write to you.", isUrgent: true)

    /// Which files are to be sent again.
    private static let sending: Inline = "Please close USB Meter and send all files that begin with “CKModel.sqlite”."

    private static let download = Task(
        "Open USB Meter with the network on, and leave it open",
        "Meters may still come from iCloud. When no more come, please close USB Meter and send us the file again.")

    private static let waiting = Task(
        "Leave the file as it is", "Something in it has to be understood before it may go back to your device.")

    private var putBack: Task {
        guard account.returned == nil else {
            return Task(
                "Leave USB Meter open on this device, with the network on",
                "The repaired file is back, and iCloud does not have all of it yet. Leave USB Meter closed on all your other devices, and send us the file again tomorrow."
            )
        }
        guard account.isMirrored else {
            return Task("Put the file back, and open USB Meter", "That is on the device you sent the file from.")
        }
        guard !mayOthersOpen else {
            return Task(
                "Put the file back, and open USB Meter on that device",
                "That is the device you sent the file from. Leave USB Meter open there until we write again. Until then, type no name and choose no unit on your other devices."
            )
        }
        return Task(
            "Put the file back, and open USB Meter only on that device",
            "That is the device you sent the file from. Leave USB Meter open there until we write again. Leave it closed on all your other devices until then."
        )
    }

    private static func sentences(on vanished: CustomerSummary.Vanished, _ day: Inline) -> [Inline] {
        let meters = vanished.left == 0 ? "all of its" : "most of its"
        let start: Inline =
            vanished.isByApp
            ? "\(day), USB Meter on this device deleted \(meters) meters."
            : "\(day), iCloud told USB Meter on this device to delete \(meters) meters."
        let hope: Inline = "There is a chance to get them back: another device may still have them."
        switch vanished.author {
        case .mirror(.reset):
            return [
                start,
                "The cause is probably that its data was deleted in iCloud, or that another account was signed in.",
                hope,
            ]
        case .otherDevice, .mirror, .program, .meterfix: return [start, hope]
        }
    }

    private static func questions(on vanished: CustomerSummary.Vanished) -> [Asked] {
        let device = Asked(
            text: "Is there a device on which USB Meter has not been opened since then?",
            yes: "Tell us which one. We save your meters from it.",
            no: "We look for them in our backups and in what is left of this file.")
        guard !vanished.isByApp else { return [device] }
        return [
            device,
            Asked(
                text: "Did somebody delete the data of USB Meter in the iCloud settings?",
                yes: "Then we know the cause.", no: "We look for the cause before we bring anything back."),
        ]
    }

    private static let theFileAgain: [Block.Step] = [
        .init(.now, "You send the file again", "With USB Meter closed, and with all its parts."),
        .init(.later, "We look at it again", "Nothing is changed until then."),
    ]

    private static let untilWeWrite: [Block.Step] = [
        .init(.now, "You leave USB Meter closed", "On all your devices."),
        .init(.later, "We save what is in this file", "Before anything opens it."),
        .init(.later, "We tell you when to open USB Meter", "And on which device first."),
    ]

    private static func bringingBack(isMirrored: Bool) -> [Block.Step] {
        [
            .init(
                .now, "You take your other devices offline", "Airplane Mode on. USB Meter stays closed, here as well."),
            .init(.later, "You answer the questions", "And tell us the names of all your devices."),
            .init(
                .later, "We save the meters",
                "From a device that still has them, while it is offline. If there is none, from backups and from what is left of this file."
            ),
            .init(.later, "We bring them back", "Into this file, with a backup. You get it back with instructions."),
            .init(
                .later, "You open USB Meter here first",
                isMirrored ? "From here, iCloud brings the meters to your other devices." : "Leave it open."
            ),
        ]
    }
}
