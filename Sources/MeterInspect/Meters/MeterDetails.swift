package import CoreDataStore
internal import GRDB
internal import MeterJournal
package import MeterModel
internal import MeterStore

/// Everything that a store says about one meter, or about one record without a usable address.
package struct MeterDetails: Sendable {
    package struct Record: Sendable {
        package let record: DeviceSettings
        /// What CloudKit's mirror knows of it: one row, or none. Damage: there may be several.
        package let known: [CloudKitMirror.KnownObject]
        /// What of it waits for CloudKit; nil for nothing.
        package let waiting: SyncReport.Object?
        /// Its locks, flat and in JSON, and one that cannot be read.
        package let locks: [RecordedLock]

        package var row: Int64 { record.row }
    }

    /// Nil for a record without a usable address.
    package let address: MACAddress?
    package let letterCase: LetterCase
    /// The one that a rebuild keeps first, the others in the winner's order.
    package let records: [Record]
    /// What a rebuild makes of them; nil without a usable address: a rebuild leaves such a record as it is.
    package let merge: Merge?
    /// What the app shows of a meter with several records; nil for every other.
    package let level: DisplayStatus?
    /// The command that helps at once while devices are in use; nil where none does.
    package let firstAid: StoreCommand?
    /// The names and units that the store's files still have, and the meter has no more; the last one first.
    package let earlier: [FormerValue]
    package let isMirrored: Bool
    package let alerts: [StoreAlert]
    /// A command, or what to do in words; nil where nothing is to be done.
    package let next: Cure?

    /// - Throws: `StoreError`; `unsuitable` if there is no such meter or record. SQLite's errors.
    package init(of reference: RecordReference, in session: MeterSession) throws {
        let (store, settings, database) = (session.store, session.settings, session.database)
        let named: [Int64]
        switch reference {
        case .meter(let meter):
            let address = try meter.address(in: session)
            named = store.addresses.rows(of: address)
            guard !named.isEmpty else { throw try Refusal.noRecord(of: address, in: session) }
            self.address = address
        case .row(let row):
            guard let record = try store.record(in: row) else {
                throw Refusal.noRecord(row: row, in: store)
            }
            address = record.usableAddress
            named = address.map { store.addresses.rows(of: $0) } ?? [row]
        }
        let found = try session.wholeRecords(of: named).values.map(\.self)
        merge = address.map { Merge(of: found, at: $0, in: store.letterCase, policy: .mostComplete, now: store.now) }
        let ordered = merge.map { [$0.winner] + $0.losers } ?? found
        let rows = ordered.map(\.row)
        let numbers = settings.numbers
        let known = try store.description.mirror?.knownObjects(in: rows, ofEntities: numbers, database) ?? [:]
        let waiting = try session.waitingRecords(in: rows)
        records = ordered.map { record in
            Record(
                record: record, known: known[record.row] ?? [], waiting: waiting[record.row],
                locks: RecordedLock.all(of: record, now: store.now))
        }
        letterCase = store.letterCase
        level =
            address != nil && found.count > 1
            ? DisplayStatus(of: found.sorted { $0.row < $1.row }, in: store.letterCase) : nil
        let pages: PageCheck
        (alerts, pages) = try session.base.alertsWithPages()
        firstAid = level?.lacking.isEmpty == false && pages != .damaged ? store.firstAid : nil
        earlier =
            try address.map { meter in
                try FormerValues(of: session, withMoved: true).values.filter { $0.address == meter }
            } ?? []
        isMirrored = store.description.mirror != nil
        next =
            pages == .damaged
            ? "change nothing in a damaged store: \(store.command("verify")) says what can be done"
            : Self.nextStep(of: records, at: address, merge, in: store)
    }

    private static func nextStep(
        of records: [Record], at address: MACAddress?, _ merge: Merge?, in store: InspectedStore
    ) -> Cure? {
        guard store.missingLog == nil else {
            return
                "ask for the -wal file first: it has the newest changes, and without it this copy is not to be repaired"
        }
        guard let address, let merge else {
            return records.first.map { store.curing($0.record) }
        }
        let mac = address.text(in: store.letterCase)
        if !merge.losers.isEmpty || !merge.changes.isEmpty { return store.repair("rebuild") }
        if records.contains(where: { $0.locks.contains(where: \.isStuck) }) { return store.repair("unlock \(mac)") }
        let name = merge.winner[.meterName].text ?? ""
        if merge.winner.isEmpty(.meterName) || MachineMadeName(name) != nil {
            return store.repair("set \(mac) --name NAME")
        }
        return nil
    }

    package var valuesAfterRebuild: DeviceSettings {
        let kept = records[0].record
        var values = Array(kept.values)
        for change in merge?.changes ?? [] { kept.layout.position(of: change.field).map { values[$0] = change.after } }
        return DeviceSettings(row: kept.row, layout: kept.layout, values: values, cloudRecord: kept.cloudRecord)
    }

    /// The meter's name after a rebuild; nil where it has none.
    package var name: String? { valuesAfterRebuild[.meterName].shownText }

    /// The latest sighting of the meter, and the row that has it; nil where it was never seen.
    package var lastSeen: (sighting: Discovery, row: Int64)? {
        var last: (sighting: Discovery, row: Int64)?
        for record in records {
            for sighting in record.record.discoveries {
                guard let seenAt = sighting.seenAt else { continue }
                if let known = last?.sighting.seenAt, known >= seenAt { continue }
                last = (sighting, record.row)
            }
        }
        return last
    }
}
