package import MeterModel

/// The devices of one user and the zone between them, at the start of a simulation.
package struct Fleet: Sendable {
    package struct Meter: Hashable, Sendable {
        package let address: MACAddress
        package let modelType: String?

        package init(address: MACAddress, modelType: String?) {
            self.address = address
            self.modelType = modelType
        }
    }

    /// One record of a device.
    package struct Copy: Sendable {
        package enum Standing: Hashable, Sendable {
            /// CloudKit has this version, or a later one.
            case uploaded
            /// Changed on the device since it was uploaded or imported.
            /// - Parameter fields: their names; empty if they are not known.
            case changed(fields: Set<String>)
            /// CloudKit never had it, and it waits to be uploaded.
            case new
            /// CloudKit never had it, and nothing tells the mirror of it, such as a row that was added with SQL. It stays
            /// here until the app saves it (inferred).
            case unnoticed
            /// Deleted on the device, which CloudKit does not know yet; it has no values.
            case deleted
        }

        /// Its name in CloudKit.
        package let name: String
        /// One for each field of the layout.
        package let values: [FieldValue]
        package let standing: Standing

        package init(name: String, values: [FieldValue], standing: Standing) {
            self.name = name
            self.values = values
            self.standing = standing
        }
    }

    package struct Device: Sendable {
        package let identity: AppDevice
        /// How this device's app writes addresses.
        package let letterCase: LetterCase
        /// Seconds by which its clock is ahead.
        package let clockError: Double
        /// Fields that its version of the app does not have, by their names.
        package let unknownFields: Set<String>
        package let records: [Copy]

        package init(
            identity: AppDevice, letterCase: LetterCase = .upper, clockError: Double = 0,
            unknownFields: Set<String> = [], records: [Copy]
        ) {
            self.identity = identity
            self.letterCase = letterCase
            self.clockError = clockError
            self.unknownFields = unknownFields
            self.records = records
        }

        package func with(unknownFields: Set<String>? = nil, records: [Copy]) -> Device {
            Device(
                identity: identity, letterCase: letterCase, clockError: clockError,
                unknownFields: unknownFields ?? self.unknownFields, records: records)
        }
    }

    package let layout: RecordLayout
    package let meters: [Meter]
    package let devices: [Device]
    /// CloudKit's records by name, in the order in which they arrived. The fields of one that is `changed` are not known:
    /// every device has changed them since.
    package let zone: [Copy]
    package let start: Timestamp

    package init(layout: RecordLayout, meters: [Meter], devices: [Device], zone: [Copy], start: Timestamp) {
        self.layout = layout
        self.meters = meters
        self.devices = devices
        self.zone = zone
        self.start = start
    }

    /// The fleet as if it had only this meter, whose number stays.
    package func only(_ meter: Int) -> Fleet {
        func isOfMeter(_ copy: Copy) -> Bool { address(of: copy) == meters[meter].address }
        // A deletion has no values: the zone's version has the address.
        let names = Set((zone + devices.flatMap(\.records)).filter(isOfMeter).map(\.name))
        return with(
            devices: devices.map { device in
                device.with(records: device.records.filter { names.contains($0.name) })
            }, zone: zone.filter { names.contains($0.name) })
    }

    package func with(devices: [Device], zone: [Copy]) -> Fleet {
        Fleet(layout: layout, meters: meters, devices: devices, zone: zone, start: start)
    }

    /// The address in a copy's values, if it is a meter's.
    package func address(of copy: Copy) -> MACAddress? {
        guard let position = layout.position(of: .macAddress), position < copy.values.count,
            let text = copy.values[position].text, let (address, _) = MACAddress.parse(text), !address.isPlaceholder
        else { return nil }
        return address
    }
}
