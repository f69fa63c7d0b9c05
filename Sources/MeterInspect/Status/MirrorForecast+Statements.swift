package import MeterModel

extension MirrorForecast {
    /// For a person.
    package struct Statement: Hashable, Sendable {
        package let text: Sentence
        package let certainty: Certainty
        /// Whether it says that rows are deleted on the device, or that changes are lost.
        package let isLoss: Bool

        init(_ text: Sentence, _ certainty: Certainty, isLoss: Bool = false) {
            self.text = text
            self.certainty = certainty
            self.isLoss = isLoss
        }

        /// With how sure it is.
        package var marked: Sentence { "\(text) (\(certainty.rawValue))" }
    }

    /// What waits for CloudKit: `2 uploads and 1 delete`.
    package var amount: String { Phrase.waiting(uploads: uploads, deletes: deletes) }

    /// Whether rows are deleted on the device, or else whether anything is sent, and what never is.
    package var statements: [Statement] { ofGoing + ofOutcome + (ofLeftBehind.map { [$0] } ?? []) }

    /// Empty where no object of the store is about to be deleted.
    package var ofGoing: [Statement] {
        guard going > 0 else { return [] }
        return [
            Statement(
                "\(Phrase.count(going, "object is", "objects are")) about to be deleted, here or in CloudKit, and then on "
                    + "the other devices too", .inferred, isLoss: true)
        ]
    }

    /// Nil where nothing is left behind.
    package var ofLeftBehind: Statement? {
        guard leftBehind > 0 else { return nil }
        let (verb, pronoun) = leftBehind == 1 ? ("is", "it") : ("are", "them")
        return Statement(
            "\(Phrase.count(leftBehind, "object")) that the mirror passes over \(verb) not uploaded before the app "
                + "changes \(pronoun)", .inferred)
    }

    private var ofOutcome: [Statement] {
        switch outcome {
        case .nothingWaits: return [Statement("nothing is sent: nothing is pending", .documented)]
        case .sent:
            let batches = CloudCost.batches(of: total)
            return [
                Statement(
                    "as soon as the app is launched and signed in, the mirror sends "
                        + "\(Phrase.count(total, "record operation")) in \(Phrase.count(batches, "batch", "batches")) of "
                        + "at most \(CloudCost.batchSize): \(amount)", .documented)
            ]
        case .everythingSent:
            return [
                Statement(
                    "as soon as the app is launched and signed in, the mirror uploads every record of this store again"
                        + (uploads > 0 ? ", with those that are pending" : ""), .documented)
            ]
        case .stopped(let stop): return [stop.statement]
        case .unknown(let doubt):
            return [Statement("it is not known whether the pending changes are sent: \(doubt.reason)", .inferred)]
        case .rowsDeleted(let deletions, let lost, let kept):
            var statements = deletions.map(\.statement)
            if lost > 0 {
                statements.append(
                    Statement(
                        "\(Phrase.count(lost, "change")) of such records that \(lost == 1 ? "is" : "are") pending here "
                            + "\(lost == 1 ? "is" : "are") lost", .documented, isLoss: true))
            }
            if kept > 0 {
                statements.append(
                    Statement(
                        "\(Phrase.count(kept, "record")) that CloudKit has never had \(kept == 1 ? "remains" : "remain") here",
                        .inferred))
            }
            return statements
        }
    }
}

extension MirrorForecast.Stop {
    var statement: MirrorForecast.Statement {
        switch self {
        case .constraint:
            .init(
                "the mirror refuses a model with a uniqueness constraint (error 134060): nothing is sent or fetched",
                .documented)
        case .model(let reason):
            .init("the mirror refuses the model (error 134060): \(reason); nothing is sent or fetched", .documented)
        case .unknownEntity(let number):
            .init(
                "nothing is sent: a record of the entity number \(number), which the store does not have, is marked for "
                    + "upload, and every export fails because of it", .documented)
        case .failure(let failure, let condition):
            .init("nothing is sent until \(condition): \(failure.text)", failure.isInferred ? .inferred : .documented)
        }
    }
}

extension MirrorForecast.Doubt {
    fileprivate var reason: Sentence {
        switch self {
        case .failure(let failure): "\(failure.text)"
        case .unreadableToken: "the mirror's history token cannot be decoded"
        case .bypassedHistory: "the next export leaves out the history"
        case .damagedStore: "the store is damaged"
        }
    }
}

extension MirrorForecast.Deletion {
    fileprivate var statement: MirrorForecast.Statement {
        .init("ROWS ARE DELETED HERE: \(reason)", .documented, isLoss: true)
    }

    var reason: Sentence {
        switch self {
        case .lostPlace(let transaction):
            let place =
                transaction.map { "transaction \($0), where the mirror stopped," } ?? "the place where it stopped"
            return
                "\(place) is not in the history, so the mirror deletes the records that CloudKit has from this device and "
                + "downloads them again (error 134301)"
        case .userPurge:
            return
                "the user deleted the app's data in iCloud, so the mirror deletes the records that came from there on this "
                + "device too"
        case .otherAccount:
            return
                "the iCloud account has changed (somebody signed in, signed out or uses another one), so the mirror deletes all of "
                + "the app's rows"
        }
    }
}
