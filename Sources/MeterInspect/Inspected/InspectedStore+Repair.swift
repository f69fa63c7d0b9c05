internal import CoreDataStore
package import GRDB
package import MeterModel
internal import MeterStore

/// Whether a repair can be named as a cure.
extension InspectedStore {
    /// The command line of a repair, as a cure; where the store takes none, why not and what to do.
    func repair(_ words: String, changingRecords: Bool = true) -> String {
        let refusal = changingRecords ? refusals.ofRecordChanges : refusals.ofAnyChange
        guard let refusal else { return command(words) }
        return ([refusal.message] + [refusal.hint].compactMap(\.self)).joined(separator: "; ")
    }

    /// The command line of the first aid for a meter with several records; nil where the store takes no repair.
    var firstAid: String? { refusals.ofRecordChanges == nil ? command("rebuild --in-use") : nil }

    /// The repair that sets the rebuild marker, as a cure: a rebuild where one is due.
    func marking(by words: String) -> String {
        metersNeedingRebuild().isEmpty ? repair(words, changingRecords: false) : repair("rebuild")
    }

    /// What to do with a record without a usable address, as a cure: delete it if nothing in it is needed, and otherwise
    /// give it the address of its meter.
    func curing(_ record: DeviceSettings) -> String {
        let values = record.irreplaceableTexts
        guard !values.isEmpty else { return repair("delete --row \(record.row)") }
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

extension InspectedStore {
    /// Why changes are refused in this store, whatever they change; nil where none is. Found out once for a store: a
    /// million findings may each name a repair.
    struct Refusals: Sendable {
        let ofAnyChange: StoreError?
        /// Of what is written into the history, too.
        let ofRecordChanges: StoreError?

        static let none = Refusals(ofAnyChange: nil, ofRecordChanges: nil)
    }

    func findRefusals() -> Refusals {
        guard let settings else {
            let refusal = Refusal.noSettings(in: self)
            return Refusals(ofAnyChange: refusal, ofRecordChanges: refusal)
        }
        let ofAny = WriteObstacle.ofAnyChange(in: settings, of: description)?.error(at: path)
        let obstacle =
            WriteObstacle.ofRecordChanges(in: settings, of: description)
            ?? WriteObstacle.ofColumns(in: settings, of: description)
        let isDeaf = description.mirror != nil && description.history == nil
        return Refusals(
            ofAnyChange: ofAny,
            ofRecordChanges: ofAny ?? refusalOfUnknownModel ?? obstacle?.error(at: path)
                ?? (isDeaf ? Refusal.mirrorWithoutHistory(in: self, deletes: 0) : nil))
    }
}

extension InspectedStore {
    /// The worst first.
    /// - Throws: SQLite's errors other than damage of the history, which is a finding.
    package func alerts(_ database: Database) throws -> [StoreAlert] {
        try vanishedRecords(database).map(StoreAlert.vanished)
            + [missingLogFinding.map(StoreAlert.missingLog), remarkOnOtherNames.map(StoreAlert.otherNames)]
            .compactMap(\.self)
    }

    private func vanishedRecords(_ database: Database) throws -> [Finding] {
        do {
            return try vanished(database)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return []
        }
    }
}
