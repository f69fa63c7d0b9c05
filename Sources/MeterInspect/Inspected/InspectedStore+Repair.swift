internal import CoreDataStore
internal import MeterModel
internal import MeterStore

/// Whether a repair can be named as a cure.
extension InspectedStore {
    /// Why every change is refused in this store, whatever it changes; nil where none is.
    /// - Parameter changingRecords: whether records are changed, which is written into the history.
    func refusalToRepair(changingRecords: Bool = true) -> StoreError? {
        guard let settings else { return Refusal.noSettings(in: self) }
        let ofAny = WriteObstacle.ofAnyChange(in: settings, of: description)
        guard changingRecords else { return ofAny?.error(at: path) }
        let obstacle =
            ofAny ?? WriteObstacle.ofRecordChanges(in: settings, of: description)
            ?? WriteObstacle.ofColumns(in: settings, of: description)
        if let obstacle { return obstacle.error(at: path) }
        guard description.mirror != nil, description.history == nil else { return nil }
        return Refusal.mirrorWithoutHistory(in: self, deletes: 0)
    }

    /// The command line of a repair, as a cure; where the store takes none, why not and what to do.
    func repair(_ words: String, changingRecords: Bool = true) -> String {
        guard let refusal = refusalToRepair(changingRecords: changingRecords) else { return command(words) }
        return ([refusal.message] + [refusal.hint].compactMap(\.self)).joined(separator: "; ")
    }

    /// The repair that sets the rebuild marker, as a cure: a rebuild where one is due.
    func marking(by words: String) -> String {
        metersNeedingRebuild().isEmpty ? repair(words, changingRecords: false) : repair("rebuild")
    }

    /// What to do with a record without a usable address, as a cure: delete it if nothing in it is needed, and otherwise
    /// give it the address of its meter.
    func curing(_ record: DeviceSettings) -> String {
        guard !record.irreplaceable.isEmpty else { return repair("delete --row \(record.row)") }
        let values = record.irreplaceable.map { "\($0.field.name) \($0.value.shown)" }
        return "it has \(Phrase.start(of: values, limit: 3)); if that shows which meter it is: "
            + repair("set --row \(record.row) --address MAC")
    }

    /// The repair that clears the lock of a record, as a cure; for a record without a usable address, and where the device
    /// is connected now, what a person can do.
    func unlocking(_ record: DeviceSettings) -> String {
        if let lock = record.locks.first(where: { $0.isLive(at: now) }) {
            return
                "disconnect from the meter on \(lock.holder.map { "\"\($0)\"" } ?? "the device that holds the lock"), "
                + "which is connected now"
        }
        guard let address = record.usableAddress else { return "connect to the meter in the app once and disconnect" }
        return repair("unlock \(address.text(in: letterCase))")
    }
}
