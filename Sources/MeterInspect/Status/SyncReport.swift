package import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel

/// The answer of `sync`.
package struct SyncReport: Sendable {
    /// One object that waits for CloudKit.
    package struct Object: Sendable {
        package let waiting: CloudKitMirror.Waiting
        /// The entity's name.
        package let entity: String
        /// The attributes that an update changed; nil for an insert or a delete, and if they are not known.
        package let fields: [String]?
        /// The canonical address of the record's meter, and its name; of a record that is gone, as far as they are known.
        package internal(set) var mac: String?
        package internal(set) var name: String?

        package var object: CloudKitMirror.Object { waiting.object }
    }

    /// What is known about the mirror of a mirrored store.
    package struct Mirror: Sendable {
        package let signs: MirrorIndicators
        /// The record name of the iCloud account that it saw last; nil where it noted none.
        package let account: String?
        /// The number of the last transaction in the history; nil if it is empty or off.
        package let lastTransaction: Int64?
        package let hasHistory: Bool
        /// What waits.
        package let objects: [Object]
        /// Objects with record metadata: those that CloudKit has.
        package let known: Int
        package let lastEvents: [LastMirrorEvent]
        /// What has happened since the last success, for each kind of event.
        package let series: [CloudKitMirror.EventSeries]
        /// Whether a migration has told the mirror to fetch everything once more.
        package let fetchesAllZones: Bool

        package var token: HistoryToken { signs.token }
        package var forecast: MirrorForecast { signs.forecast }
        package var arrival: CloudKitMirror.Arrival? { signs.arrival }
    }

    /// The store's path as the user gave it.
    package let path: String
    /// Nil for a store that is not mirrored.
    package let mirror: Mirror?
    /// Why the mirror would refuse the model of a store that is not mirrored; nil where it would not.
    var modelRefusal: MirrorForecast.Stop?
    /// Whether the store had the mirror's tables once, and has them no more.
    package internal(set) var lacksMirror = false
    package let alerts: [StoreAlert]
    /// What the checks of the mirror find.
    package let findings: [Finding]
}

extension SyncReport {
    package var steps: [Step] { alerts.steps(beforeVerifying: path) }

    /// What CloudKit's mirror does when the app opens this store, in the order in which it happens. (From descriptions of
    /// Apple's code and from what others have seen; Documentation/store-format.md has the sources.)
    package var next: [MirrorForecast.Statement] { storm + afterwards }

    private var storm: [MirrorForecast.Statement] {
        alerts.pendingStorm == nil
            ? []
            : [
                .init(
                    "THE DELETE STORM GOES ON: CloudKit and every other device delete the records that were deleted here",
                    .documented, isLoss: true)
            ]
    }

    private var afterwards: [MirrorForecast.Statement] {
        guard let mirror else {
            guard !lacksMirror else {
                return [
                    .init(
                        "the mirror's tables are missing: it starts over and uploads every record again, so that the other "
                            + "devices may show each meter twice", .inferred, isLoss: true)
                ]
            }
            return [
                .init(
                    "the store has no tables of the mirror: none of its records has ever been sent to CloudKit",
                    .inferred
                ),
                modelRefusal?.statement
                    ?? .init("if this version of the app mirrors its store, it uploads every record", .inferred),
            ]
        }
        switch mirror.forecast.outcome {
        case .stopped(.constraint), .stopped(.model):
            return mirror.forecast.statements + [.init("no rows are deleted here", .inferred)]
        case .rowsDeleted: return mirror.forecast.statements + mirror.failures
        case .nothingWaits, .sent, .everythingSent, .stopped, .unknown:
            let others: [MirrorForecast.Statement] =
                mirror.forecast.going > 0
                ? [] : [.init("no rows are deleted here, as far as the store can say", .inferred)]
            return others + [
                .init(
                    "if the device is signed in to another iCloud account than before, all of the app's rows are deleted "
                        + "here", .documented)
            ] + mirror.failures + mirror.conditions + mirror.outcome + mirror.limits + mirror.fetch
        }
    }
}

extension SyncReport.Mirror {
    /// Whether anything is sent, as far as it was read.
    fileprivate var outcome: [MirrorForecast.Statement] {
        guard signs.pages == .notMade, forecast.outcome == .nothingWaits else { return forecast.statements }
        return [.init("nothing is sent, as far as what is pending could be read", .inferred)]
    }

    /// The last events that failed, but for the one that the forecast names.
    fileprivate var failures: [MirrorForecast.Statement] {
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
    fileprivate var conditions: [MirrorForecast.Statement] {
        var sentences: [MirrorForecast.Statement] = []
        if token == .otherStore {
            sentences.append(
                .init("the mirror's history token is from another store: it reads the whole history again", .documented)
            )
        }
        sentences += signs.zones.recoveries.compactMap(\.reasonToUpload).map { .init($0, .documented) }
        sentences += signs.flags.map { .init("\($0.meaning)", .inferred) }
        if !hasHistory {
            sentences.append(
                .init("the store has no history: the mirror does not learn about changes made here", .seen))
        }
        return sentences
    }

    /// What is not sent, or not yet.
    fileprivate var limits: [MirrorForecast.Statement] {
        var sentences: [MirrorForecast.Statement] = []
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
        return sentences
    }

    fileprivate var fetch: [MirrorForecast.Statement] {
        if fetchesAllZones {
            return [.init("everything in CloudKit is fetched once more, because attributes were added", .inferred)]
        }
        let changes: Sentence? = signs.zones.lastFetch.map {
            "what has changed in CloudKit since \(Timestamp(secondsSince2001: $0))"
        }
        return [.init("then the mirror fetches \(changes ?? "everything from CloudKit")", .documented)]
    }
}

extension SyncReport: JSONWritable {
    /// The document of `sync` in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "sync", store: path))
            writer.member("mirrored", mirror != nil)
            writer.member("account", mirror?.account)
            writer.member("token", mirror?.tokenJSON)
            writer.key("waiting")
            writer.object { writer in
                writer.member("uploads", mirror?.forecast.uploads ?? 0)
                writer.member("deletes", mirror?.forecast.deletes ?? 0)
                writer.member("objects", each: mirror?.objects ?? []) { $0.json.write(to: &$1) }
            }
            writer.member("neverSeen", mirror?.forecast.leftBehind ?? 0)
            writer.member("lastByMeterfix", mirror?.arrival?.json)
            writer.member("events", mirror?.lastEvents ?? [])
            writer.member("since", (mirror?.series ?? []).map(\.json))
            writer.member("verdict", verdict.rawValue)
            writer.member("findings", [alerts.damage, alerts.missingLog].compactMap(\.self) + findings)
            writer.member("steps", steps.map(\.json))
            writer.member("forecast", mirror?.forecast.word)
            writer.member("next", next.map(\.marked.description))
        }
    }
}

extension SyncReport.Mirror {
    fileprivate var tokenJSON: JSONValue {
        let number: Int64?
        let problem: String?
        switch token {
        case .none: return .null
        case .transaction(let transaction, _): (number, problem) = (transaction, nil)
        case .otherStore: (number, problem) = (nil, "other-store")
        case .unreadable: (number, problem) = (nil, "unreadable")
        }
        return ["transaction": number, "exists": !token.isLost, "last": lastTransaction, "problem": problem]
    }
}

extension SyncReport.Object {
    fileprivate var json: JSONValue {
        [
            "entity": entity, "row": object.row, "mac": mac, "name": name, "kind": "\(waiting.kind)", "fields": fields,
            "because": waiting.reason.rawValue, "since": waiting.since, "cloudRecord": waiting.recordName,
        ]
    }
}

extension CloudKitMirror.Arrival {
    fileprivate var json: JSONValue {
        ["transaction": transaction, "at": Timestamp(secondsSince2001: time), "changes": changes, "arrived": arrived]
    }
}

extension CloudKitMirror.EventSeries {
    fileprivate var json: JSONValue {
        func moment(_ seconds: Double?) -> Timestamp? { seconds.map(Timestamp.init(secondsSince2001:)) }
        return [
            "kind": kindName, "lastSuccess": moment(lastSuccess?.endedAt), "logBegins": moment(start), "failed": failed,
            "errors": failures.map { failures -> JSONValue in
                [
                    "errorDomain": failures.error.domain, "errorCode": failures.error.code, "count": failures.count,
                    "first": moment(failures.first), "last": moment(failures.last),
                    "explanation": failures.error.meaning,
                ]
            },
        ]
    }
}
