/// All that the letter and the verdict can say, in the order of the letter. What each is in a language is in the file of
/// that language.
enum LetterSentence: CaseIterable {
    // The word of the verdict.
    case wordStop, wordIncomplete, wordDamaged, wordEmpty, wordForeign, wordNewerApp, wordRepairNeeded, wordRepaired
    case wordLook, wordFine

    // The verdict: titles, without a full stop.
    case titleAllDeletedByCloud, titleMostDeletedByCloud, titleAllDeletedByApp, titleMostDeletedByApp
    case titlePlaceLost, titleOtherAccount, titleDataDeleted
    case titleStorm, titleRecovered
    case titleIncomplete, titleDamaged, titleEmpty, titleForeign, titleNewerApp
    case titleDuplicates, titleAllDuplicates, titleDisorder, titleOnce, titleUnknownMeters

    // Below the verdict.
    case leadStorm, leadDeleted, leadLastCopy, leadPlaceLost, leadOtherAccount, leadDataDeleted
    case leadSendAgain, leadRightFile, leadNewerApp, leadImpossible
    case leadReady, leadFirstCloud, leadFirstDecisions, leadUnchanged
    case leadRepaired, leadPutBack, leadArrived, leadNothingToRepair, leadPoints, leadCloud

    case greeting, regards, signature
    case thanks

    // What is dangerous.
    case allDeletedByCloud, mostDeletedByCloud, allDeletedByApp, mostDeletedByApp, deletedByReset, deletedHope
    case placeLost, otherAccount, dataDeleted
    case storm

    // A file that is of no use.
    case incomplete, onlyOfThisPart, damaged, recovered
    case empty, formerUnknown, formerNone, formerDeleted, formerDeletedOn
    case foreign, newerApp

    // What there is and what is done about it.
    case nothingWrong, onceEach, nothingToDo, unknownMeters
    case duplicatesNamed, duplicatesUnnamed, comeAndGo, levelled, noLoss
    case toOrder, othersToOrder
    case duplicates, impossible
    case mergedNamed, mergedUnnamed, nothingLost, namesBack, filledNamed, filledUnnamed, gone, newFormat
    case ordered, othersOrdered, nothingChanged, repairedOn, forgotten, arrived

    // Parts of sentences.
    case twice, times, twiceOrMore, moreNames, unnamed, noName, address, onDay, onUnknownDay, untilDate, untilFarDate

    // The one thing to do.
    case tag, tagNow
    case doAirplane, doAirplaneText, doClosed, doClosedText, doSend, doSendText, doRightFile, doRightFileText
    case doForeign, doPutBack, doPutBackText, doAnswer, doCheck

    // iCloud: what fails, and what helps.
    case cloudFails, cloudFailsSince
    case doRoom, cloudFull, doLookForRoom, cloudSomeRefused, doSignIn, cloudNotSignedIn, doAnswerCloud, cloudAsks
    case doNetwork, cloudUnreachable, doOpen, cloudStartsAgain, cloudInterrupted, doQuit, cloudTwice
    case doCloud, cloudUnknown, cloudRefused, cloudSettled

    // Questions.
    case alsoAnswer, alsoCheck, replyOne, replyMany, noReply, labelYes, labelNo
    case askName, askUnit, askField, stays, becomes, tellWhich
    case checkName, checkUnit, checkField, nothingChanges, becomesAgain, tellWhichAgain
    case askOtherDevice, askOtherDeviceYes, askOtherDeviceNo, askPurge, askPurgeYes, askPurgeNo
    case moreQuestions

    // Notes.
    case nameSettled, unitSettled, fieldSettled, nameNone, unitNone, fieldNone
    case rejects, reserved, reservedByUnknown, freedWithRepair, canFree
    case meterUnknown, nameNotTyped, nameShared, unitUnknown, dateWrong, deviceName
    case meterUnknownNamed, nameNotTypedNamed, nameSharedNamed, unitUnknownNamed, dateWrongNamed
    case stormUploaded, stormReceived
    case forSupport, moreNotes
}

extension LetterLanguage {
    func template(of sentence: LetterSentence) -> LetterTemplate {
        switch self {
        case .english: sentence.english
        case .german: sentence.german
        case .french: sentence.french
        case .romanian: sentence.romanian
        }
    }
}
