internal import MeterModel

/// The user's record zone in CloudKit, as far as mirroring depends on it (Apple's documentation of
/// `CKModifyRecordsOperation`, `CKFetchRecordZoneChangesOperation` and `CKError`): every change gets the next change
/// tag, and the newest tag is the token of the whole zone. A save against another version than the zone's is answered
/// with the zone's version. A batch succeeds or fails as a whole, and each record of it gets its own tag.
struct CloudZone {
    struct Record {
        var values: [FieldValue]
        /// The number of the change that made this version.
        var tag: Int
    }

    /// One record operation of a batch.
    struct Item {
        enum Work {
            /// Save policy *if server record unchanged*.
            /// - Parameter tag: that of the version that was changed; 0 for a new record.
            case save([FieldValue], tag: Int)
            /// Deletes are not checked against a version.
            case delete
        }

        let record: RecordNumber
        let work: Work
        /// Fields that a save leaves as they are in the zone.
        var leavesAlone = FieldSet()
    }

    enum ModifyAnswer {
        /// The tag of each record that was saved; 0 for a deletion.
        case done(tags: [Int])
        /// `partialFailure`: these records failed, and the whole batch with them.
        case conflicts(changed: [(record: RecordNumber, server: Record)], gone: [RecordNumber])
        /// `requestRateLimited`. Seconds.
        case retryAfter(Double)
        case quotaExceeded
        /// `limitExceeded`: the batch is too large.
        case limitExceeded
    }

    enum Change {
        case saved(Record)
        case deleted
    }

    struct Page {
        /// Each record once, in its newest version, in the order of tags.
        var changes: [(record: RecordNumber, tag: Int, change: Change)] = []
        /// The token that this page leads to.
        var token: Int
        var moreComing = false
        /// Whether the newest version of the app has uploaded something: what a version number that travels with the data
        /// says.
        var isOfNewerVersion = false
    }

    enum FetchAnswer {
        case page(Page)
        /// Seconds.
        case retryAfter(Double)
    }

    private var records: [Record?] = []
    /// The tag of each record's last change; 0 for a record that the zone never had.
    private var lastTags: [Int] = []
    /// Every change that is still the last one of its record, and some that are not.
    private var log: [(tag: Int, record: RecordNumber)] = []
    /// The newest tag: the token of a device that knows everything.
    private(set) var token = 0
    /// No save is accepted while the user's account is full; deletes are.
    var isFull = false
    /// Whether the newest version of the app has uploaded something.
    var isOfNewerVersion = false
    /// The most records that the zone takes at a time.
    var batchLimit = batchSize
    /// What has happened to the zone as a whole, in order. A device that has not learned of all of it gets that as the
    /// answer to its next request.
    private(set) var resets: [ZoneReset] = []
    /// Seconds by which the next request of a device is delayed.
    private var delays: [Int: Double] = [:]

    /// A device begins with batches of at most this many records.
    static var batchSize: Int { CloudCost.batchSize }

    subscript(record: RecordNumber) -> Record? { record.index < records.count ? records[record.index] : nil }

    /// Answers the next request of a device with *try again in … seconds*.
    mutating func delayNextRequest(of device: Int, by seconds: Double) { delays[device] = seconds }

    mutating func modify(_ batch: [Item], from device: Int) -> ModifyAnswer {
        precondition(batch.count <= Self.batchSize, "a batch is too large")
        if let seconds = delays.removeValue(forKey: device) { return .retryAfter(seconds) }
        guard batch.count <= batchLimit else { return .limitExceeded }
        var hasSaves = false
        var changed: [(record: RecordNumber, server: Record)] = []
        var gone: [RecordNumber] = []
        for item in batch {
            guard case .save(_, let tag) = item.work else { continue }
            hasSaves = true
            if let server = self[item.record] {
                if server.tag != tag { changed.append((item.record, server)) }
            } else if tag != 0 {
                gone.append(item.record)
            }
        }
        if hasSaves && isFull { return .quotaExceeded }
        guard changed.isEmpty && gone.isEmpty else { return .conflicts(changed: changed, gone: gone) }
        let tags = batch.map { item in
            switch item.work {
            case .save(var values, _):
                if let server = self[item.record], !item.leavesAlone.isEmpty {
                    for position in values.indices where item.leavesAlone.contains(position: position) {
                        values[position] = server.values[position]
                    }
                }
                put(values, in: item.record)
                return token
            case .delete:
                remove(item.record)
                return 0
            }
        }
        return .done(tags: tags)
    }

    /// What happened after `token`, at most `limit` records of it.
    mutating func changes(since token: Int, limit: Int, for device: Int) -> FetchAnswer {
        if let seconds = delays.removeValue(forKey: device) { return .retryAfter(seconds) }
        var page = Page(token: token, isOfNewerVersion: isOfNewerVersion)
        var index = firstEntry(after: token)
        while index < log.count {
            let entry = log[index]
            index += 1
            guard lastTags[entry.record.index] == entry.tag else { continue }
            guard page.changes.count < limit else {
                page.moreComing = true
                return .page(page)
            }
            let change = records[entry.record.index].map(Change.saved) ?? .deleted
            page.changes.append((entry.record, entry.tag, change))
            page.token = entry.tag
        }
        page.token = self.token
        return .page(page)
    }

    /// Everything in the zone is gone, and so is the knowledge of what was deleted in it.
    /// - Returns: the records that were in it.
    mutating func reset(_ reset: ZoneReset) -> [RecordNumber] {
        let gone = records.indices.filter { records[$0] != nil }.map(RecordNumber.init)
        for index in records.indices {
            records[index] = nil
            lastTags[index] = 0
        }
        log = []
        // Old tokens are behind it, so that every device asks.
        token += 1
        resets.append(reset)
        return gone
    }

    /// What a device learns that has learned of so many resets before. Of several the deletion by the user counts
    /// (inferred).
    func reset(after known: Int) -> ZoneReset? {
        let missed = resets.dropFirst(known)
        return missed.contains(.deletedByUser) ? .deletedByUser : missed.last
    }

    private mutating func put(_ values: [FieldValue], in record: RecordNumber) {
        makeRoom(for: record)
        note(record)
        records[record.index] = Record(values: values, tag: token)
    }

    private mutating func remove(_ record: RecordNumber) {
        guard self[record] != nil else { return }
        note(record)
        records[record.index] = nil
    }

    /// The contents a simulation begins with.
    mutating func seed(_ record: RecordNumber, _ values: [FieldValue]) { put(values, in: record) }

    private mutating func makeRoom(for record: RecordNumber) {
        while records.count <= record.index {
            records.append(nil)
            lastTags.append(0)
        }
    }

    private mutating func note(_ record: RecordNumber) {
        token += 1
        lastTags[record.index] = token
        log.append((token, record))
        // Only one entry for each record is needed; the others are superseded by later changes.
        if log.count > 2 * records.count + 1_000 { log.removeAll { lastTags[$0.record.index] != $0.tag } }
    }

    private func firstEntry(after token: Int) -> Int {
        var low = 0
        var high = log.count
        while low < high {
            let middle = (low + high) / 2
            if log[middle].tag <= token { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
