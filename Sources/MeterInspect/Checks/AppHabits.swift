internal import MeterModel

extension Check {
    static let discoveryFlood = store(
        "discovery-flood", .warning, "the app saved \"last seen\" of one meter many times within two minutes",
        """
        On all devices sync is slow: every "last seen" that is saved is uploaded, and every other device downloads it. \
        The app saves one of a meter in two minutes. Here it saved three or more in that time on this device, \
        and the meter was not connected or disconnected between them.

        A version of the app without that limit wrote them.

        Nothing in the store has to be repaired. Update the app on this device. `meterfix log` lists the saves, each \
        with its lastSeen fields. What is pending is uploaded once for each record, not once for each save.
        """
    ) { check, session in
        let floods = Dictionary(grouping: try session.behaviourOfApp().floods, by: \.row)
        return try session.findings(about: floods.keys) { record in
            guard let last = floods[record.row]?.last else { return nil }
            let others = (floods[record.row]?.count ?? 1) - 1
            let minutes = Phrase.seconds((last.last - last.first).rounded())
            return check.finding(
                "\"last seen\" saved \(last.count) times in \(minutes), from \(Timestamp(secondsSince2001: last.first)) on"
                    + (others > 0 ? ", and \(Phrase.count(others, "time")) before" : ""),
                about: record, in: session.store,
                cure: "update the app on this device: it must not save every \"last seen\"")
        }
    }

    static let identityChanged = store(
        "identity-changed", .warning, "the app changed id or createdAt of a record after it was made",
        """
        The app and the other devices may take this record for another one: id and createdAt are set when a record is \
        made and never change. The history says that the app changed one of them later, on this device.

        A version of the app did it by mistake. (What CloudKit's import changed is not reported: another device did \
        it. A save that sets the field in most records is not reported either: so an app fills in what was missing.)

        The old value is in a backup at most: `meterfix log` shows it where it is known. Update the app; nothing has \
        to be repaired as long as no two records have one id (`id-duplicate`).
        """
    ) { check, session in
        let changes = Dictionary(grouping: try session.behaviourOfApp().identityChanges, by: \.row)
        return try session.findings(about: changes.keys) { record in
            let words: [Sentence] = (changes[record.row] ?? []).map { change in
                "\(change.field.rawValue)" + (change.time.map { " at \(Timestamp(secondsSince2001: $0))" } ?? "")
            }
            return check.finding(
                "the app changed \(Phrase.start(of: words, limit: 3)), which never changes", about: record,
                in: session.store, cure: "update the app on this device; nothing can tell meterfix what the value was")
        }
    }
}
