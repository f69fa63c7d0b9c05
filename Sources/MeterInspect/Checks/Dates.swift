internal import MeterModel

extension Check {
    static let createdMissing = records(
        "created-missing", .note, "a record without createdAt",
        """
        Nothing in this record says when the user first had the meter. The date decides little: when records of one \
        meter are merged and all else is equal, the record created first is kept, and a record without the date counts \
        as the latest.

        This comes from records made by imports and early app versions.

        Nothing needs to be done, and no command makes up a date. If the meter has several records, a rebuild gives \
        the kept record the earliest createdAt of all of them.
        """
    ) { check, record, store in
        let value = record[.createdAt]
        guard value.timestamp == nil, record.layout.has(.createdAt) else { return [] }
        return [
            check.finding(
                value.isNull ? "no createdAt" : "createdAt is \(value.shown) and not a date", about: record, in: store,
                cure: "do nothing: the app works without the date, and no command makes one up")
        ]
    }

    static let updatedMissing = records(
        "updated-missing", .warning, "a record without updatedAt",
        """
        This record counts as the oldest, so its values lose when records of its meter are merged. updatedAt decides \
        which write is the last and wins. This record has no updatedAt.

        This comes from records made by imports and early app versions.

        The app sets the date with the next change of the record: rename the meter, or connect to it once.
        """
    ) { check, record, store in
        let value = record[.updatedAt]
        guard value.timestamp == nil, record.layout.has(.updatedAt) else { return [] }
        return [
            check.finding(
                value.isNull ? "no updatedAt" : "updatedAt is \(value.shown) and not a date", about: record, in: store,
                cure: store.inApp("connect to the meter in the app once"))
        ]
    }

    package static let updatedBehind = records(
        "updated-behind", .warning, "a record that was written after its updatedAt",
        """
        This record counts as older than it is, so its values may lose when records of its meter are merged. Every \
        write sets updatedAt. But the lock of this record, or the time when its meter was last seen, is later, or the \
        history says that the app saved a name or a unit later on this device.

        The value was written by an app version that did not set the date, or by another tool, or a merge copied it \
        from another record. (A difference of up to a second is not reported, because one save sets both, one after \
        the other. A date more than a day ahead of now is another finding: `clock-in-future`.)

        The app sets the date with the next change of the record: rename the meter, or connect to it once.
        """, besides: laterSaves
    ) { check, record, store in
        guard let updated = record.updatedAt, let later = laterDate(of: record, than: updated, at: store.now) else {
            return []
        }
        return [
            check.finding(
                "updated \(updated), but \(later.verb) \(later.date)", about: record, in: store,
                cure: store.inApp("connect to the meter in the app once"))
        ]
    }

    /// When it was locked or last seen, if that is later than its last change.
    private static func laterDate(
        of record: DeviceSettings, than updated: Timestamp, at now: Timestamp
    ) -> (verb: String, date: Timestamp)? {
        var latest: (verb: String, date: Timestamp)?
        func consider(_ verb: String, _ date: Timestamp?) {
            guard let date = date?.ifPlausible, date.seconds(since: updated) > allowance, !date.isAhead(of: now),
                latest.map({ $0.date < date }) ?? true
            else { return }
            latest = (verb, date)
        }
        for lock in record.locks { consider("locked", lock.connectedAt) }
        consider("last seen", record[.lastSeenAt].timestamp)
        consider("last seen", record.blobDiscovery?.seenAt)
        return latest
    }

    /// Seconds between two readings of one clock in one save.
    private static let allowance: Double = 1

    /// Seconds that may pass between a change and its save.
    private static let savingTime: Double = 60

    /// What the history adds to the dates of a record itself.
    private static let laterSaves: StoreSearch = { check, session in
        let unstamped = try session.behaviourOfApp().unstamped
        return try session.findings(about: unstamped.keys) { record in
            guard let time = unstamped[record.row], let updated = record.updatedAt,
                time - updated.secondsSince2001 > savingTime,
                laterDate(of: record, than: updated, at: session.store.now) == nil
            else { return nil }
            return check.finding(
                "updated \(updated), but the app saved a name or a unit at \(Timestamp(secondsSince2001: time))",
                about: record, in: session.store,
                cure: "where its meter has another record, `meterfix rebuild --keep` keeps the name of this one")
        }
    }

    package static let createdAfterUpdated = records(
        "created-after-updated", .warning, "a record whose creation is later than its last change",
        """
        createdAt never changes and updatedAt only increases, so this order is impossible with a single clock. One of \
        the dates is wrong: when records of one meter are merged, the wrong one may win.

        The record was made by a device whose clock was ahead and changed by one whose clock was not, or it was \
        imported. (A difference of up to a second is not reported: both are set when a record is made, one after the \
        other.)

        Harmless by itself. Check the clocks of the user's devices.
        """
    ) { check, record, store in
        guard let created = record.createdAt, let updated = record.updatedAt,
            created.seconds(since: updated) > allowance
        else { return [] }
        return [
            check.finding(
                "created \(created), after its last change \(updated)", about: record, in: store,
                cure: "check the clocks of the user's devices")
        ]
    }

    static let dateImplausible = records(
        "date-implausible", .warning, "a date before 2007 or after 3999, which counts as none",
        """
        This date means that none is known, or "never". Whoever compares the numbers takes year 1 for the earliest \
        date and year 4001 for the latest. meterfix counts such a date as none: it never decides which value is kept, \
        and a lock or a "last seen" with such a date loses against one with a real date.

        A version of the app, or another tool, wrote Date.distantPast, Date.distantFuture or 0 where it had no date. \
        (A date that is wrong by less is another finding: `clock-in-future`.)

        Nothing needs to be done for a single record. The app writes updatedAt, the lock and "last seen" again with the \
        next change of the record or the next connection. If the meter has several records, a rebuild takes the real \
        date of another one.
        """
    ) { check, record, store in
        var words: [Sentence] = []
        func consider(_ name: @autoclosure () -> String, _ date: Timestamp?) {
            if let date, !date.isPlausible { words.append("\(name()) \(date)") }
        }
        for place in record.layout.knownDates {
            consider(record.layout.fields[place].name, record.values[place].timestamp)
        }
        for (name, date) in record.datesOfBlobLock + record.datesOfDiscoveryBlob { consider(name, date) }
        guard !words.isEmpty else { return [] }
        let said = words
        return [
            check.finding(
                "\(said.joinedByAnd) \(said.count == 1 ? "is no real date and counts" : "are no real dates and count") "
                    + "as none", about: record, in: store,
                cure: "do nothing: such a date decides nothing, and the app writes most of them again")
        ]
    }

    package static let clockInFuture = records(
        "clock-in-future", .warning, "a date more than a day ahead of now",
        """
        A device wrote this date while its clock was ahead. A record whose updatedAt is in the future wins every merge \
        until then, so later changes seem to be lost. A lock with a date in the future keeps other devices from the \
        meter until it expires.

        The clock of one of the user's devices was wrong when it wrote the record, or a script wrote seconds since 1970. \
        Or the clock is wrong here: see `--now`.

        Find the device (connectedByDeviceName and lastSeenByDeviceName help) and set its clock to automatic. The next \
        change of the record in the app brings its dates back to the present. `meterfix unlock` clears a lock with \
        such a date. (A lock with a date in the past that expires too late is another finding: `lock-ttl`.)
        """
    ) { check, record, store in
        let now = store.now
        let ahead = record.datesOfPresent(aheadOf: now)
        guard !ahead.isEmpty else { return [] }
        var message: Sentence =
            ahead.map { "\($0.name) \($0.date)" as Sentence }.joinedByAnd
            + " \(ahead.count == 1 ? "is" : "are") more than a day ahead of \(now)"
        let meant = ahead.lazy.compactMap { $0.date.ifUnixTime(notAfter: now) }.first
        if let meant {
            message += "; as seconds since 1970, which a script may have written, the first such date is \(meant)"
        }
        let lock = record.locks.first { $0.connectedAt?.isPlausible ?? true && $0.isOfClockAhead(at: now) }
        if let lock { message += "; the lock is held by \(lock.shownHolder)" }
        let said = message
        return [
            check.finding(
                said, about: record, in: store,
                cure: lock == nil ? "set the clock of the device that wrote the record" : store.unlocking(record))
        ]
    }
}

extension Timestamp {
    /// The date that is meant where its number counts from 1970, as Unix does; nil where that would be no date of the past.
    fileprivate func ifUnixTime(notAfter now: Timestamp) -> Timestamp? {
        let meant = Timestamp(secondsSince2001: secondsSince2001 - Self.unixEpochOffset)
        return meant.isPlausible && !meant.isAhead(of: now) ? meant : nil
    }
}

extension DeviceSettings {
    /// The dates that a clock wrote as its present while it was ahead. The end of a lock is one of them only if its
    /// beginning is wrong.
    fileprivate func datesOfPresent(aheadOf now: Timestamp) -> [(name: String, date: Timestamp)] {
        var dates: [(name: String, date: Timestamp)] = []
        func add(_ name: @autoclosure () -> String, _ date: Timestamp?) {
            if let date = date?.ifPlausible, date.isAhead(of: now) { dates.append((name(), date)) }
        }
        let isFlatAhead = flatLock?.isOfClockAhead(at: now) ?? false
        let end = layout.position(of: .connectedExpiryAt)
        for place in layout.dates where isFlatAhead || place != end {
            add(layout.fields[place].name, values[place].timestamp)
        }
        if blobLock?.isOfClockAhead(at: now) == true {
            for (name, date) in datesOfBlobLock { add(name, date) }
        }
        for (name, date) in datesOfDiscoveryBlob { add(name, date) }
        return dates
    }

    /// The dates in the JSON of the lock, each with its place.
    fileprivate var datesOfBlobLock: [(String, Timestamp?)] {
        guard let lock = blobLock else { return [] }
        return [
            ("connectionMetadata.\(lock.keys.connectedAt)", lock.connectedAt),
            ("connectionMetadata.\(lock.keys.expiresAt)", lock.expiresAt),
        ]
    }

    /// The same in the JSON of the discovery.
    fileprivate var datesOfDiscoveryBlob: [(String, Timestamp?)] {
        guard let discovery = blobDiscovery else { return [] }
        return [("discoveryMetadata.lastSeen", discovery.seenAt)]
    }
}
