extension LetterSentence {
    var english: LetterTemplate {
        switch self {
        case .wordStop: "Stop: do not open the app"
        case .wordIncomplete: "File not complete"
        case .wordDamaged: "File damaged"
        case .wordEmpty: "No meters"
        case .wordForeign: "Wrong file"
        case .wordNewerApp: "Cannot be repaired yet"
        case .wordRepairNeeded: "Repair needed"
        case .wordRepaired: "Repaired"
        case .wordLook: "Something to check"
        case .wordFine: "Nothing is wrong"

        case .titleAllDeletedByCloud: "iCloud deleted all meters in this file"
        case .titleMostDeletedByCloud: "iCloud deleted most of the meters in this file"
        case .titleAllDeletedByApp: "USB Meter deleted all meters in this file"
        case .titleMostDeletedByApp: "USB Meter deleted most of the meters in this file"
        case .titlePlaceLost: "If USB Meter is opened, changes are lost on this device"
        case .titleOtherAccount: "This device is signed in to another iCloud account"
        case .titleDataDeleted: "The data of USB Meter was deleted in iCloud"
        case .titleStorm: "USB Meter deleted your meters and stored them again"
        case .titleRecovered: "This file was put together from a damaged one"
        case .titleIncomplete: "A part of this file is missing"
        case .titleDamaged: "This file is damaged"
        case .titleEmpty: "There is no meter in this file"
        case .titleForeign: "This is not the file with the meters"
        case .titleNewerApp: "This file is probably from a newer version of USB Meter"
        case .titleDuplicates:
            .counted(
                one: "{number} of {meters} meters is stored more than once",
                many: "{number} of {meters} meters are stored more than once")
        case .titleAllDuplicates:
            .counted(
                one: "The meter is stored more than once", many: "All {number} meters are stored more than once")
        case .titleDisorder:
            .counted(
                one: "{number} entry needs to be put in order", many: "{number} entries need to be put in order")
        case .titleOnce: .counted(one: "The meter is stored once", many: "Each of the {number} meters is stored once")
        case .titleUnknownMeters:
            .counted(
                one: "{number} entry does not say which meter it is about",
                many: "{number} entries do not say which meters they are about")

        case .leadStorm: "If it is opened now, your other devices do the same, and what was changed there is lost."
        case .leadDeleted:
            .counted(
                one: "{number} entry was deleted {day}.", many: "{number} entries were deleted at once {day}.")
        case .leadLastCopy:
            "Another device may have the last copy. It is lost there, too, once USB Meter runs with a network."
        case .leadPlaceLost:
            "The device has lost its place in the exchange with iCloud. What iCloud does not have yet is only in this file."
        case .leadOtherAccount: "As soon as USB Meter is opened, it deletes the meters on this device."
        case .leadDataDeleted: "Each device on which USB Meter is opened deletes its meters."
        case .leadSendAgain: "We need the file again, with all its parts."
        case .leadRightFile: "We need the file from a device with the meters."
        case .leadNewerApp: "It can be repaired as soon as we know that version. Nothing has been changed."
        case .leadImpossible: "This file cannot be repaired as it is."
        case .leadReady: "A repair is ready, and it keeps every meter."
        case .leadFirstCloud: "First, the exchange with iCloud has to work again."
        case .leadFirstDecisions:
            .counted(
                one: "First, the owner answers one question.", many: "First, the owner answers {count} questions.")
        case .leadUnchanged: "Nothing has been changed yet."
        case .leadRepaired: "The repair was made {day}."
        case .leadPutBack: "The file now goes back to the device it came from."
        case .leadArrived: "The repair has arrived in iCloud."
        case .leadNothingToRepair: "There is nothing to repair."
        case .leadPoints:
            .counted(
                one: "The letter has one point to look at.", many: "The letter has {count} points to look at.")
        case .leadCloud: "But the exchange with iCloud fails."

        case .greeting: "Hello,"
        case .regards: "Kind regards,"
        case .signature: "USB Meter support"
        case .thanks: "Thank you for your file."

        case .allDeletedByCloud: "{Day}, iCloud told USB Meter on this device to delete all of its meters."
        case .mostDeletedByCloud: "{Day}, iCloud told USB Meter on this device to delete most of its meters."
        case .allDeletedByApp: "{Day}, USB Meter on this device deleted all of its meters."
        case .mostDeletedByApp: "{Day}, USB Meter on this device deleted most of its meters."
        case .deletedByReset:
            "The cause is probably that its data was deleted in iCloud, or that another account was signed in."
        case .deletedHope: "There is a chance to get them back: another device may still have them."
        case .placeLost:
            "This device has lost its place in the exchange with iCloud. If USB Meter is opened now, what iCloud does not have yet is lost here."
        case .otherAccount:
            "This device is signed in to another iCloud account than before. If USB Meter is opened now, it deletes your meters on this device."
        case .dataDeleted:
            "The data of USB Meter was deleted in iCloud. Each device on which USB Meter is opened deletes your meters, too."

        case .storm:
            "{Day}, an old version of USB Meter on this device deleted your meters and stored them again. If it is opened now, your other devices do the same, and what was changed there is lost."

        case .incomplete: "A part of the file is missing, and probably your latest changes with it."
        case .onlyOfThisPart: "What follows is only true of the part that we have."
        case .damaged: "The file is damaged, probably on its way to us. We have changed nothing."
        case .recovered:
            "The file was put together from what could be read of a damaged one. What is missing in it may still be in iCloud."
        case .empty: "There is no entry of a meter in this file."
        case .formerUnknown: "It has no history that could say whether there ever was one."
        case .formerNone: "Its history mentions none either."
        case .formerDeleted:
            .counted(
                one: "Its history says that one entry was deleted.",
                many: "Its history says that {count} entries were deleted.")
        case .formerDeletedOn:
            .counted(
                one: "Its history says that one entry was deleted {day}.",
                many: "Its history says that {count} entries were deleted, the last one {day}.")
        case .foreign: "This file has no meters in it. It belongs to another app, or to another part of USB Meter."
        case .newerApp:
            "Your file is probably from a newer version of USB Meter than we can repair today. You need not do anything; we will write to you."

        case .nothingWrong: "Nothing is wrong with your meters."
        case .onceEach:
            .counted(one: "Your meter is stored once.", many: "Each of your {count} meters is stored once.")
        case .nothingToDo: "You need not do anything."
        case .unknownMeters:
            .counted(
                one: "This file has one entry, and it does not say which meter it is about.",
                many: "This file has {count} entries, and none says which meter it is about.")
        case .duplicatesNamed:
            .counted(
                one: "One of your meters is stored {often}: {names}.",
                many: "{Count} of your meters are stored {often}: {names}.")
        case .duplicatesUnnamed:
            .counted(
                one: "One of your meters is stored {often}. It has no name.",
                many: "{Count} of your meters are stored {often}. None of them has a name.")
        case .comeAndGo:
            .counted(
                one: "That is why its name and unit come and go.",
                many: "That is why their names and units come and go.")
        case .levelled: "Until then, no name and no unit is missing in the app."
        case .noLoss: "We can repair this, and no meter will be lost."
        case .toOrder:
            .counted(one: "{Count} entry needs to be put in order.", many: "{Count} entries need to be put in order.")
        case .othersToOrder:
            .counted(
                one: "{Count} other entry will be put in order.", many: "{Count} other entries will be put in order.")
        case .duplicates:
            .counted(
                one: "One of your meters is stored more than once.",
                many: "{Count} of your meters are stored more than once.")
        case .impossible: "This file cannot be repaired as it is; the reason is written further below."
        case .mergedNamed:
            .counted(
                one: "One meter was stored {often} and is now stored once: {names}.",
                many: "{Count} meters were stored {often}, and each is now stored once: {names}.")
        case .mergedUnnamed:
            .counted(
                one: "One meter was stored {often} and is now stored once. It has no name.",
                many: "{Count} meters were stored {often}, and each is now stored once. None of them has a name.")
        case .nothingLost: "No meter was lost."
        case .namesBack:
            .counted(
                one: "One meter has its old name back: {names}.",
                many: "{Count} meters have their old names back: {names}.")
        case .filledNamed:
            .counted(
                one: "The app shows the name and unit of one meter again: {names}.",
                many: "The app shows the names and units of {count} meters again: {names}.")
        case .filledUnnamed:
            .counted(
                one: "The app shows the unit of one meter again. It has no name.",
                many: "The app shows the units of {count} meters again. None of them has a name.")
        case .gone:
            .counted(
                one: "One meter that was repaired is no longer in this file.",
                many: "{Count} meters that were repaired are no longer in this file.")
        case .newFormat: "The file was brought to the newer format of the app."
        case .ordered:
            .counted(one: "{Count} entry was put in order.", many: "{Count} entries were put in order.")
        case .othersOrdered:
            .counted(one: "{Count} other entry was put in order.", many: "{Count} other entries were put in order.")
        case .nothingChanged: "The last repair found nothing to change in your meters."
        case .repairedOn: "We made this repair {day}."
        case .forgotten: "Your meters were repaired {day}; what was changed is no longer known."
        case .arrived: "The repair has arrived in iCloud, so you may open USB Meter on your other devices."

        case .twice: "twice"
        case .times: "{number} times"
        case .twiceOrMore: "twice or more"
        case .moreNames: "{number} more"
        case .unnamed: .counted(one: "one without a name", many: "{count} without a name")
        case .noName: "a meter without a name"
        case .address: "the meter {address}"
        case .onDay: "on {date}"
        case .onUnknownDay: "at an unknown time"
        case .untilDate: "until {date}"
        case .untilFarDate: "until a day in the far future"

        case .tag: "One thing to do"
        case .tagNow: "One thing to do, now"
        case .doAirplane: "Switch on Airplane Mode on your other devices"
        case .doAirplaneText:
            "Do this first, and do not open USB Meter there. On a Mac, turn off Wi-Fi. Without a network, nothing can be deleted on those devices."
        case .doClosed: "Do not open USB Meter"
        case .doClosedText: "Please leave it closed on all your devices until we write to you."
        case .doSend: "Send the file again, with all its parts"
        case .doSendText: "Please close USB Meter and send all files that begin with “{file}”."
        case .doRightFile: "Look whether this is the right file"
        case .doRightFileText:
            "Is it from a device with your meters? Please also send the file with the same name and “-wal” at the end."
        case .doForeign: "Send the file with your meters"
        case .doPutBack: "Put the file back, and open USB Meter only on that device"
        case .doPutBackText:
            "That is the device you sent the file from. Leave USB Meter open there until we write again. Leave it closed on all your other devices until then."
        case .doAnswer: .counted(one: "Answer one question", many: "Answer {count} questions")
        case .doCheck: .counted(one: "Check one point", many: "Check {count} points")

        case .cloudFails: "The exchange with iCloud fails."
        case .cloudFailsSince: "The exchange with iCloud has failed since {date}."
        case .doRoom: "Make some room in iCloud"
        case .cloudFull:
            "Your iCloud storage is full, so your devices cannot exchange their changes. You see what takes up room in Settings, under your name and then iCloud. Until there is room, do not delete USB Meter."
        case .doLookForRoom: "Look whether your iCloud storage is full"
        case .cloudSomeRefused: "iCloud did not accept some entries. Until it does, do not delete USB Meter."
        case .doSignIn: "Sign in to iCloud, and allow USB Meter to use it"
        case .cloudNotSignedIn:
            "USB Meter has no iCloud account on this device. Please sign in with the same account as before; another account would delete the meters here."
        case .doAnswerCloud: "Answer what iCloud asks for"
        case .cloudAsks:
            "iCloud expects an answer from you, perhaps your password. Please open the settings of the device and give it."
        case .doNetwork: "Look whether the device is on the network"
        case .cloudUnreachable: "The device could not reach iCloud."
        case .doOpen: "Open USB Meter and leave it open"
        case .cloudStartsAgain:
            "USB Meter has to exchange all its data with iCloud again. That takes a good network and some time."
        case .cloudInterrupted: "USB Meter was closed during the exchange with iCloud. A few minutes are enough."
        case .doQuit: "Quit USB Meter and open it again"
        case .cloudTwice: "USB Meter was connected to iCloud twice at the same time."
        case .doCloud: "Look at iCloud in the settings of each device"
        case .cloudUnknown: "Is each device signed in to iCloud, and is there room?"
        case .cloudRefused:
            "iCloud does not accept what USB Meter sends, and only we can correct this. Until then, please do not delete USB Meter."
        case .cloudSettled: "iCloud did not take everything the last time; USB Meter tries again by itself."

        case .alsoAnswer:
            .counted(one: "Please also answer one question.", many: "Please also answer {count} questions.")
        case .alsoCheck: .counted(one: "Please also check one point.", many: "Please also check {count} points.")
        case .replyOne: "A reply such as “1 yes” is enough."
        case .replyMany: "A reply such as “1 yes, 2 no” is enough."
        case .noReply: "Where we are right, you need not answer."
        case .labelYes: "{number} yes"
        case .labelNo: "{number} no"
        case .askName: "One meter has {count} names. Is {value} the right one?"
        case .askUnit: "{Meter} is set to {count} units. Is {value} the right one?"
        case .askField: "{Meter} has {count} values of {field}. Is {value} the right one?"
        case .stays: "It stays {value}."
        case .becomes: "It becomes {others}."
        case .tellWhich: "Tell us which one: {others}."
        case .checkName: "One meter had {count} names. We kept {value}. Is that right?"
        case .checkUnit: "{Meter} was set to {count} units. We kept {value}. Is that right?"
        case .checkField: "{Meter} had {count} values of {field}. We kept {value}. Is that right?"
        case .nothingChanges: "Nothing changes."
        case .becomesAgain: "It becomes {others} again. We still have it."
        case .tellWhichAgain: "Tell us which one: {others}. We still have them."
        case .askOtherDevice: "Is there a device on which USB Meter has not been opened since then?"
        case .askOtherDeviceYes: "Tell us which one. We save your meters from it."
        case .askOtherDeviceNo: "We look for them in our backups and in what is left of this file."
        case .askPurge: "Did somebody delete the data of USB Meter in the iCloud settings?"
        case .askPurgeYes: "Then we know the cause."
        case .askPurgeNo: "We look for the cause before we bring anything back."
        case .moreQuestions:
            .counted(
                one: "For one more name or unit we keep the later one; it is listed below.",
                many: "For {number} more names and units we keep the later one; they are listed below.")

        case .nameSettled:
            .counted(
                one: "One meter is called {value} now; its other name {others} was discarded.",
                many: "One meter is called {value} now; its other names {others} were discarded.")
        case .unitSettled:
            .counted(
                one: "{Meter} is set to {value} now; {others} was discarded.",
                many: "{Meter} is set to {value} now; {others} were discarded.")
        case .fieldSettled:
            .counted(
                one: "{Meter} has {value} as {field} now; {others} was discarded.",
                many: "{Meter} has {value} as {field} now; {others} were discarded.")
        case .nameNone:
            .counted(
                one: "{Meter} has no name now; {others} was discarded.",
                many: "{Meter} has no name now; {others} were discarded.")
        case .unitNone:
            .counted(
                one: "{Meter} has no unit now; {others} was discarded.",
                many: "{Meter} has no unit now; {others} were discarded.")
        case .fieldNone:
            .counted(
                one: "{Meter} has no {field} now; {others} was discarded.",
                many: "{Meter} has no {field} now; {others} were discarded.")
        case .rejects:
            .counted(
                one: "One of the old names and units could not be used.",
                many: "{Count} of the old names and units could not be used.")
        case .reserved: "{Meter} is reserved for {device} {until}, probably because a clock was wrong."
        case .reservedByUnknown: "{Meter} is reserved {until}, probably because a clock was wrong."
        case .freedWithRepair: "We will free it with the repair."
        case .canFree: "We can free it."
        case .meterUnknown:
            .counted(
                one: "One entry does not say which meter it is about.",
                many: "{Count} entries do not say which meters they are about.")
        case .meterUnknownNamed:
            .counted(
                one: "One entry does not say which meter it is about: {names}.",
                many: "{Count} entries do not say which meters they are about: {names}.")
        case .nameNotTyped:
            .counted(
                one: "One meter has a name that does not say which meter it is.",
                many: "{Count} meters have names that do not say which meters they are.")
        case .nameNotTypedNamed:
            .counted(
                one: "One meter has a name that does not say which meter it is: {names}.",
                many: "{Count} meters have names that do not say which meters they are: {names}.")
        case .nameShared: "More than one meter has the same name."
        case .nameSharedNamed: "More than one meter has the same name: {names}."
        case .unitUnknown:
            .counted(
                one: "The temperature unit of one meter cannot be understood.",
                many: "The temperature units of {count} meters cannot be understood.")
        case .unitUnknownNamed:
            .counted(
                one: "The temperature unit of one meter cannot be understood: {names}.",
                many: "The temperature units of {count} meters cannot be understood: {names}.")
        case .dateWrong:
            .counted(
                one: "One meter has a date that cannot be right. Is the clock of each device right?",
                many: "{Count} meters have dates that cannot be right. Is the clock of each device right?")
        case .dateWrongNamed:
            .counted(
                one: "One meter has a date that cannot be right: {names}. Is the clock of each device right?",
                many: "{Count} meters have dates that cannot be right: {names}. Is the clock of each device right?")
        case .deviceName:
            "A device is called only by its model, such as “iPad”. A name of its own would tell it from the others."
        case .stormUploaded:
            "{Day}, an old version of USB Meter deleted your meters and stored them again on all devices. Is a name wrong since then?"
        case .stormReceived:
            "{Day}, an old version of USB Meter on another device deleted your meters and stored them again. Which of your devices has not been updated?"
        case .forSupport:
            .counted(
                one: "One point further below is for us; we can explain it.",
                many: "{Count} points further below are for us; we can explain them.")
        case .moreNotes:
            .counted(
                one: "One more point is listed further below.", many: "{Count} more points are listed further below.")
        }
    }
}
