internal import GRDB
internal import MeterModel
internal import MeterStore

extension Check {
    package static let nameMachineMade = ofRecords(
        "name-machine-made", .warning, "a name that does not say which meter it is",
        """
        The name is a platform model (iPad, MacBook Pro, iPhone14,2), a host name (Anas-MacBook.local), a hardware \
        type (TC66C), a UUID, an address, or only white space. It tells the user nothing about the meter.

        Such names come from programs: older app versions named devices by platform model, "iPad" for every Mac that \
        runs the iPad app, and some of these names have ended up as names of meters.

        A name belongs to the user and is never repaired. Have the user rename the meter in the app.
        """
    ) { check, row, found in
        guard let bytes = row.text(.meterName), let kind = MachineMadeName(utf8: bytes) else { return }
        let name = String(decoding: bytes, as: UTF8.self)
        found(
            check.finding(
                "the name \(value: "\"\(name)\"") is \(kind.noun)", about: row.record,
                cure: check.store.inApp("have the user rename the meter in the app")))
    }

    package static let nameShared = ofGroups(
        "name-shared", .warning, "the same name on several meters",
        """
        Meters with different addresses have the same name, so the user cannot tell them apart in lists and exports. \
        Records of one meter do not count here: see `duplicate-mac`.

        Often this is a default name that was never changed, sometimes one meter whose address changed after a \
        firmware update or a repair.

        A name belongs to the user and is never repaired. Have the user rename one of the meters in the app.
        """
    ) {
        SharedNames($0, in: $1)
    }

    package static let unitUnknown = ofRecords(
        "unit-unknown", .error, "a temperature unit that is neither celsius nor fahrenheit",
        """
        tc66TemperatureUnit must be exactly `celsius` or `fahrenheit`. The app treats anything else as its default and \
        may show a temperature in the wrong unit.

        This comes from imports of old data and from manual edits. Empty is fine: no unit was chosen.

        `meterfix fix unit-unknown` writes a unit that can be understood, such as "F" or "°C", as the app does. For \
        anything else, ask the user, who can choose the unit again in the app; or set it with `meterfix set`.
        """
    ) { check, row, found in
        guard !row.isEmpty(.tc66TemperatureUnit), !isUnit(row.text(.tc66TemperatureUnit)) else { return }
        found(check.finding(row[.tc66TemperatureUnit], of: row.record))
    }

    private static func isUnit(_ text: UnsafeBufferPointer<UInt8>?) -> Bool {
        guard let text else { return false }
        return knownUnits.contains { known in
            known.count == text.count && known.indices.allSatisfy { known[$0] == text[$0] }
        }
    }

    private static let knownUnits = TemperatureUnit.allCases.map { Array($0.rawValue.utf8) }

    package static let deviceNameGeneric = ofRecords(
        "device-name-generic", .warning, "a device name that is only a model, such as iPad",
        """
        The user cannot tell which device holds the meter, or saw it last. The lock and "last seen" name a device. \
        Here the name is that of a platform ("iPad" for every Mac that runs the iPad app), which tells nobody which \
        device it is.

        Older app versions named devices this way. The right name is the host name on a Mac and the device's own name \
        on an iPhone or iPad.

        Update the app on that device. The next time it connects to the meter or sees it, it writes its own name.
        """
    ) { check, row, found in
        guard
            row.hasMetadataBlob
                || genericFields.contains(where: { row.text($0).map(MachineMadeName.isDeviceModel) ?? false })
        else {
            return
        }
        let record = row.record
        var names = genericFields.compactMap { field in record[field].text.map { (field.rawValue, $0) } }
        if let name = record.blobLock?.deviceName { names.append((SettingsField.connectionMetadata.rawValue, name)) }
        if case .value(let discovery) = record.discoveryBlob, let name = discovery.deviceName {
            names.append((SettingsField.discoveryMetadata.rawValue, name))
        }
        let generic = names.filter { isGeneric($0.1) }
        guard !generic.isEmpty else { return }
        found(
            check.finding(
                generic.map { "the device name \"\($0.1)\" in \($0.0)" as Sentence }.joinedByAnd
                    + " \(generic.count == 1 ? "is" : "are") only a model",
                about: record, cure: "update the app on that device"))
    }

    private static let genericFields: [SettingsField] = [.connectedByDeviceName, .lastSeenByDeviceName]

    private static func isGeneric(_ name: String) -> Bool {
        var name = name
        return name.withUTF8(MachineMadeName.isDeviceModel)
    }
}

extension RecordCheck {
    fileprivate func finding(_ unit: FieldValue, of record: DeviceSettings) -> Finding {
        let isUnderstood = unit.text.flatMap(TemperatureUnit.init(understanding:)) != nil
        let meter = record.usableAddress?.text(in: store.letterCase) ?? "--row \(record.row)"
        return finding(
            "the unit \(unit.shown) is neither \"celsius\" nor \"fahrenheit\"", about: record,
            cure: isUnderstood
                ? store.repair("fix unit-unknown")
                : store.repair(
                    "set \(meter) --unit celsius", after: "ask the user for the unit, celsius or fahrenheit, then")
        )
    }
}

private final class SharedNames: GroupCheck {
    private let check: Check
    private let store: InspectedStore
    @exclusivity(unchecked) private var sightings: DuplicateCandidates<UInt64>
    /// The names that several meters have.
    private var shared: [(name: String, records: [(row: Int64, address: MACAddress)])] = []

    init(_ check: Check, in store: InspectedStore) {
        self.check = check
        self.store = store
        sightings = DuplicateCandidates(expecting: store.addresses.records)
    }

    func visit(_ row: RecordRow) {
        guard case .usable(let address, _) = row.address, let name = row.text(.meterName) else { return }
        let trimmed = UnsafeBufferPointer(rebasing: WhiteSpace.trim(name))
        guard !trimmed.isEmpty else { return }
        sightings.add(UnsafeRawBufferPointer(trimmed), of: address.bits, row: row.row)
    }

    func sort() { sightings.sort() }

    func finish(_ session: Session) throws {
        // By the name's bytes, without white space at either end.
        var bearers: [[UInt8]: [(row: Int64, address: MACAddress)]] = [:]
        try session.settings?.forEachRow(of: sightings.suspects(), session.database) { row in
            guard case .usable(let address, _) = row.address, var name = row[.meterName].text else { return }
            bearers[name.withUTF8 { Array(WhiteSpace.trim($0)) }, default: []].append((row.row, address))
        }
        shared = bearers.filter { Set($0.value.map(\.address)).count > 1 }
            .map { (String(decoding: $0.key, as: UTF8.self), $0.value) }
            .sorted { $0.records[0].row < $1.records[0].row }
    }

    var groups: [[Int64]] { shared.map { $0.records.map(\.row) } }

    func finding(_ group: Int) -> Finding {
        let (name, records) = shared[group]
        let addresses = Set(records.map(\.address)).sorted().map { $0.text(in: store.letterCase) }
        return check.finding(
            "the name \(value: "\"\(name)\"") is on \(addresses.count) meters, \(Phrase.start(of: addresses))",
            entity: SettingsTable.entityName, rows: records.map(\.row),
            cure: store.inApp("have the user rename all but one of them in the app"))
    }
}
