internal import MeterModel

extension Check {
    static let lockTorn = records(
        "lock-torn", .error, "a connection lock with some of its fields missing",
        """
        The meter may stay locked for other devices, or nobody knows which device holds it. A device that connects \
        writes all fields of the lock and clears them all when it disconnects. Here some are set and some are not. \
        Without an expiry, the lock does not end by itself; without a device, nobody can be asked to disconnect.

        This comes from merging records field by field, as the rebuild of older app versions did, and from interrupted \
        saves.

        Connect to the meter in the app once and disconnect: that writes the whole lock and clears it. If that is not \
        possible, `meterfix fix lock-torn` clears the rest of the lock, as `meterfix unlock` does for one meter.
        """
    ) { check, record, store in
        var findings: [Finding] = []
        func add(_ lock: String, set: [String], missing: [String]) {
            findings.append(
                check.finding(
                    "\(lock) has \(Phrase.list(set)) but not \(Phrase.list(missing))", about: record, in: store,
                    cure: store.repair("fix lock-torn")))
        }
        if record.flatLock?.isTorn == true {
            let fields = SettingsField.flatLock.filter(record.layout.has)
            add(
                "the lock", set: fields.filter { !record[$0].isEmpty }.map(\.rawValue),
                missing: fields.filter { record[$0].isEmpty }.map(\.rawValue))
        }
        if let lock = record.blobLock, lock.isTorn {
            let members = [
                (lock.keys.deviceID, lock.deviceID != nil), (lock.keys.connectedAt, lock.connectedAt != nil),
                (lock.keys.expiresAt, lock.expiresAt != nil),
            ]
            add(
                "the lock in connectionMetadata", set: members.filter(\.1).map(\.0),
                missing: members.filter { !$0.1 }.map(\.0))
        }
        return findings
    }

    package static let lockTTL = records(
        "lock-ttl", .warning, "a lock that lasts too long or not long enough",
        """
        Two devices can connect to the meter at once, or it remains locked after its holder has left. A lock is \
        renewed every 60 s and expires 120 s after connectedAt; for a lock in JSON anything from 120 s to 24 h is \
        accepted. A shorter lock does not protect its device; a longer lock outlives the connection.

        A lock that lasts too long comes from another version of the app, or from a clock that was corrected while the \
        device wrote it. Until it expires, no other device may connect to the meter: the known support case "manual \
        unlock".

        Connect to the meter with the device that holds the lock and disconnect; that clears it. If that device no \
        longer exists, `meterfix unlock` clears it.
        """
    ) { check, record, store in
        record.locks.compactMap { lock in
            // A date that is no real one counts as none (`date-implausible`).
            guard !lock.hasUsualTimeToLive, let connectedAt = lock.connectedAt?.ifPlausible,
                let expiresAt = lock.expiresAt?.ifPlausible
            else { return nil }
            let allowed = lock.encoding == .flat ? "120 s" : "120 s to 24 h"
            var message: Sentence =
                "the lock\(lock.encoding == .flat ? "" : " in connectionMetadata") of \(connectedAt) expires "
                + "\(expiresAt), after \(Phrase.seconds(expiresAt.seconds(since: connectedAt))) instead of \(allowed)"
            // Later than that, it does not end by itself in any useful time.
            let isStuck = expiresAt.isAhead(of: store.now)
            if isStuck { message += "; no other device may connect to the meter until then" }
            let said = message
            return check.finding(
                said, about: record, in: store,
                cure: isStuck
                    ? store.unlocking(record)
                    : store.inApp("connect to the meter with the device that holds the lock and disconnect"))
        }
    }

    static let lockExpired = records(
        "lock-expired", .note, "a lock past its expiry that nobody cleared",
        """
        A device connected to the meter and never disconnected properly: the app was terminated, or the device went \
        out of range. Any device may connect to the meter now; the lock is only a leftover.

        Nothing needs to be done. The next device that connects overwrites it; `meterfix fix lock-expired` clears it \
        now.
        """
    ) { check, record, store in
        record.locks.compactMap { lock in
            guard !lock.isTorn, let expiresAt = lock.expiresAt?.ifPlausible, expiresAt < store.now else { return nil }
            return check.finding(
                lock.words(onEnd: expiresAt), about: record, in: store, cure: store.repair("fix lock-expired"))
        }
    }

    static let metadataBlobMalformed = records(
        "metadata-blob-malformed", .error, "connectionMetadata or discoveryMetadata is not the expected JSON",
        """
        The app cannot read this text and ignores the lock, or the "last seen", in it. App versions that keep the lock \
        and "last seen" as JSON expect `{device, timestamp, expiry}`, or `{deviceID, deviceName, timestamp, \
        expiresAt}`, and `{lastSeen, seenBy}`. This text is different.

        This comes from truncated text, from manual edits, and from another app version.

        Connect to the meter in the app once and disconnect: that rewrites both. If that is not possible, `meterfix \
        fix metadata-blob-malformed` clears such a text. `meterfix unlock` clears an unreadable lock too, and a \
        rebuild may replace it with another record's lock or "last seen". The text is then in the report of the change \
        and in its backup.
        """
    ) { check, record, store in
        var reasons: [(SettingsField, String)] = []
        if case .malformed(let reason) = record.lockBlob { reasons.append((.connectionMetadata, reason)) }
        if case .malformed(let reason) = record.discoveryBlob { reasons.append((.discoveryMetadata, reason)) }
        return reasons.map { field, reason in
            check.finding(
                "\(field.rawValue): \(reason)", about: record, in: store,
                cure: store.repair("fix metadata-blob-malformed"))
        }
    }
}

extension ConnectionLock {
    fileprivate func words(onEnd date: Timestamp) -> Sentence {
        let holder = holder.map { " of \"\($0)\"" } ?? ""
        let place = encoding == .flat ? "" : " in connectionMetadata"
        return "the lock\(holder)\(place) expired \(date)"
    }
}
