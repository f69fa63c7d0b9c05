internal import MeterModel
internal import MeterStore

/// Records written by a clock that was ahead.
final class ClockInFuture: RecordCheck {
    static let description = CheckDescription(
        "clock-in-future", .warning, "a date more than a day ahead of now",
        explanation: [
            """
            A device wrote this date while its clock was ahead. A record whose updatedAt is in the future wins every \
            merge until then, so later changes seem to be lost. A lock that was taken in the future keeps other \
            devices from the meter until it expires.
            """,
            "The clock of one of the user's devices was wrong when it wrote the record. Or it is wrong here: see `--now`.",
            """
            Find the device (connectedByDeviceName and lastSeenByDeviceName help) and set its clock to automatic. The \
            next change of the record in the app brings its dates back to the present. `meterfix unlock` clears a lock \
            with such a date. (A lock that was taken in the past and expires too late is another finding: `lock-ttl`.)
            """,
        ])

    private let store: InspectedStore
    /// The positions of the dates.
    private let positions: [Int]

    init(_ store: InspectedStore) {
        self.store = store
        let fields = store.settings?.layout.fields ?? []
        positions = fields.indices.filter { fields[$0].kind == .date }
    }

    func visit(_ row: RecordRow, _ found: Found) {
        guard row.hasMetadataBlob || positions.contains(where: { row.timestamp($0)?.isAhead(of: store.now) ?? false })
        else {
            return
        }
        let record = row.record
        let ahead = dates(of: record).filter { $0.date.isAhead(of: store.now) }
        guard !ahead.isEmpty else { return }
        found(finding(ahead, of: record))
    }

    private func finding(_ ahead: [(name: String, date: Timestamp)], of record: DeviceSettings) -> Finding {
        let locks = record.locks.filter { $0.isOfClockAhead(at: store.now) }
        var message =
            Phrase.list(ahead.map { "\($0.name) \($0.date)" })
            + " \(ahead.count == 1 ? "is" : "are") more than a day ahead of \(store.now)"
        if let lock = locks.first {
            message += "; the lock is held by \(lock.shownHolder)"
        }
        return Self.finding(
            message, about: record, in: store,
            cure: locks.isEmpty ? "set the clock of the device that wrote the record" : store.unlocking(record))
    }

    /// The dates that a clock wrote as its present. The end of a lock is one of them only if its beginning is wrong.
    private func dates(of record: DeviceSettings) -> [(name: String, date: Timestamp)] {
        var dates: [(name: String, date: Timestamp)] = []
        func add(_ name: String, _ date: Timestamp?) { if let date { dates.append((name, date)) } }
        let isFlatAhead = record.flatLock?.isOfClockAhead(at: store.now) ?? false
        for (field, value) in zip(record.layout.fields, record.values)
        where field.kind == .date && (field.known != .connectedExpiryAt || isFlatAhead) {
            add(field.name, value.timestamp)
        }
        if let lock = record.blobLock, lock.isOfClockAhead(at: store.now) {
            add("connectionMetadata.\(lock.keys.connectedAt)", lock.connectedAt)
            add("connectionMetadata.\(lock.keys.expiresAt)", lock.expiresAt)
        }
        if case .value(let discovery) = record.discoveryBlob { add("discoveryMetadata.lastSeen", discovery.seenAt) }
        return dates
    }
}
