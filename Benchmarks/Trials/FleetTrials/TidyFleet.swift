internal import FleetSimulation
internal import MeterModel

extension RandomFleet {
    /// The fleet as if each meter had had one record from the beginning; what a device has not uploaded yet, it may have
    /// created beside it. With random names these are several records, with names from the address one.
    func tidy(_ naming: RecordNaming) -> Fleet {
        var first: [MACAddress: String] = [:]
        for copy in fleet.zone {
            if let address = fleet.address(of: copy), first[address] == nil { first[address] = copy.name }
        }
        let addresses = Dictionary(uniqueKeysWithValues: first.map { ($1, $0) })
        func renamed(_ copy: Fleet.Copy) -> Fleet.Copy {
            guard naming == .fromAddress, let address = fleet.address(of: copy) ?? addresses[copy.name] else {
                return copy
            }
            return Fleet.Copy(name: RecordNaming.name(of: address), values: copy.values, standing: copy.standing)
        }
        func records(of device: Fleet.Device) -> [Fleet.Copy] {
            var known = device.records.filter { addresses[$0.name] != nil }
            var taken = Set(known.filter { $0.standing != .deleted }.compactMap(fleet.address))
            let new = device.records.filter { copy in
                copy.standing == .new && fleet.address(of: copy).map { taken.insert($0).inserted } == true
            }
            // What was deleted here and created again has one name.
            if naming == .fromAddress {
                let created = Set(new.compactMap(fleet.address))
                known.removeAll { $0.standing == .deleted && created.contains(addresses[$0.name]!) }
            }
            return (known + new).map(renamed)
        }
        return fleet.with(
            devices: fleet.devices.map { $0.with(records: records(of: $0)) },
            zone: fleet.zone.filter { addresses[$0.name] != nil }.map(renamed))
    }

    /// The fleet with what the commands besides a repair are for: a unit that the app does not know, and a record that
    /// belongs to no meter.
    var faulty: Fleet {
        let unit = fleet.layout.position(of: .tc66TemperatureUnit)!
        let stray = Fleet.Copy(
            name: "stray", values: Array(repeating: .null, count: fleet.layout.fields.count), standing: .uploaded)
        func faulty(_ copies: [Fleet.Copy]) -> [Fleet.Copy] {
            copies.map { copy in
                guard copy.standing != .deleted, copy.values[unit].text == TemperatureUnit.fahrenheit.rawValue else {
                    return copy
                }
                var values = copy.values
                values[unit] = .text("F")
                return Fleet.Copy(name: copy.name, values: values, standing: copy.standing)
            } + [stray]
        }
        return fleet.with(
            devices: fleet.devices.map { $0.records.isEmpty ? $0 : $0.with(records: faulty($0.records)) },
            zone: faulty(fleet.zone))
    }

    /// The fleet with a field of a newer version of the app that some devices do not have: the unit. The first device has
    /// the newest version.
    var mixed: Fleet {
        let field = SettingsField.tc66TemperatureUnit
        let position = fleet.layout.position(of: field)!
        let devices = fleet.devices.enumerated().map { index, device in
            guard index > 0, (seed >> (index - 1)) & 1 == 0 || index == 1 else {
                return device.with(unknownFields: [], records: device.records)
            }
            let records = device.records.map { copy in
                guard copy.standing != .deleted else { return copy }
                var values = copy.values
                values[position] = .null
                return Fleet.Copy(name: copy.name, values: values, standing: copy.standing)
            }
            return device.with(unknownFields: [field.rawValue], records: records)
        }
        return fleet.with(devices: devices, zone: fleet.zone)
    }
}
