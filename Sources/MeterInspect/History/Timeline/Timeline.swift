package import CoreDataStore
internal import GRDB
package import JSON
internal import MeterJournal
package import MeterModel

/// `log` of several stores: what was changed on which of a user's devices, in one order, and how meters came to have
/// several records.
package struct Timeline: Sendable {
    package struct Source: Sendable {
        package let log: ChangeLog
        /// The device that it is of; nil where no record says so.
        package let device: KnownDevices.Device?

        /// What the device is called in a sentence.
        package var label: String { device?.names.first.map { "\"\($0)\"" } ?? "the device of \(log.store)" }
    }

    package struct Entry: Sendable {
        /// The store's place among the sources: it was saved on that device, or imported there.
        package let source: Int
        package let change: ChangeLog.Entry
        package let cloudRecord: String?
        /// Of an import: the place of the store in which it was saved, and the transaction there; nil where nothing
        /// proves it.
        package let origin: Origin?
    }

    package struct Origin: Hashable, Sendable {
        package let source: Int
        package let transaction: Int64
    }

    package let sources: [Source]
    package let accounts: KnownAccounts
    /// The last one first, by the clocks of the devices; those of one store in the order of its transactions.
    package let entries: [Entry]
    /// How many there are of those that were asked for, listed or not.
    package let total: Int
    package let duplicates: [DuplicateExplanation]
    /// Sentences for a person.
    package let warnings: [String]

    package var letterCase: LetterCase { sources.first?.log.letterCase ?? .upper }
}

extension Timeline {
    /// Reads the stores.
    /// - Throws: `StoreError`; `unsuitable` for a store that is not Core Data's.
    package static func of(
        _ paths: [String], _ request: ChangeLog.Request, now: Timestamp
    ) throws(StoreError) -> Timeline {
        var devices = KnownDevices()
        let stores = try paths.map { path throws(StoreError) in
            try Session.look(at: path, now: now) { session in
                if let meters = session.meterSession { try devices.add(meters) }
                return try TimelineStore(session, ChangeLog.read(session, request))
            }
        }
        return Timeline(stores, stores.allSatisfy { !$0.numbers.isEmpty } ? devices : KnownDevices(), request)
    }

    init(_ stores: [TimelineStore], _ devices: KnownDevices, _ request: ChangeLog.Request) {
        let records = TimelineRecords(stores)
        accounts = KnownAccounts(accounts: stores.map(\.account))
        let sources = stores.map { Source(log: $0.log, device: devices.owner(of: $0.path)) }
        self.sources = sources
        total = stores.reduce(0) { $0 + $1.log.total }
        let merged = Self.merged(stores.map(\.log.entries)).prefix(request.limit ?? .max)
        entries = merged.map { source, change in Self.entry(change, in: source, records) }
        let labels = sources.map(\.label)
        duplicates = records.duplicates.filter { request.address == nil || request.address == $0.address }
            .map { DuplicateExplanation(of: $0.address, $0.records, records, labels: labels) }
        var warnings = stores.flatMap { store in store.log.warnings.map { "\(store.path): \($0)" } }
        for one in stores.indices {
            for other in stores.indices where other > one && records.areCopies(one, other) {
                warnings.append(
                    "\(stores[one].path) and \(stores[other].path) are copies of one store, or of a device and the one "
                        + "that it was restored to: they have the beginning of their histories in common")
            }
        }
        self.warnings = warnings + Self.clockWarnings(entries, sources)
    }

    /// Several lists in one, the latest first. The order of each stays, whatever its clock says.
    private static func merged(_ lists: [[ChangeLog.Entry]]) -> [(source: Int, change: ChangeLog.Entry)] {
        var next = lists.map(\.startIndex)
        var merged: [(source: Int, change: ChangeLog.Entry)] = []
        while true {
            var latest: (source: Int, time: Double)?
            for (source, list) in lists.enumerated() where next[source] < list.endIndex {
                let time = list[next[source]].transaction.save.time ?? -.infinity
                if latest.map({ time > $0.time }) ?? true { latest = (source, time) }
            }
            guard let source = latest?.source else { return merged }
            // A transaction stays together.
            let transaction = lists[source][next[source]].transaction
            while next[source] < lists[source].endIndex, lists[source][next[source]].transaction === transaction {
                merged.append((source, lists[source][next[source]]))
                next[source] += 1
            }
        }
    }

    private static func entry(_ change: ChangeLog.Entry, in source: Int, _ records: TimelineRecords) -> Entry {
        let store = records.stores[source]
        let identity = change.row.flatMap { row in
            change.isRecord(of: store.numbers) ? records.identity(ofRow: row, in: source) : nil
        }
        var origin: Origin?
        if let identity, let row = change.row, change.transaction.author == .otherDevice {
            switch change.kind {
            case .insert: origin = records.source(ofInsert: identity, in: source)
            case .update:
                let isLast = store.lastChanges[row]?.transaction == change.transaction.save.transaction
                let after = change.fields?.first { $0.name == SettingsField.updatedAt.rawValue }?.delta?.after.timestamp
                origin = records.source(
                    ofUpdate: identity, in: source, updatedAt: after ?? (isLast ? store.records[row]?.updatedAt : nil))
            case .delete, nil: break
            }
        }
        return Entry(source: source, change: change, cloudRecord: identity?.cloudRecord, origin: origin)
    }

    /// Clocks that must differ: what was imported before it was saved.
    private static func clockWarnings(_ entries: [Entry], _ sources: [Source]) -> [String] {
        var times: [Origin: Double] = [:]
        for entry in entries {
            guard let number = entry.change.transaction.save.transaction else { continue }
            times[Origin(source: entry.source, transaction: number)] = entry.change.transaction.save.time
        }
        var ahead: [[Int]: Double] = [:]
        for entry in entries {
            guard let origin = entry.origin, let saved = times[origin],
                let arrived = entry.change.transaction.save.time, saved > arrived
            else { continue }
            let pair = [origin.source, entry.source]
            ahead[pair] = max(ahead[pair] ?? 0, saved - arrived)
        }
        return ahead.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { pair, seconds in
            "the clock of \(sources[pair[0]].label) is ahead of that of \(sources[pair[1]].label), by at least "
                + Phrase.seconds(seconds)
        }
    }
}

extension ChangeLog.Entry {
    fileprivate func isRecord(of numbers: Set<Int64>) -> Bool { entityNumber.map(numbers.contains) ?? false }
}

extension Timeline: JSONWritable {
    /// The document of `log` with several stores in Documentation/json.md.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "log", store: sources.first?.log.store))
            writer.member("stores", sources.map(\.json))
            writer.members(accounts.json)
            writer.member("duplicates", duplicates.map(json))
            writer.member("total", total)
            writer.member("entries", each: entries) { entry, writer in
                entry.change.write(in: letterCase, to: &writer) { writer in
                    writer.member("store", sources[entry.source].log.store)
                    writer.member("cloudRecord", entry.cloudRecord)
                    writer.member(
                        "savedIn",
                        entry.origin.map { origin -> JSONValue in
                            ["store": sources[origin.source].log.store, "transaction": origin.transaction]
                        })
                }
            }
            writer.member("warnings", warnings)
        }
    }

    private func json(_ story: DuplicateExplanation) -> JSONValue {
        [
            "mac": story.address.text(in: letterCase), "name": story.name,
            "records": story.records.map { record -> JSONValue in
                [
                    "cloudRecord": record.cloudRecord, "madeIn": record.maker.map { sources[$0].log.store },
                    "transaction": record.transaction, "at": record.time,
                ]
            },
            "sentences": story.sentences.map(\.description), "known": story.isKnown,
        ]
    }
}

extension Timeline.Source {
    fileprivate var json: JSONValue {
        ["path": log.store, "device": device?.id, "name": device?.names.first, "history": log.hasHistory]
    }
}
