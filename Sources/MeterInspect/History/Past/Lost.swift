package import CoreDataStore
internal import MeterJournal
package import MeterModel
internal import MeterStore

extension FormerValues {
    /// Reads the store and its backups.
    /// - Parameter all: whether every value that the user made counts, however possible.
    /// - Throws: `StoreError`; `unsuitable` if the store has no records of meters.
    package static func of(
        _ path: String, all: Bool, folder: String?, now: Timestamp
    ) throws(StoreError) -> FormerValues {
        try MeterSession.look(at: path, now: now) { session in
            try FormerValues(in: session, all: all, withMoved: all, folder: folder)
        }
    }

    /// - Throws: SQLite's errors, and `StoreError` of kind `interrupted`.
    package init(in session: MeterSession, all: Bool, withMoved: Bool, folder: String?) throws {
        let (saved, warnings) = try PastRecord.saved(of: session, BackupFolder(for: session.store.path, named: folder))
        try self.init(
            of: session, PastRecords(of: session), saved: saved, all: all, withMoved: withMoved, warnings: warnings)
    }
}

extension PastRecord {
    /// The record of a meter that has none now, as it was last: of those that are most certain the last one, and of several
    /// that went together the one that a rebuild would have kept.
    /// - Throws: `StoreError`, `unsuitable` where nothing has such a record, and where the meter has one now.
    package static func last(
        of address: MACAddress, in path: String, folder: String?, now: Timestamp
    ) throws(StoreError) -> (record: DeviceSettings, warnings: [String]) {
        try MeterSession.look(at: path, now: now) { session in
            let store = session.store
            let mac = address.text(in: store.letterCase)
            if let row = store.addresses.rows(of: address).first {
                throw StoreError(
                    .unsuitable, at: path, "the meter \(mac) has a record, in row \(row)",
                    hint: "`\(store.command("lost"))` lists the values that it had; `meterfix set` gives one back")
            }
            let (saved, warnings) = try saved(of: session, BackupFolder(for: path, named: folder))
            let past = try PastRecords(of: session)
            let known = (past.records + saved).filter { $0.record.usableAddress == address && $0.certainty > .possible }
            guard let last = known.max(by: { $1.says(moreThan: $0) }) else {
                throw StoreError(
                    .unsuitable, at: path,
                    "nothing in its files or backups is a record of the meter \(mac)"
                        + (past.reach.warning.map { "; \($0)" } ?? ""),
                    hint:
                        "`\(store.command("lost --all"))` lists the values of other meters, and possible ones"
                )
            }
            let together = gone(with: last, among: known)
            let kept = Merge(rebuilding: together.map(\.record), of: address, in: store).winner
            let rows = together.map(\.record.row).sorted().map { "\($0)" }
            let remark =
                rows.count > 1
                ? "the meter had \(rows.count) records, rows \(Phrase.list(rows)): row \(kept.row) is taken, which a rebuild would "
                    + "have kept; `\(store.command("lost"))` lists what the others had"
                : nil
            return (kept, [remark, past.reach.warning].compactMap(\.self) + warnings)
        }
    }

    /// Seconds between the deletes of records that go together, one by one.
    private static let moment: Double = 60

    /// The records of the same meter that are as certain and went about when the last one did, each as it was last.
    private static func gone(with last: PastRecord, among known: [PastRecord]) -> [PastRecord] {
        var ofRow: [Int64: PastRecord] = [last.record.row: last]
        for past in known where past.certainty == last.certainty && past.record.row != 0 && last.record.row != 0 {
            guard let time = past.lastKnown, let end = last.lastKnown, end.seconds(since: time) <= moment else {
                continue
            }
            if ofRow[past.record.row].map({ past.says(moreThan: $0) }) ?? true { ofRow[past.record.row] = past }
        }
        return Array(ofRow.values)
    }

    /// Those of the backups in a folder.
    static func saved(
        of session: MeterSession, _ folder: BackupFolder
    ) throws -> (records: [PastRecord], warnings: [String]) {
        guard try folder.entryCount > 0 else { return ([], []) }
        var records: [PastRecord] = []
        var warnings: [String] = []
        let stack = try session.base.stack(in: folder)
        // By row: what its record has now, or had in the backup that was read last.
        var known: [Int64: Int] = [:]
        for record in try session.store.records { known[record.row] = record.hashOfTypedValues }
        for entry in stack.entries.reversed() {
            guard let journal = entry.journal else { continue }
            switch entry.condition(journal) {
            case .asSaved, .sameContents:
                let (found, warning) = try self.records(of: entry, journal, &known, session.store.now)
                records += found
                if let warning { warnings.append("\(entry.path): \(warning)") }
            case .damaged(let damage): warnings.append("\(entry.path) is damaged: \(damage)")
            }
        }
        return (records, warnings)
    }

    /// The records that a backup has, as they were when it was made and before.
    private static func records(
        of entry: BackupEntry, _ journal: BackupManifest, _ known: inout [Int64: Int], _ now: Timestamp
    ) throws(StoreError) -> (records: [PastRecord], warning: String?) {
        try Session.look(at: entry.mainFile(journal), named: entry.path, now: now) { session in
            guard let session = session.meterSession else { return ([], nil) }
            var records: [PastRecord] = []
            for record in try session.store.records {
                let hash = record.hashOfTypedValues
                guard known.updateValue(hash, forKey: record.row) != hash else { continue }
                records.append(PastRecord(record, source: .backup, certainty: .certain, to: journal.madeAt))
            }
            let past = try PastRecords(of: session)
            records += past.records.map {
                PastRecord(
                    $0.record, source: .backup, certainty: $0.certainty, from: $0.from, to: $0.to ?? journal.madeAt,
                    transaction: $0.transaction)
            }
            return (records, past.reach.warning)
        }
    }
}

extension DeviceSettings {
    /// Of what may be lost of it, to tell quickly which records of a backup say nothing new.
    fileprivate var hashOfTypedValues: Int {
        var hasher = Hasher()
        for field in [SettingsField.macAddress] + SettingsField.userData { hasher.combine(self[field]) }
        return hasher.finalize()
    }
}

extension MeterReference {
    /// The meter's address: looked up in the store where the user gave a name, and where no meter has it, among the names
    /// that the store's files and backups still have.
    /// - Parameter takesFormer: whether a name that only one meter had names it; otherwise the error asks for it.
    /// - Throws: `StoreError`; `unsuitable` if no meter has the name, or if several have it.
    package func address(
        in path: String, folder: String?, now: Timestamp, takesFormer: Bool = false
    ) throws(StoreError) -> MACAddress {
        guard case .name(let name) = self else { return try address(in: path, now: now) }
        return try MeterSession.look(at: path, now: now) { session in
            // What cannot be read of the past keeps nobody from the answer that the present gives.
            guard try !isName(in: session),
                let lost = try? FormerValues(in: session, all: false, withMoved: true, folder: folder)
            else { return try address(in: session) }
            let former = lost.named(like: name)
            if takesFormer, Set(former.map(\.address)).count == 1, former.allSatisfy({ lost.isNamed($0, name) }) {
                return former[0].address
            }
            throw try Refusal.noMeter(
                named: name, in: session.store, near: session.meters(near: self),
                orHad: former.prefix(3).map { lost.sentence(on: $0) })
        }
    }
}

extension FormerValues {
    /// Names that are this one or nearly, the nearest first.
    fileprivate func named(like name: String) -> [FormerValue] {
        let wanted = NameNearness(name)
        let found = values.compactMap { lost -> (distance: Int, value: FormerValue)? in
            guard lost.field.known == .meterName, let text = lost.value.text, let distance = wanted.distance(to: text)
            else { return nil }
            return (distance, lost)
        }
        let nearest = found.map(\.distance).min() ?? 0
        // A name that is the very one makes those that are only near uninteresting.
        return found.filter { nearest > 0 || $0.distance == 0 }.enumerated()
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }.map(\.element.value)
    }

    /// Whether the name is the very one, but for letter case and white space around it.
    fileprivate func isNamed(_ lost: FormerValue, _ name: String) -> Bool {
        lost.value.text.flatMap(NameNearness(name).distance) == 0
    }

    /// `A4:C1:38:0B:7E:21, once named "Kitchen"`.
    fileprivate func sentence(on lost: FormerValue) -> String {
        "\(lost.address.text(in: letterCase)), once named \(lost.value.shown)"
    }
}
