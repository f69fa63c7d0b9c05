internal import Answer
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The verdict.
extension CustomerLetter {
    var situation: Situation {
        if let concern = concerns.first {
            switch concern.kind {
            case .danger: return .stop
            case .file: return .unusable
            case .task: break
            }
        }
        switch account.repair {
        case .ahead, .impossible: return .repairNeeded
        case .done, .forgotten: return .repaired
        case .none:
            let isFine =
                concerns.isEmpty && account.verdict == .clean && account.open.isEmpty && account.storm == nil
                && account.cloud == nil && account.restart == nil && account.reservations.isEmpty
                && account.meters != 0
            return isFine ? .fine : .look
        }
    }

    /// `Repair needed`.
    var word: String {
        if let word = urgent.word { return word }
        return switch situation {
        case .stop: "Stop: do not open the app"
        case .unusable: "File not complete"
        case .repairNeeded: "Repair needed"
        case .repaired: "Repaired"
        case .look: hasFault ? "Something is wrong" : "Something to check"
        case .fine: "Nothing is wrong"
        }
    }

    /// Without a full stop.
    var title: Inline {
        if let title = urgent.title { return title }
        switch account.repair {
        case .ahead(let repair) where repair.isOfFileAlone:
            return "This file needs a repair, and no meter is changed by it"
        case .ahead(let repair) where repair.merged.isEmpty:
            return "\(Phrase.count(repair.others, "entry needs", "entries need")) to be put in order"
        case .ahead(let repair): return duplicates(repair.merged.count)
        case .impossible(let meters): return duplicates(meters)
        case .none where hasFault: return "This file has a fault, which stands further below"
        case .none, .done, .forgotten: break
        }
        let meters = account.meters ?? 0
        if meters > 0 {
            return meters == 1 ? "The meter is stored once" : "Each of the \(meters) meters is stored once"
        }
        guard account.otherRecords > 0 else { return Self.noMeter }
        return account.otherRecords == 1
            ? "1 entry does not say which meter it is about"
            : "\(account.otherRecords) entries do not say which meters they are about"
    }

    private func duplicates(_ count: Int) -> Inline {
        let meters = account.meters ?? count
        if meters == count {
            return count == 1 ? "The meter is stored more than once" : "All \(count) meters are stored more than once"
        }
        return "\(count) of \(meters) meters \(count == 1 ? "is" : "are") stored more than once"
    }

    /// One to three sentences below the title.
    var lead: Inline { .sentences(leadSentences) }

    private var leadSentences: [Inline] {
        if let lead = urgent.lead { return lead }
        let needsCloud = if case .cloud = concerns.first { true } else { false }
        let cloudFirst: Inline = "First, the exchange with iCloud has to work again."
        let unchanged: Inline =
            account.isChanged ? "This repair has not been made yet." : "Nothing has been changed yet."
        switch account.repair {
        case .ahead(let repair):
            var first = needsCloud ? [cloudFirst] : []
            if !needsCloud, !questions.isEmpty {
                first = ["First, the owner answers \(Inline.count(questions.count, "question", "questions"))."]
            }
            let keepsAll = repair.leftToOthers == 0
            return [keepsAll ? "A repair is ready, and it keeps every meter." : "A repair is ready."] + first + [
                unchanged
            ]
        case .impossible:
            let cannot: Inline = "This file cannot be repaired as it is."
            return account.isChanged ? [cannot] : [cannot, unchanged]
        case .done(_, let time), .forgotten(let time):
            let next: Inline =
                switch account.returned {
                case .arrived: "The repair has arrived in iCloud."
                case .opened: "The file is back on the device it came from, and iCloud does not have all of it yet."
                case nil: "The file now goes back to the device it came from."
                }
            return ["The repair was made \(day(time)).", needsCloud ? cloudFirst : next]
        case .none:
            if hasFault { return ["What is wrong stands further below.", "Nothing has been changed."] }
            if account.cloud != nil { return ["The meters are in order, but the exchange with iCloud fails."] }
            let points: [Inline] =
                notes.isEmpty ? [] : ["The letter has \(Inline.count(notes.count, "point", "points")) to look at."]
            // Only a store of which every check says so has nothing to repair.
            if account.verdict == .clean { return ["There is nothing to repair."] + points }
            return points.isEmpty ? ["Nothing has been changed."] : points
        }
    }
}

extension CustomerSummary.Vanished {
    /// Whether it was the app, and not iCloud.
    var isByApp: Bool { !author.isCloudKit }
}
