internal import MeterModel

extension InspectedStore {
    /// The command line that clears the lock of a record, as a cure; for a record without a usable address, what a
    /// person can do.
    func unlocking(_ record: DeviceSettings) -> String {
        guard case .usable(let address, _) = record.address else {
            return "connect to the meter in the app once and disconnect"
        }
        return command("unlock \(address.text(in: letterCase))")
    }
}
