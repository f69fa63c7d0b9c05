internal import Answer
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What else the owner should know or check.
extension LetterWords {
    private static let mostNotes = 12

    /// - Parameter furtherQuestions: conflicts that are no question, because there are too many.
    func notes(furtherQuestions: Int) -> [Inline] {
        var notes = concerns.dropFirst().compactMap(note) + cloudNote
        if !isAboutAnotherFile {
            if furtherQuestions > 0 { notes.append(say(.moreQuestions, furtherQuestions)) }
            notes += choices.settled.map(settled)
            switch account.repair {
            case .ahead(let repair), .done(let repair, _):
                if repair.rejects > 0 { notes.append(say(.rejects, repair.rejects)) }
            case .none, .impossible, .forgotten: break
            }
        }
        notes += account.reservations.map(reserved) + formerStorm + points
        let shown = notes.prefix(most(Self.mostNotes))
        let rest = notes.count - shown.count
        return shown + (rest > 0 ? [say(.moreNotes, rest)] : [])
    }

    /// Whether another file, or this one once more, has to come first.
    var isAboutAnotherFile: Bool { concerns.first?.isOfFile == true }

    /// What concerns the owner besides the one thing to do.
    private func note(_ concern: LetterConcern) -> Inline? {
        switch concern {
        case .placeLost: say(.placeLost)
        case .otherAccount: say(.otherAccount)
        case .dataDeleted: say(.dataDeleted)
        case .incomplete: .sentences([say(.incomplete), sending])
        case .damaged: .sentences([say(.damaged), sending])
        case .recovered: say(.recovered)
        case .storm: say(.storm, nil, [.day: day(account.stormTime)])
        case .newerApp: say(.newerApp)
        case .cloud(let problem): sentences(on: problem)
        case .putBack: .sentences([say(.doPutBack) + Inline("."), say(.doPutBackText)])
        case .vanished, .empty, .foreign: nil
        }
    }

    /// A storm that is over.
    private var formerStorm: [Inline] {
        switch account.storm {
        case .uploaded: [say(.stormUploaded, nil, [.day: day(account.stormTime)])]
        case .received: [say(.stormReceived, nil, [.day: day(account.stormTime)])]
        case .pending, nil: []
        }
    }

    /// Where the exchange with iCloud fails, and the owner can do nothing about it.
    private var cloudNote: [Inline] {
        guard let cloud = account.cloud else { return [] }
        switch cloud.error.forTheOwner {
        case .refusedByICloud, .settledByApp: return [sentences(on: cloud)]
        case .storageFull, .someRefused, .notSignedIn, .needsAnswer, .unreachable, .startsAgain, .interrupted,
            .connectedTwice, .otherAccount, .dataDeleted, .placeLost, nil:
            return []
        }
    }

    /// Two values of one thing, of which somebody has chosen one since.
    private func settled(_ choice: RepairAccount.Choice) -> Inline {
        let isNone = choice.value.isEmpty
        let sentence: LetterSentence =
            switch choice.field.known?.settable {
            case .name: isNone ? .nameNone : .nameSettled
            case .unit: isNone ? .unitNone : .unitSettled
            case nil: isNone ? .fieldNone : .fieldSettled
            }
        return say(sentence, choice.discarded.count, values(of: choice))
    }

    private func reserved(_ reservation: CustomerAccount.Reservation) -> Inline {
        let until = date(reservation.until).map { say(.untilDate, nil, [.date: $0]) } ?? say(.untilFarDate)
        let meter = meter(reservation.address, reservation.name)
        let start =
            name(reservation.holder).map { say(.reserved, nil, [.meter: meter, .device: $0, .until: until]) }
            ?? say(.reservedByUnknown, nil, [.meter: meter, .until: until])
        switch account.repair {
        case .ahead: return .sentences([start, say(.freedWithRepair)])
        case .none, .impossible, .done, .forgotten: return .sentences([start, say(.canFree)])
        }
    }
}

/// What checks found that only the owner can settle.
extension LetterWords {
    private enum Topic {
        case meterUnknown, nameNotTyped, nameShared, unitUnknown, dateWrong, deviceName
        case other

        /// - Parameter check: its id.
        init(check: String) {
            self =
                switch check {
                case MACMissing.id, MACInvalid.id, MACPlaceholder.id: .meterUnknown
                case NameMachineMade.id: .nameNotTyped
                case NameShared.id: .nameShared
                case UnitUnknown.id: .unitUnknown
                case ClockInFuture.id, CreatedAfterUpdated.id, UpdatedBehind.id: .dateWrong
                case DeviceNameGeneric.id: .deviceName
                default: .other
                }
        }
    }

    private var points: [Inline] {
        var topics: [(topic: Topic, count: Int, names: [String])] = []
        for point in account.open where !isSaid(point.check) {
            let topic = Topic(check: point.check)
            if let place = topics.firstIndex(where: { $0.topic == topic }) {
                topics[place].count += point.count
                topics[place].names += point.names.filter { !topics[place].names.contains($0) }
            } else {
                topics.append((topic, point.count, point.names))
            }
        }
        // What only support understands comes last.
        return (topics.filter { $0.topic != .other } + topics.filter { $0.topic == .other }).map {
            sentence($0.topic, $0.count, $0.names)
        }
    }

    /// Whether the letter says it elsewhere.
    private func isSaid(_ check: String) -> Bool {
        if LetterConcern.checks.contains(check) { return true }
        switch account.repair {
        case .impossible: return [DuplicateMAC.id, RebuildMarkerLies.id].contains(check)
        case .none, .ahead, .done, .forgotten: return false
        }
    }

    private func sentence(_ topic: Topic, _ count: Int, _ names: [String]) -> Inline {
        let names = self.names(names)
        func say(_ named: LetterSentence, _ unnamed: LetterSentence) -> Inline {
            guard let names else { return self.say(unnamed, count) }
            return self.say(named, count, [.names: names])
        }
        return switch topic {
        case .meterUnknown: say(.meterUnknownNamed, .meterUnknown)
        case .nameNotTyped: say(.nameNotTypedNamed, .nameNotTyped)
        case .nameShared: say(.nameSharedNamed, .nameShared)
        case .unitUnknown: say(.unitUnknownNamed, .unitUnknown)
        case .dateWrong: say(.dateWrongNamed, .dateWrong)
        case .deviceName: self.say(.deviceName)
        case .other: self.say(.forSupport, count)
        }
    }
}
