internal import CoreDataStore
internal import MeterModel

/// What CloudKit's mirror does when the app opens a store. (From descriptions of Apple's code and from what others have
/// measured; Documentation/store-format.md has the sources.)
package struct MirrorForecast {
    /// How sure a sentence is.
    package enum Basis: String, Sendable {
        /// Measured on a device, or read in descriptions of Apple's code.
        case known
        /// Concluded from that.
        case inferred
    }

    package struct Sentence: Hashable, Sendable {
        package let text: String
        package let basis: Basis
        /// Whether it says that rows are deleted on the device, or that changes are lost.
        package let isLoss: Bool

        /// With its basis.
        package var marked: String { "\(text) (\(basis.rawValue))" }
    }

    /// In the order in which it happens.
    package private(set) var sentences: [Sentence] = []

    init(_ mirror: SyncReport.Mirror?) {
        guard let mirror else {
            say("the store has none of the mirror's tables: nothing of it has ever gone to CloudKit")
            say("if this version of the app mirrors its store, it uploads every record", .inferred)
            return
        }
        guard !mirror.isConstrained else {
            say(
                "the mirror refuses a model with a uniqueness constraint (error 134060): nothing is uploaded or fetched"
            )
            say("no rows are deleted here", .inferred)
            return
        }
        describeDeletes(mirror)
        describeUploads(mirror)
        describeFetch(mirror)
    }

    private mutating func say(_ text: String, _ basis: Basis = .known, isLoss: Bool = false) {
        sentences.append(Sentence(text: text, basis: basis, isLoss: isLoss))
    }

    /// Whether rows are deleted on the device.
    private mutating func describeDeletes(_ mirror: SyncReport.Mirror) {
        let known = Phrase.count(mirror.known, "record")
        var isDeleting = false
        if case .transaction(let number, exists: false) = mirror.token {
            isDeleting = true
            say(
                "ROWS ARE DELETED HERE: transaction \(number), where the mirror stopped, is not in the history, so it "
                    + "deletes the \(known) that CloudKit has from this device and downloads them again (error 134301)",
                isLoss: true)
            let lost = mirror.objects.count { $0.waiting.hasMetadata }
            if lost > 0 {
                say("\(Phrase.count(lost, "change")) of such records that wait here are lost", isLoss: true)
            }
        }
        if mirror.zones.recoveries.contains(.userPurge) {
            isDeleting = true
            say(
                "ROWS ARE DELETED HERE: the user deleted the app's data in iCloud, so the \(known) that came from there "
                    + "are deleted on this device too", isLoss: true)
        }
        for event in mirror.lastEvents.map(\.event) {
            guard let error = event.error else { continue }
            let deletes = error.deletesRows ?? false
            if deletes { isDeleting = true }
            say(
                "the last \(event.kindName) failed\(error.name.map { " with \($0)" } ?? ""): \(error.whatTheMirrorDoes)",
                error.isInferred ? .inferred : .known, isLoss: deletes)
        }
        if !isDeleting { say("no rows are deleted here, as far as the store can say", .inferred) }
        say("if the device is signed in to another iCloud account than before, all of the app's rows are deleted here")
    }

    private mutating func describeUploads(_ mirror: SyncReport.Mirror) {
        switch mirror.token {
        case .transaction(_, exists: false): return
        case .otherStore: say("the mirror's token is of another store: it reads the whole history again")
        case .unreadable: say("the mirror's token cannot be decoded: perhaps it reads the whole history", .inferred)
        case .none, .transaction(_, exists: true): break
        }
        if mirror.zones.recoveries.contains(where: { $0 != .userPurge }) {
            say("the record zone is gone in CloudKit: every record is uploaded again")
        }
        for flag in mirror.flags { say(flag.meaning, .inferred) }
        if !mirror.hasHistory {
            say("the store has no history: the mirror does not learn of changes that are made here")
        }
        let total = mirror.count.total
        guard total > 0 else {
            say("nothing is uploaded: nothing waits")
            describeUnseen(mirror)
            return
        }
        let batches = CloudCost.batches(of: total)
        say(
            "as soon as the app is launched and signed in, the mirror sends \(Phrase.count(total, "record operation")) "
                + "in \(Phrase.count(batches, "batch", "batches")) of at most \(CloudCost.batchSize): "
                + "\(Phrase.count(mirror.count.uploads, "upload")) and \(Phrase.count(mirror.count.deletes, "delete"))")
        if let arrival = mirror.arrival, !arrival.isComplete {
            say(
                "the changes that meterfix wrote into the history are among them: nothing tells them from the app's own, "
                    + "but nobody has seen it on a device", .inferred)
        }
        say("an app that is running now does not notice: it uploads at its next save or launch")
        describeUnseen(mirror)
    }

    private mutating func describeUnseen(_ mirror: SyncReport.Mirror) {
        guard mirror.unseen > 0 else { return }
        say(
            "\(Phrase.count(mirror.unseen, "object")) that the mirror has never seen \(mirror.unseen == 1 ? "is" : "are") "
                + "not uploaded before the app changes \(mirror.unseen == 1 ? "it" : "them")", .inferred)
    }

    private mutating func describeFetch(_ mirror: SyncReport.Mirror) {
        guard !mirror.token.isMissing else { return }
        if mirror.fetchesAllZones {
            say("everything in CloudKit is fetched once more, because attributes were added", .inferred)
        } else if let last = mirror.zones.lastFetch {
            say("then the mirror fetches what has changed in CloudKit since \(Timestamp(secondsSince2001: last))")
        } else {
            say("then the mirror fetches everything from CloudKit")
        }
    }
}
