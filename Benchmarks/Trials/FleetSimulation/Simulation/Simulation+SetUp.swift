internal import MeterModel
internal import MeterTestSupport

extension Simulation {
    /// Fills the zone and the devices.
    func setUp() {
        let meters = Dictionary(
            fleet.meters.enumerated().map { ($1.address, $0) }, uniquingKeysWith: { first, _ in first })
        func number(of copy: Fleet.Copy) -> RecordNumber {
            register.record(named: copy.name, meter: fleet.address(of: copy).flatMap { meters[$0] })
        }
        // A device's token says how far it has read. Records that every device has in the zone's version come first, so
        // that only the others are left to read.
        let behind = recordsSomeDeviceLacks()
        for copy in fleet.zone where !behind.contains(copy.name) { zone.seed(number(of: copy), copy.values) }
        let common = zone.token
        for copy in fleet.zone where behind.contains(copy.name) { zone.seed(number(of: copy), copy.values) }
        var unknownInZone: [RecordNumber: FieldSet] = [:]
        for copy in fleet.zone {
            if case .changed(let names) = copy.standing { unknownInZone[number(of: copy)] = fields(names) }
        }
        let newer = fields(fleet.devices.reduce(into: Set()) { $0.formUnion($1.unknownFields) })
        zone.isOfNewerVersion = fleet.zone.contains { copy in
            copy.values.indices.contains { newer.contains(position: $0) && !copy.values[$0].isNull }
        }
        for (index, device) in fleet.devices.enumerated() {
            devices.append(state(of: device, index))
            for copy in device.records { place(copy, as: number(of: copy), on: index, unknownInZone) }
            devices[index].replica.token = device.records.isEmpty ? 0 : (isUpToDate(index) ? zone.token : common)
        }
        for copy in fleet.zone + fleet.devices.flatMap(\.records) {
            if let meter = register.meter(of: number(of: copy)) { noteTypedValues(in: copy, of: meter) }
        }
    }

    private func recordsSomeDeviceLacks() -> Set<String> {
        var names: Set<String> = []
        for device in fleet.devices where !device.records.isEmpty {
            let copies = Dictionary(device.records.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
            for copy in fleet.zone {
                guard let own = copies[copy.name], own.standing != .new else {
                    names.insert(copy.name)
                    continue
                }
                if isBehind(own, copy, of: device) { names.insert(copy.name) }
            }
        }
        return names
    }

    private func state(of device: Fleet.Device, _ index: Int) -> DeviceState {
        return DeviceState(
            identity: device.identity, clockError: device.clockError,
            addresses: fleet.meters.map { $0.address.text(in: device.letterCase) },
            replica: Replica(
                register, fleet.layout, meters: fleet.meters.count, policy: options.policy,
                olderApps: options.olderApps, unknownFields: fields(device.unknownFields)),
            random: SeededGenerator(seed: options.seed &* 1_000_003 &+ UInt64(index)))
    }

    /// The version that a device's changed record was made from, as far as CloudKit's version tells.
    private func base(of copy: Fleet.Copy, _ device: Fleet.Device, in cloud: CommonVersion) -> CommonVersion {
        var changed = FieldSet.all
        if case .changed(let names) = copy.standing, !names.isEmpty {
            // What its version of the app does not have, the device cannot have seen change.
            changed = fields(names.union(device.unknownFields))
        }
        let base = CommonVersion(of: copy.values, changed: changed, in: cloud)
        return isLater(cloud, than: copy) ? CommonVersion(values: base.values, unknown: changed) : base
    }

    /// Whether CloudKit's version is later than a device's: then the device's change was not made to that one.
    private func isLater(_ cloud: CommonVersion, than copy: Fleet.Copy) -> Bool {
        guard cloud.unknown.isEmpty, let place = fleet.layout.position(of: .updatedAt),
            let time = cloud.values[place].timestamp
        else { return false }
        return copy.values[place].timestamp.map { time > $0 } ?? true
    }

    /// Whether CloudKit's version is the one that a device's changed record was made from, as far as that tells.
    private func isMade(from cloud: CommonVersion, _ copy: Fleet.Copy, _ device: Fleet.Device) -> Bool {
        !isLater(cloud, than: copy) && base(of: copy, device, in: cloud).values == cloud.values
    }

    /// Whether a device has still to receive CloudKit's version of a record.
    private func isBehind(_ own: Fleet.Copy, _ zone: Fleet.Copy, of device: Fleet.Device) -> Bool {
        switch own.standing {
        case .uploaded: own.values != zone.values
        case .changed: !isMade(from: CommonVersion(values: zone.values), own, device)
        case .new, .unnoticed, .deleted: false
        }
    }

    private func fields(_ names: Set<String>) -> FieldSet {
        FieldSet(fleet.layout.fields.indices.filter { names.contains(fleet.layout.fields[$0].name) })
    }

    private func place(
        _ copy: Fleet.Copy, as number: RecordNumber, on device: Int, _ unknownInZone: [RecordNumber: FieldSet]
    ) {
        let server = zone[number]
        switch copy.standing {
        case .deleted:
            devices[device].replica.markPending(number, isDeletion: true)
        case .new:
            devices[device].replica.put(
                devices[device].replica.readable(copy.values), tag: Replica.Record.new, as: number)
            switch options.naming {
            case .random: devices[device].replica.markPending(number)
            case .fromAddress:
                devices[device].replica.markPending(
                    number, Replica.fields(in: copy.values), base: .nothing(copy.values.count))
            }
        case .unnoticed:
            devices[device].replica.put(
                devices[device].replica.readable(copy.values), tag: Replica.Record.new, as: number)
        case .changed(let names):
            let cloud = server.map { CommonVersion(values: $0.values, unknown: unknownInZone[number] ?? []) }
            let base = cloud.map { self.base(of: copy, fleet.devices[device], in: $0) }
            let isCurrent = cloud.map { isMade(from: $0, copy, fleet.devices[device]) } ?? false
            let tag = server.map { isCurrent ? $0.tag : Replica.Record.old } ?? Replica.Record.new
            devices[device].replica.put(devices[device].replica.readable(copy.values), tag: tag, as: number)
            devices[device].replica.markPending(number, names.isEmpty ? .all : fields(names), base: base)
        case .uploaded:
            let tag = server.map { $0.values == copy.values ? $0.tag : Replica.Record.old } ?? Replica.Record.old
            devices[device].replica.put(devices[device].replica.readable(copy.values), tag: tag, as: number)
        }
    }

    /// Whether the device has everything the zone has, in the zone's version.
    private func isUpToDate(_ device: Int) -> Bool {
        let names = Dictionary(
            fleet.devices[device].records.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return fleet.zone.allSatisfy { copy in
            guard let own = names[copy.name], own.standing != .new else { return false }
            return !isBehind(own, copy, of: fleet.devices[device])
        }
    }

    /// What the user typed before the simulation: only `updatedAt` says when.
    private func noteTypedValues(in copy: Fleet.Copy, of meter: Int) {
        guard copy.standing != .deleted else { return }
        let updatedAt = fleet.layout.position(of: .updatedAt).flatMap { copy.values[$0].timestamp }
        // Never later than what is typed from now on, whatever a device's clock said.
        let time = updatedAt.map { min($0.seconds(since: fleet.start), -1) } ?? -.infinity
        for field in SettingsField.typed {
            guard let position = fleet.layout.position(of: field), !copy.values[position].isEmpty,
                let value = TypedValues.inAppsWords(copy.values[position], of: field).text
            else { continue }
            typed.note(TypedValue(meter: meter, field: field, value: value, time: time, device: nil))
        }
    }
}
