internal import Answer
internal import CoreDataStore
internal import MeterRepair

/// The one thing to do, and the sentence above the questions.
extension LetterWords {
    private var isRepaired: Bool {
        switch account.repair {
        case .done, .forgotten: true
        case .none, .ahead, .impossible: false
        }
    }

    /// Nil where there is nothing to do.
    func task(questions: Int) -> CustomerLetter.Task? {
        switch concerns.first {
        case .vanished: return task(.doAirplane, [say(.doAirplaneText)], tag: .tagNow)
        case .storm, .placeLost, .otherAccount, .dataDeleted: return task(.doClosed, [say(.doClosedText)], tag: .tagNow)
        case .incomplete, .damaged, .recovered: return task(.doSend, [sending])
        case .empty: return task(.doRightFile, [say(.doRightFileText)])
        case .foreign: return task(.doForeign, [sending])
        case .newerApp: return nil
        case .cloud(let cloud):
            let (title, text) = words(on: cloud.error.forTheOwner)
            return title.map { task($0, [failing(since: cloud), say(text)]) }
        case .putBack: return task(.doPutBack, [say(.doPutBackText)])
        case nil:
            guard questions > 0 else { return nil }
            let title = speaker.text(isRepaired ? .doCheck : .doAnswer, questions)
            return CustomerLetter.Task(tag: speaker.text(.tag), title: title, text: reply(questions))
        }
    }

    /// Nil where the questions are the one thing to do.
    func questionsLead(questions: Int) -> Inline? {
        guard questions > 0, !concerns.isEmpty else { return nil }
        return .sentences([say(isRepaired ? .alsoCheck : .alsoAnswer, questions), reply(questions)])
    }

    private func reply(_ questions: Int) -> Inline {
        isRepaired ? say(.noReply) : say(questions == 1 ? .replyOne : .replyMany)
    }

    private func task(
        _ title: LetterSentence, _ text: [Inline], tag: LetterSentence = .tag
    ) -> CustomerLetter.Task {
        CustomerLetter.Task(tag: speaker.text(tag), title: speaker.text(title), text: .sentences(text))
    }

    /// Which files are to be sent again.
    var sending: Inline { say(.doSendText, nil, [.file: "CKModel.sqlite"]) }

    /// What is said of a problem that is not the one thing to do.
    func sentences(on cloud: CustomerAccount.CloudProblem) -> Inline {
        .sentences([failing(since: cloud), say(words(on: cloud.error.forTheOwner).text)])
    }

    private func failing(since cloud: CustomerAccount.CloudProblem) -> Inline {
        guard let date = cloud.since.flatMap(date) else { return say(.cloudFails) }
        return say(.cloudFailsSince, nil, [.date: date])
    }

    /// - Returns: no title where the owner can do nothing.
    private func words(on cause: MirrorError.OwnersCause?) -> (title: LetterSentence?, text: LetterSentence) {
        switch cause {
        case .storageFull: (.doRoom, .cloudFull)
        case .someRefused: (.doLookForRoom, .cloudSomeRefused)
        case .notSignedIn: (.doSignIn, .cloudNotSignedIn)
        case .needsAnswer: (.doAnswerCloud, .cloudAsks)
        case .unreachable: (.doNetwork, .cloudUnreachable)
        case .startsAgain: (.doOpen, .cloudStartsAgain)
        case .interrupted: (.doOpen, .cloudInterrupted)
        case .connectedTwice: (.doQuit, .cloudTwice)
        case .refusedByICloud: (nil, .cloudRefused)
        case .settledByApp: (nil, .cloudSettled)
        case .otherAccount: (nil, .otherAccount)
        case .dataDeleted: (nil, .dataDeleted)
        case .placeLost: (nil, .placeLost)
        case nil: (.doCloud, .cloudUnknown)
        }
    }
}
