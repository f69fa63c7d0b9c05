internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The first paragraph: what is or was wrong, and what was or will be done.
extension CustomerLetter {
    var opening: Inline { .sentences(urgent.opening + found) }

    private var found: [Inline] {
        // Whatever was done before: the question is where the meters are.
        if let former = account.former { return account.vanished == nil ? empty(former) : [] }
        switch account.repair {
        case .none: return whole
        case .ahead(let repair): return ahead(repair)
        case .impossible(let meters):
            let duplicates = Self.meters(meters) + " stored more than once."
            // What is in the way is said already.
            if case .newerApp = concerns.first { return [duplicates] }
            if isAboutAnotherFile { return [duplicates] }
            return [duplicates, "This file cannot be repaired as it is; the reason is written further below."]
        case .done(let repair, let time): return done(repair, at: time)
        case .forgotten(let time):
            return whole + ["Your meters were repaired \(day(time)); what was changed is no longer known."]
        }
    }

    /// Of a store that nothing is repaired in.
    private var whole: [Inline] {
        guard let meters = account.meters else {
            // Why there are none is said already.
            guard concerns.contains(.foreign) else { return [] }
            return ["This file has no meters in it. It belongs to another app, or to another part of USB Meter."]
        }
        guard meters > 0 else {
            let entries = Inline.count(account.otherRecords, "entry, and it does not say", "entries, and none says")
            return ["This file has \(entries) which meter it is about."]
        }
        let once: Inline =
            meters == 1
            ? "Your meter is stored once." : "Each of your \(Inline.count(meters)) meters is stored once."
        switch situation {
        case .fine:
            let waiting: Inline =
                "Changes are waiting for iCloud: please open USB Meter with the network on, and leave it open for a while."
            return [
                "Nothing is wrong with your meters.", once,
                account.pending > 0 ? waiting : "You need not do anything.",
            ]
        case .stop, .unusable, .repairNeeded, .repaired, .look: return [once]
        }
    }

    /// Of a store without a record. Nobody sends one because all is well.
    private func empty(_ former: CustomerSummary.FormerRecords) -> [Inline] {
        let past: Inline =
            switch (former.deleted, former.last) {
            case (nil, _): "It has no history that could say whether there ever was one."
            case (0?, _): "Its history says nothing of a deletion."
            case (1?, nil): "Its history says that one entry was deleted."
            case (1?, let last?): "Its history says that one entry was deleted \(day(last))."
            case (let count?, nil): "Its history says that \(Inline.count(count)) entries were deleted."
            case (let count?, let last?):
                "Its history says that \(Inline.count(count)) entries were deleted, the last one \(day(last))."
            }
        return ["There is no entry of a meter in this file.", past]
    }

    private func ahead(_ repair: RepairSummary) -> [Inline] {
        let merged = repair.merged.count
        // A file that is not whole is not repaired.
        let isAnyGoing = concerns.contains { if case .going = $0 { true } else { false } }
        // Nor is one whose records are deleted before the repair reaches any device.
        let isAnyAtRisk = isAnyGoing || repair.leftToOthers > 0
        let promise: [Inline] =
            isAboutAnotherFile || !account.deletions.isEmpty
            ? [] : [isAnyAtRisk ? "We can repair this." : "We can repair this, and no meter will be lost."]
        let isThanked = concerns.first.map { $0.kind == .task } ?? true
        let thanks: [Inline] = isThanked ? ["Thank you for your file."] : []
        guard !repair.isOfFileAlone else {
            let fault: Inline =
                repair.changesSchema
                ? "Your file is in an older format of USB Meter, which iCloud does not take."
                : "Your meters are in order, but the file has a fault."
            return thanks + [fault] + promise
        }
        guard merged > 0 else {
            let entries = Inline.count(repair.others, "entry needs", "entries need").withCapital
            return thanks + ["\(entries) to be put in order."] + promise
        }
        var sentences: [Inline] = ["\(Self.meters(merged)) stored \(often(repair))\(named(repair.merged))"]
        if !account.showsEverything {
            sentences.append(
                merged == 1
                    ? "That is why its name and unit come and go." : "That is why their names and units come and go.")
        }
        sentences += promise
        if account.showsEverythingByFirstAid {
            sentences.append("Until then, no name and no unit is missing in the app.")
        }
        if repair.others > 0 {
            let others = Inline.count(repair.others, "other entry", "other entries").withCapital
            sentences.append("\(others) will be put in order.")
        }
        return thanks + sentences
    }

    private static func meters(_ count: Int) -> Inline {
        Inline.count(count, "of your meters is", "of your meters are").withCapital
    }

    private func done(_ repair: RepairSummary, at time: Timestamp) -> [Inline] {
        var sentences: [Inline] = []
        if !repair.merged.isEmpty {
            let often = often(repair)
            let meters = Inline.count(
                repair.merged.count, "meter was stored \(often) and is now stored once",
                "meters were stored \(often), and each is now stored once")
            sentences.append(meters.withCapital + named(repair.merged))
            if repair.gone == 0 { sentences.append("No meter was lost.") }
        }
        if let names = names(repair.named.map(\.name)) {
            let meters = Inline.count(
                repair.named.count, "meter has its old name back", "meters have their old names back")
            sentences.append("\(meters.withCapital): \(names).")
        }
        if !repair.filled.isEmpty { sentences.append(filled(repair.filled)) }
        if repair.gone > 0 {
            let meters = Inline.count(repair.gone, "meter that was repaired is", "meters that were repaired are")
            sentences.append("\(meters.withCapital) no longer in this file.")
        }
        if repair.changesSchema { sentences.append("The file was brought to the newer format of the app.") }
        if repair.others > 0 {
            let other = sentences.isEmpty ? "" : "other "
            let entries = Inline.count(repair.others, "\(other)entry was", "\(other)entries were")
            sentences.append("\(entries.withCapital) put in order.")
        }
        if sentences.isEmpty { sentences.append("The last repair found nothing to change in your meters.") }
        sentences.append("We made this repair \(day(time)).")
        if account.hasArrived, situation != .stop {
            sentences.append("The repair has arrived in iCloud, so you may open USB Meter on your other devices.")
        }
        return sentences
    }

    private func filled(_ meters: [RepairSummary.Meter]) -> Inline {
        let hasNames = names(meters.map(\.name)) != nil
        let shown: Inline =
            meters.count == 1
            ? "The app shows the \(hasNames ? "name and unit" : "unit") of one meter again"
            : "The app shows the \(hasNames ? "names and units" : "units") of \(Inline.count(meters.count)) meters again"
        return shown + named(meters)
    }
}
