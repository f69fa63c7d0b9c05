internal import CoreDataStore
package import MeterModel

extension SyncReport {
    /// What CloudKit's mirror does when the app opens this store, in the order in which it happens. (From descriptions of
    /// Apple's code and from what others have seen; Documentation/store-format.md has the sources.)
    package var next: [MirrorForecast.Sentence] {
        guard let mirror else {
            return [
                .init(
                    "the store has none of the mirror's tables: nothing of it has ever been sent to CloudKit", .inferred
                ),
                .init("if this version of the app mirrors its store, it uploads every record", .inferred),
            ]
        }
        switch mirror.forecast.outcome {
        case .stopped(.constraint): return mirror.forecast.sentences + [.init("no rows are deleted here", .inferred)]
        case .rowsDeleted: return mirror.forecast.sentences + mirror.failures
        case .nothingWaits, .sent, .everythingSent, .stopped, .unknown:
            return [
                .init("no rows are deleted here, as far as the store can say", .inferred),
                .init(
                    "if the device is signed in to another iCloud account than before, all of the app's rows are deleted "
                        + "here", .documented),
            ] + mirror.failures + mirror.conditions + mirror.forecast.sentences + mirror.limits + mirror.fetch
        }
    }
}

extension SyncReport.Mirror {
    /// The last events that failed, but for the one that the forecast names.
    fileprivate var failures: [MirrorForecast.Sentence] {
        lastEvents.map(\.event).compactMap { event in
            guard let error = event.error else { return nil }
            let failure = MirrorForecast.Failure(event, error)
            switch forecast.outcome {
            case .stopped(.failure(failure, _)), .unknown(.failure(failure)): return nil
            case .nothingWaits, .sent, .everythingSent, .stopped, .unknown, .rowsDeleted: break
            }
            return .init("\(failure.text): \(error.meaning)", failure.isInferred ? .inferred : .documented)
        }
    }

    /// What else decides what is sent.
    fileprivate var conditions: [MirrorForecast.Sentence] {
        var sentences: [MirrorForecast.Sentence] = []
        if token == .otherStore {
            sentences.append(
                .init("the mirror's token is of another store: it reads the whole history again", .documented))
        }
        for recovery in signs.zones.recoveries {
            switch recovery {
            case .userPurge: break
            case .zoneDelete: sentences.append(.init("the record zone is gone in CloudKit", .documented))
            case .identityLoss:
                sentences.append(.init("the key to the encrypted data in CloudKit is lost", .documented))
            }
        }
        sentences += signs.flags.map { .init($0.meaning, .inferred) }
        if !hasHistory {
            sentences.append(
                .init("the store has no history: the mirror does not learn of changes that are made here", .seen))
        }
        return sentences
    }

    /// What is not sent, or not yet.
    fileprivate var limits: [MirrorForecast.Sentence] {
        var sentences: [MirrorForecast.Sentence] = []
        switch forecast.outcome {
        case .sent, .everythingSent:
            guard forecast.total > 0 else { break }
            if let arrival, !arrival.isComplete {
                sentences.append(
                    .init(
                        "the changes that meterfix wrote into the history are among them: nothing tells them from the "
                            + "app's own, but nobody has seen it on a device", .inferred))
            }
            sentences.append(
                .init("an app that is running now does not notice: it uploads at its next save or launch", .inferred))
        case .nothingWaits, .stopped, .unknown, .rowsDeleted: break
        }
        // They are among every record of the store.
        if unseen > 0, forecast.outcome != .everythingSent {
            sentences.append(
                .init(
                    "\(Phrase.count(unseen, "object")) that the mirror has never seen \(unseen == 1 ? "is" : "are") "
                        + "not uploaded before the app changes \(unseen == 1 ? "it" : "them")", .inferred))
        }
        return sentences
    }

    fileprivate var fetch: [MirrorForecast.Sentence] {
        if fetchesAllZones {
            return [.init("everything in CloudKit is fetched once more, because attributes were added", .inferred)]
        }
        let changes = signs.zones.lastFetch.map {
            "what has changed in CloudKit since \(Timestamp(secondsSince2001: $0))"
        }
        return [.init("then the mirror fetches \(changes ?? "everything from CloudKit")", .documented)]
    }
}
