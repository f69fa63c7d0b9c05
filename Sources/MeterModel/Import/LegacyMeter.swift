/// What a dump has for one meter.
package struct LegacyMeter: Hashable, Sendable {
    package let address: MACAddress
    package let name: LegacyValue<String>?
    package let unit: LegacyValue<TemperatureUnit>?

    package init(address: MACAddress, name: LegacyValue<String>?, unit: LegacyValue<TemperatureUnit>?) {
        self.address = address
        self.name = name
        self.unit = unit
    }
}

/// A usable value of a dump, and where it is there.
package struct LegacyValue<Value: Hashable & Sendable>: Hashable, Sendable {
    /// A name without white space around it, or a unit.
    package let value: Value
    /// Its key: the address as written, the first one by its bytes.
    package let key: String
    /// Other keys for the same address, with an equal value.
    package let otherKeys: [String]
    /// Whether the dump writes the value differently: white space around a name, `°C` for `celsius`.
    package let isRespelled: Bool

    package init(_ value: Value, key: String, otherKeys: [String] = [], isRespelled: Bool) {
        self.value = value
        self.key = key
        self.otherKeys = otherKeys
        self.isRespelled = isRespelled
    }
}
