internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What else the owner should know or check.
extension CustomerLetter {
    private static let mostNotes = 12

    /// - Parameter furtherQuestions: conflicts that are no question, because there are too many.
    func notes(furtherQuestions: Int) -> [Inline] {
        var notes = concerns.dropFirst().compactMap { words(on: $0).note } + cloudNote
        if !isAboutAnotherFile {
            if furtherQuestions > 0 {
                notes.append(
                    furtherQuestions == 1
                        ? "For one more name or unit we keep the later one; it is listed below."
                        : "For \(furtherQuestions) more names and units we keep the later one; they are listed below.")
            }
            notes += choices.settled.map(settled)
            if case .ahead(let repair) = account.repair { notes += shared(repair) }
            if let rejects = account.repair.summary?.rejects, rejects > 0 {
                notes.append("\(Inline.count(rejects).withCapital) of the old names and units could not be used.")
            }
        }
        notes += account.reservations.map(reserved) + formerStorm + restart + points
        let shown = notes.prefix(most(Self.mostNotes))
        let rest = notes.count - shown.count
        guard rest > 0 else { return notes }
        let more = Inline.count(rest, "more point is", "more points are").withCapital
        return shown + ["\(more) listed further below."]
    }

    /// What a repair does to records that somebody else shares.
    private func shared(_ repair: RepairSummary) -> [Inline] {
        var notes: [Inline] = []
        if repair.sharedDeletions > 0 {
            let entries = Inline.count(repair.sharedDeletions, "entry", "entries")
            let gone = repair.sharedDeletions == 1 ? "it is" : "they are"
            notes.append(
                "Somebody else shares \(entries) that the repair deletes: \(gone) deleted in their iCloud, too. Do they agree?"
            )
        }
        if repair.leftToOthers > 0 {
            let meters = Inline.count(repair.leftToOthers, "meter", "meters")
            notes.append(
                "Of \(meters), only the entry stays that somebody else shares: when they stop sharing it, it is gone. Is that right?"
            )
        }
        return notes
    }

    /// Whether another file, or this one once more, has to come first.
    var isAboutAnotherFile: Bool { concerns.first?.kind == .file }

    /// A storm that is over.
    private var formerStorm: [Inline] {
        let day = day(account.stormTime).withCapital
        return switch account.storm {
        case .uploaded:
            [
                "\(day), an old version of USB Meter deleted your meters and stored them again on all devices. Is a name wrong since then?"
            ]
        case .received:
            [
                "\(day), an old version of USB Meter on another device deleted your meters and stored them again. Which of your devices has not been updated?"
            ]
        case .pending, nil: []
        }
    }

    /// What was not in iCloud when this device asked for all of it.
    private var restart: [Inline] {
        guard account.vanished == nil, let restart = account.restart else { return [] }
        let entries = Inline.count(restart.missing, "entry", "entries")
        return [
            "\(day(restart.time.map(Timestamp.init(secondsSince2001:))).withCapital), this device loaded your meters from iCloud again, and \(entries) did not come back. Is a meter or a name missing since then?"
        ]
    }

    /// Where the exchange with iCloud fails, and the owner can do nothing about it.
    private var cloudNote: [Inline] {
        guard let cloud = account.cloud else { return [] }
        switch cloud.cause {
        case .refusedByICloud, .settledByApp: return [sentences(on: cloud)]
        case .storageFull, .someRefused, .notSignedIn, .needsAnswer, .unreachable, .startsAgain, .interrupted,
            .connectedTwice, .stopped, .otherAccount, .dataDeleted, .placeLost, nil:
            return []
        }
    }

    /// Two values of one thing, of which somebody has chosen one since.
    private func settled(_ choice: RepairSummary.Choice) -> Inline {
        let (isNone, isOne) = (choice.value.isEmpty, choice.discarded.count == 1)
        let (meter, value) = (meter(choice).withCapital, value(choice.value, of: choice.field))
        let field = Inline.typed(choice.field.name)
        let discarded: Inline = "\(others(choice, "and")) \(isOne ? "was" : "were") discarded."
        return switch choice.field.known?.settable {
        case .name where isNone: "\(meter) has no name now; \(discarded)"
        case .name: "One meter is called \(value) now; its other \(isOne ? "name" : "names") \(discarded)"
        case .unit where isNone: "\(meter) has no unit now; \(discarded)"
        case .unit: "\(meter) is set to \(value) now; \(discarded)"
        case nil where isNone: "\(meter) has no \(field) now; \(discarded)"
        case nil: "\(meter) has \(value) as \(field) now; \(discarded)"
        }
    }

    private func reserved(_ reservation: CustomerSummary.Reservation) -> Inline {
        let meter = meter(reservation.address, reservation.name).withCapital
        let device: Inline = Inline.name(reservation.holder).map { "for \($0) " } ?? ""
        let until = date(reservation.until).map { "until \($0)" } ?? "until a day in the far future"
        let reserved: Inline = "\(meter) is reserved \(device)\(until), probably because a clock was wrong."
        switch account.repair {
        case .ahead: return "\(reserved) We will free it with the repair."
        case .none, .impossible, .done, .forgotten: return "\(reserved) We can free it."
        }
    }
}

/// What checks found that only the owner can settle.
extension CustomerLetter {
    private enum Topic {
        case meterUnknown, nameNotTyped, nameShared, unitUnknown, dateWrong, deviceName
        case other

        /// - Parameter check: its id.
        init(check: String) {
            self =
                switch check {
                case Check.macMissing.id, Check.macInvalid.id, Check.macPlaceholder.id: .meterUnknown
                case Check.nameMachineMade.id: .nameNotTyped
                case Check.nameShared.id: .nameShared
                case Check.unitUnknown.id: .unitUnknown
                case Check.clockInFuture.id, Check.createdAfterUpdated.id, Check.updatedBehind.id: .dateWrong
                case Check.deviceNameGeneric.id: .deviceName
                default: .other
                }
        }
    }

    /// Whether something is wrong that no repair cures, and that the owner can do nothing about.
    var hasFault: Bool {
        account.open.contains { $0.severity == .error && !isSaid($0.check) && Topic(check: $0.check) == .other }
    }

    private var points: [Inline] {
        var topics: [(topic: Topic, count: Int, rows: Set<Int64>, names: [String])] = []
        for point in account.open where !isSaid(point.check) {
            let topic = Topic(check: point.check)
            if let place = topics.firstIndex(where: { $0.topic == topic }) {
                topics[place].count += point.count
                topics[place].rows.formUnion(point.rows)
                topics[place].names += point.names.filter { !topics[place].names.contains($0) }
            } else {
                topics.append((topic, point.count, point.rows, point.names))
            }
        }
        // What only support understands comes last.
        let sorted = topics.filter { $0.topic != .other } + topics.filter { $0.topic == .other }
        // A meter with two wrong dates is one meter.
        return sorted.map { topic, count, rows, names in
            sentence(topic, topic == .other || rows.isEmpty ? count : rows.count, names)
        }
    }

    /// Whether the letter says it elsewhere.
    private func isSaid(_ check: String) -> Bool {
        if OwnerIssue.checks.contains(check) { return true }
        // A place that is lost and deletes nothing is for us.
        if check == Check.mirrorTokenLost.id { return concerns.contains(.placeLost) }
        switch account.repair {
        case .impossible: return [Check.duplicateMAC.id, Check.rebuildMarkerLies.id].contains(check)
        case .none, .ahead, .done, .forgotten: return false
        }
    }

    private func sentence(_ topic: Topic, _ count: Int, _ names: [String]) -> Inline {
        let end: Inline = self.names(names).map { ": \($0)." } ?? "."
        let number = Inline.count(count)
        let isOne = count == 1
        return switch topic {
        case .meterUnknown where isOne: "One entry does not say which meter it is about\(end)"
        case .meterUnknown: "\(number.withCapital) entries do not say which meters they are about\(end)"
        case .nameNotTyped where isOne: "One meter has a name that does not say which meter it is\(end)"
        case .nameNotTyped: "\(number.withCapital) meters have names that do not say which meters they are\(end)"
        case .nameShared: "More than one meter has the same name\(end)"
        case .unitUnknown where isOne: "The temperature unit of one meter cannot be understood\(end)"
        case .unitUnknown: "The temperature units of \(number) meters cannot be understood\(end)"
        case .dateWrong where isOne:
            "One meter has a date that cannot be right\(end) Is the clock of each device right?"
        case .dateWrong:
            "\(number.withCapital) meters have dates that cannot be right\(end) Is the clock of each device right?"
        case .deviceName:
            "A device is called only by its model, such as “iPad”. A name of its own would tell it from the others."
        case .other where isOne: "One point further below is for us; we can explain it."
        case .other: "\(number.withCapital) points further below are for us; we can explain them."
        }
    }
}
