package import MeterModel
package import MeterRepair

extension SetPlanner {
    package init(_ address: MACAddress, name: String?, unit: TemperatureUnit?) {
        self.init(.meter(address), name: name, unit: unit)
    }
}

extension UnlockPlanner {
    package init(_ address: MACAddress, force: Bool) { self.init(.meter(address), force: force) }
}
