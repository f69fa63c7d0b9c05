internal import Answer
internal import MeterInspect
internal import MeterRepair

/// The verdict.
extension LetterWords {
    var situation: CustomerLetter.Situation {
        if let concern = concerns.first {
            if concern.isDanger { return .stop }
            if concern.isOfFile { return .unusable }
        }
        switch account.repair {
        case .ahead, .impossible: return .repairNeeded
        case .done, .forgotten: return .repaired
        case .none:
            let isFine =
                account.open.isEmpty && account.storm == nil && account.cloud == nil && account.reservations.isEmpty
                && account.meters != 0
            return isFine ? .fine : .look
        }
    }

    var word: String {
        let sentence: LetterSentence =
            switch concerns.first {
            case .storm, .vanished, .placeLost, .otherAccount, .dataDeleted: .wordStop
            case .incomplete: .wordIncomplete
            case .damaged, .recovered: .wordDamaged
            case .empty: .wordEmpty
            case .foreign: .wordForeign
            case .newerApp: .wordNewerApp
            case .cloud, .putBack, nil:
                switch situation {
                case .stop: .wordStop
                case .unusable: .wordIncomplete
                case .repairNeeded: .wordRepairNeeded
                case .repaired: .wordRepaired
                case .look: .wordLook
                case .fine: .wordFine
                }
            }
        return speaker.text(sentence)
    }

    var title: Inline {
        switch concerns.first {
        case .vanished(let vanished):
            let all = vanished.left == 0
            return vanished.isByApp
                ? say(all ? .titleAllDeletedByApp : .titleMostDeletedByApp)
                : say(all ? .titleAllDeletedByCloud : .titleMostDeletedByCloud)
        case .storm: return say(.titleStorm)
        case .placeLost: return say(.titlePlaceLost)
        case .otherAccount: return say(.titleOtherAccount)
        case .dataDeleted: return say(.titleDataDeleted)
        case .incomplete: return say(.titleIncomplete)
        case .damaged: return say(.titleDamaged)
        case .recovered: return say(.titleRecovered)
        case .empty: return say(.titleEmpty)
        case .foreign: return say(.titleForeign)
        case .newerApp: return say(.titleNewerApp)
        case .cloud, .putBack, nil: break
        }
        switch account.repair {
        case .ahead(let repair) where repair.merged.isEmpty: return say(.titleDisorder, repair.others)
        case .ahead(let repair): return duplicates(repair.merged.count)
        case .impossible(let meters): return duplicates(meters)
        case .none, .done, .forgotten: break
        }
        let meters = account.meters ?? 0
        if meters > 0 { return say(.titleOnce, meters) }
        return account.otherRecords > 0 ? say(.titleUnknownMeters, account.otherRecords) : say(.titleEmpty)
    }

    private func duplicates(_ count: Int) -> Inline {
        let meters = account.meters ?? count
        return meters == count
            ? say(.titleAllDuplicates, count) : say(.titleDuplicates, count, [.meters: "\(meters)"])
    }

    /// - Parameters:
    ///   - questions: how many the letter asks.
    ///   - notes: how many the letter has.
    func lead(questions: Int, notes: Int) -> Inline { .sentences(leadSentences(questions, notes)) }

    private func leadSentences(_ questions: Int, _ notes: Int) -> [Inline] {
        switch concerns.first {
        case .vanished(let vanished):
            return [say(.leadDeleted, vanished.deleted, [.day: day(vanished.at)]), say(.leadLastCopy)]
        case .storm: return [say(.leadStorm)]
        case .placeLost: return [say(.leadPlaceLost)]
        case .otherAccount: return [say(.leadOtherAccount)]
        case .dataDeleted: return [say(.leadDataDeleted)]
        case .incomplete, .damaged, .recovered: return [say(.leadSendAgain)]
        case .empty, .foreign: return [say(.leadRightFile)]
        case .newerApp: return [say(.leadNewerApp)]
        case .cloud, .putBack, nil: break
        }
        var needsCloud = false
        if case .cloud = concerns.first { needsCloud = true }
        switch account.repair {
        case .ahead:
            let first =
                needsCloud
                ? [say(.leadFirstCloud)] : questions > 0 ? [say(.leadFirstDecisions, questions)] : []
            return [say(.leadReady)] + first + [say(.leadUnchanged)]
        case .impossible: return [say(.leadImpossible), say(.leadUnchanged)]
        case .done(_, let time), .forgotten(let time):
            let next: LetterSentence =
                needsCloud ? .leadFirstCloud : account.hasArrived ? .leadArrived : .leadPutBack
            return [say(.leadRepaired, nil, [.day: day(time)]), say(next)]
        case .none:
            if account.cloud != nil { return [say(.leadNothingToRepair), say(.leadCloud)] }
            return [say(.leadNothingToRepair)] + (notes > 0 ? [say(.leadPoints, notes)] : [])
        }
    }
}

extension CustomerAccount.Vanished {
    /// Whether it was the app, and not iCloud.
    var isByApp: Bool {
        switch author {
        case .app: true
        case .cloudImport, .reset, .mirror: false
        }
    }
}
