internal import MeterModel
internal import MeterStore

extension Check {
    static let deviceIDShared = store(
        "device-id-shared", .warning, "one device id under two names that alternate: two devices use it",
        """
        Each of the two devices takes the other one's locks for its own, so both may connect to a meter at once. The \
        app keeps the id of its device in its preferences, and a device that is set up from the backup of another one \
        gets them.

        A device that was renamed changes its name once; here a name comes back after another one. (The first thousand \
        records are looked at.)

        Nothing in the store can be repaired. On one of the two devices, delete the app and install it again: it then \
        makes an id of its own. Let it sync before. `meterfix unlock --held-by NAME` clears the locks of one of the \
        two by its name.
        """
    ) { check, session in
        let shared = try session.devicesInRecords().sharedDevices
        guard !shared.isEmpty else { return [] }
        var rows: [String: [Int64]] = [:]
        for record in try session.store.records.prefix(KnownDevices.mostRecords) {
            let ids = Set(record.locks.compactMap(\.deviceID) + record.discoveries.compactMap(\.deviceID))
            for id in ids { rows[id, default: []].append(record.row) }
        }
        return shared.map { device in
            check.finding(
                "\(Phrase.list(device.names.sorted().map { "\"\($0)\"" })) use one device id, \(device.id ?? ""), in turns",
                entity: SettingsTable.entityName, rows: device.id.flatMap { rows[$0] } ?? [],
                cure:
                    "let both devices sync, then delete the app on one of them and install it again: it makes an id of its own"
            )
        }
    }
}
