internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The first paragraph: what is or was wrong, and what was or will be done.
extension LetterWords {
    var opening: Inline { .sentences(danger + found) }

    /// What comes before everything else.
    private var danger: [Inline] {
        switch concerns.first {
        case .vanished(let vanished): sentences(on: vanished)
        case .storm: [say(.storm, nil, [.day: day(account.stormTime)])]
        case .placeLost: [say(.placeLost)]
        case .otherAccount: [say(.otherAccount)]
        case .dataDeleted: [say(.dataDeleted)]
        case .incomplete: [say(.incomplete), say(.onlyOfThisPart)]
        case .damaged: [say(.damaged)]
        case .recovered: [say(.recovered)]
        case .newerApp: [say(.newerApp)]
        case .empty, .foreign, .cloud, .putBack, nil: []
        }
    }

    private func sentences(on vanished: CustomerAccount.Vanished) -> [Inline] {
        let isAll = vanished.left == 0
        let sentence: LetterSentence =
            vanished.isByApp
            ? isAll ? .allDeletedByApp : .mostDeletedByApp : isAll ? .allDeletedByCloud : .mostDeletedByCloud
        let start = say(sentence, nil, [.day: day(vanished.at)])
        switch vanished.author {
        case .reset: return [start, say(.deletedByReset), say(.deletedHope)]
        case .cloudImport, .mirror, .app: return [start, say(.deletedHope)]
        }
    }

    private var found: [Inline] {
        // Whatever was done before: the question is where the meters are.
        if let former = account.former { return account.vanished == nil ? empty(former) : [] }
        switch account.repair {
        case .none: return whole
        case .ahead(let repair): return ahead(repair)
        case .impossible(let meters):
            // What is in the way is said already.
            if case .newerApp = concerns.first { return [say(.duplicates, meters)] }
            return [say(.duplicates, meters), say(.impossible)]
        case .done(let repair, let time): return done(repair, at: time)
        case .forgotten(let time): return whole + [say(.forgotten, nil, [.day: day(time)])]
        }
    }

    /// Of a store that nothing is repaired in.
    private var whole: [Inline] {
        guard let meters = account.meters else { return [say(.foreign)] }
        guard meters > 0 else { return [say(.unknownMeters, account.otherRecords)] }
        let once = say(.onceEach, meters)
        switch situation {
        case .fine: return [say(.nothingWrong), once, say(.nothingToDo)]
        case .stop, .unusable, .repairNeeded, .repaired, .look: return [once]
        }
    }

    /// Of a store without a record. Nobody sends one because all is well.
    private func empty(_ former: CustomerAccount.FormerRecords) -> [Inline] {
        let past =
            switch (former.deleted, former.last) {
            case (nil, _): say(.formerUnknown)
            case (0?, _): say(.formerNone)
            case (let count?, nil): say(.formerDeleted, count)
            case (let count?, let last?): say(.formerDeletedOn, count, [.day: day(last)])
            }
        return [say(.empty), past]
    }

    private func ahead(_ repair: RepairAccount) -> [Inline] {
        let merged = repair.merged.count
        // A file that is not whole is not repaired.
        let promise = isAboutAnotherFile ? [] : [say(.noLoss)]
        let thanks = concerns.first.map { !$0.isDanger && !$0.isOfFile } ?? true ? [say(.thanks)] : []
        guard merged > 0 else { return thanks + [say(.toOrder, repair.others)] + promise }
        var sentences = [about(repair.merged, .duplicatesNamed, .duplicatesUnnamed, [.often: often(repair)])]
        if !account.isLevelled { sentences.append(say(.comeAndGo, merged)) }
        sentences += promise
        if account.isLevelledByFirstAid { sentences.append(say(.levelled)) }
        if repair.others > 0 { sentences.append(say(.othersToOrder, repair.others)) }
        return thanks + sentences
    }

    private func done(_ repair: RepairAccount, at time: Timestamp) -> [Inline] {
        var sentences: [Inline] = []
        if !repair.merged.isEmpty {
            sentences.append(about(repair.merged, .mergedNamed, .mergedUnnamed, [.often: often(repair)]))
            if repair.gone == 0 { sentences.append(say(.nothingLost)) }
        }
        if let names = names(repair.named.map(\.name)) {
            sentences.append(say(.namesBack, repair.named.count, [.names: names]))
        }
        if !repair.filled.isEmpty { sentences.append(about(repair.filled, .filledNamed, .filledUnnamed)) }
        if repair.gone > 0 { sentences.append(say(.gone, repair.gone)) }
        if repair.changesSchema { sentences.append(say(.newFormat)) }
        if repair.others > 0 { sentences.append(say(sentences.isEmpty ? .ordered : .othersOrdered, repair.others)) }
        if sentences.isEmpty { sentences.append(say(.nothingChanged)) }
        sentences.append(say(.repairedOn, nil, [.day: day(time)]))
        if account.hasArrived, situation != .stop { sentences.append(say(.arrived)) }
        return sentences
    }
}
