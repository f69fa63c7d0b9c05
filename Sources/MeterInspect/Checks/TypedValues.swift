internal import MeterModel
internal import MeterStore

extension Check {
    package static let nameMachineMade = records(
        "name-machine-made", .warning, "a name that does not say which meter it is",
        """
        The name is a platform model (iPad, MacBook Pro, iPhone14,2), a host name (Anas-MacBook.local), a hardware \
        type (TC66C), a UUID, an address, or only white space. It tells the user nothing about the meter.

        Such names come from programs: older app versions named devices by platform model, "iPad" for every Mac that \
        runs the iPad app, and some of these names have ended up as names of meters.

        A name belongs to the user and is never repaired. Have the user rename the meter in the app.
        """
    ) { check, record, store in
        guard let name = record[.meterName].text, let kind = MachineMadeName(name) else { return [] }
        return [
            check.finding(
                "the name \(value: "\"\(name)\"") is \(kind.noun)", about: record, in: store,
                cure: store.inApp("have the user rename the meter in the app"))
        ]
    }

    package static let nameShared = meters(
        "name-shared", .warning, "the same name on several meters",
        """
        Meters with different addresses have the same name, so the user cannot tell them apart in lists and exports. \
        Records of one meter do not count here: see `duplicate-mac`.

        Often this is a default name that was never changed, sometimes one meter whose address changed after a \
        firmware update or a repair.

        A name belongs to the user and is never repaired. Have the user rename one of the meters in the app.
        """
    ) { check, session in
        let store = session.store
        // By the bytes of the name: the same name in another normalisation is another name.
        let bearers = try session.recordsSharing { record in
            guard record.usableAddress != nil, let name = record.shownName else { return nil }
            return .text(WhiteSpace.trimmed(name))
        }
        return bearers.compactMap { records in
            let meters = Set(records.compactMap(\.usableAddress)).sorted()
            guard meters.count > 1, let name = records[0].shownName.map(WhiteSpace.trimmed) else { return nil }
            let addresses = meters.map { $0.text(in: store.letterCase) }
            return check.finding(
                "the name \(value: "\"\(name)\"") is on \(addresses.count) meters, \(Phrase.start(of: addresses))",
                entity: SettingsTable.entityName, rows: records.map(\.row),
                cure: store.inApp("have the user rename all but one of them in the app"))
        }
    }

    package static let unitUnknown = records(
        "unit-unknown", .error, "a temperature unit that is neither celsius nor fahrenheit",
        """
        tc66TemperatureUnit must be exactly `celsius` or `fahrenheit`. The app treats anything else as its default and \
        may show a temperature in the wrong unit.

        This comes from imports of old data and from manual edits. Empty is fine: no unit was chosen.

        `meterfix fix unit-unknown` writes a unit that can be understood, such as "F" or "°C", as the app does. For \
        anything else, ask the user, who can choose the unit again in the app; or set it with `meterfix set`.
        """
    ) { check, record, store in
        let unit = record[.tc66TemperatureUnit]
        guard !unit.isEmpty, !unit.isUsable(as: .tc66TemperatureUnit) else { return [] }
        let isUnderstood = unit.text.flatMap(TemperatureUnit.init(understanding:)) != nil
        let meter = record.usableAddress?.text(in: store.letterCase) ?? "--row \(record.row)"
        return [
            check.finding(
                "the unit \(unit.shown) is neither \"celsius\" nor \"fahrenheit\"", about: record, in: store,
                cure: isUnderstood
                    ? store.repair("fix unit-unknown")
                    : store.repair(
                        "set \(meter) --unit celsius", after: "ask the user for the unit, celsius or fahrenheit, then"))
        ]
    }

    package static let deviceNameGeneric = records(
        "device-name-generic", .warning, "a device name that is only a model, such as iPad",
        """
        The user cannot tell which device holds the meter, or saw it last. The lock and "last seen" name a device. \
        Here the name is that of a platform ("iPad" for every Mac that runs the iPad app), which tells nobody which \
        device it is.

        Older app versions named devices this way. The right name is the host name on a Mac and the device's own name \
        on an iPhone or iPad.

        Update the app on that device. The next time it connects to the meter or sees it, it writes its own name.
        """
    ) { check, record, store in
        var generic: [(place: String, name: String)] = []
        func consider(_ field: SettingsField, _ name: String?) {
            if let name, isGeneric(name) { generic.append((field.rawValue, name)) }
        }
        for field in genericFields { consider(field, record[field].text) }
        consider(.connectionMetadata, record.blobLock?.deviceName)
        consider(.discoveryMetadata, record.blobDiscovery?.deviceName)
        guard !generic.isEmpty else { return [] }
        let found = generic
        return [
            check.finding(
                found.map { "the device name \"\($0.name)\" in \($0.place)" as Sentence }.joinedByAnd
                    + " \(found.count == 1 ? "is" : "are") only a model",
                about: record, in: store, cure: "update the app on that device")
        ]
    }

    private static let genericFields: [SettingsField] = [.connectedByDeviceName, .lastSeenByDeviceName]

    private static func isGeneric(_ name: String) -> Bool {
        var name = name
        return name.withUTF8(MachineMadeName.isDeviceModel)
    }
}
