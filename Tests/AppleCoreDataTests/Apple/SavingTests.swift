#if canImport(CoreData)
    import CoreDataStore
    import Foundation
    import MeterModel
    import MeterStore
    import MeterTestSupport
    import Testing

    @Suite("after Core Data saved")
    struct SavingTests {
        /// What keeps an app from saving, or would be made worse by it.
        private static let unsound: Set = [
            "entity-number-mismatch", "history-broken", "no-device-settings", "not-intact", "primary-key-behind",
            "wal-missing",
        ]
        /// Without a letter: it is canonical in either case.
        private static let address = "00:15:62:33:04:02"

        @Test("verify finds nothing new, and meterfix reads what was saved", arguments: SampleShelf.samples)
        func saving(_ sample: Sample) throws {
            for preparation in Preparation.allCases where sample.expectedFindings.isDisjoint(with: Self.unsound) {
                guard let prepared = try PreparedSample(sample, preparation),
                    let before = try ReadRecords(in: prepared.copy.path),
                    let (updated, deleted) = Self.rows(of: before)
                else { continue }
                let known = try prepared.copy.findings()
                let contents = try StoreContents(of: prepared.copy.path)
                let description = try prepared.copy.description()
                guard let store = try prepared.open(with: .description) else { continue }
                let new = try store.save(Self.edit(updating: updated, deleting: deleted), author: "app")
                let inserted = try #require(new)
                let saved = try store.records()
                try store.close()

                #expect(try ReadRecords(in: prepared.copy.path)?.differences(from: saved) == [])
                var expected = before.records
                expected[deleted] = nil
                expected[updated]?["meterName"] = .text("Renamed")
                expected[updated]?["updatedAt"] = .real(FixtureClock.now)
                #expect(saved.records.filter { $0.key != inserted } == expected, "\(preparation.rawValue)")
                // What the mirror makes of it, it makes of it once it runs; without history it never learns of a delete.
                let waiting: Set =
                    description.history == nil ? ["mirror-pending", "mirror-orphan"] : ["mirror-pending"]
                let findings = try prepared.copy.findings()
                #expect(findings.subtracting(known).subtracting(waiting) == [], "\(preparation.rawValue)")
                try rowNumbers(from: contents, to: StoreContents(of: prepared.copy.path), updated, inserted)
                if description.history != nil { try history(of: prepared, inserted, updated, deleted) }
            }
        }

        /// A row that is renamed and one that is deleted; nil where there are not two.
        private static func rows(of records: ReadRecords) -> (updated: Int64, deleted: Int64)? {
            let rows = records.records.keys.sorted()
            return rows.count > 1 ? (rows[0], rows[rows.count - 1]) : nil
        }

        private static func edit(updating updated: Int64, deleting deleted: Int64) -> AppleStore.Edit {
            let now = Date(timeIntervalSinceReferenceDate: FixtureClock.now)
            return AppleStore.Edit(
                insertion: [
                    "id": UUID(), "macAddress": address, "meterName": "New", "createdAt": now, "updatedAt": now,
                ],
                update: (updated, ["meterName": "Renamed", "updatedAt": now]), deletedRow: deleted)
        }

        /// The new object has the number after the last one that was handed out, `Z_MAX` says so, and `Z_OPT` counts.
        private func rowNumbers(
            from before: StoreContents, to after: StoreContents, _ updated: Int64, _ inserted: Int64
        ) throws {
            let key = try #require(
                after.tables["Z_PRIMARYKEY"]?.rows.first { $0.value["Z_NAME"] == .text(SettingsTable.entityName) }?.key)
            guard case .integer(let last)? = before.tables["Z_PRIMARYKEY"]?.rows[key]?["Z_MAX"],
                case .integer(let version)? = before.tables["ZDEVICESETTINGS"]?.rows[updated]?["Z_OPT"]
            else { throw AppleFailure("Z_MAX or Z_OPT is no number") }
            #expect(inserted == last + 1)
            #expect(after.tables["Z_PRIMARYKEY"]?.rows[key]?["Z_MAX"] == .integer(inserted))
            #expect(after.tables["ZDEVICESETTINGS"]?.rows[inserted]?["Z_OPT"] == 1)
            #expect(after.tables["ZDEVICESETTINGS"]?.rows[updated]?["Z_OPT"] == .integer(version + 1))
        }

        /// Core Data's own rows of history, read bit by bit as meterfix writes them.
        private func history(
            of prepared: PreparedSample, _ inserted: Int64, _ updated: Int64, _ deleted: Int64
        ) throws {
            let model = prepared.model.model(for: try prepared.copy.description())
            let entity = try #require(model?[entity: SettingsTable.entityName])
            let written = try HistoryTransaction.written(
                in: prepared.copy.path, attributes: entity.attributes.map(\.name))
            let last = try #require(written.last)
            #expect(last.author == "app")
            #expect(
                Set(last.changes) == [
                    HistoryChange(kind: .insert, row: inserted, updatedProperties: nil),
                    HistoryChange(kind: .update, row: updated, updatedProperties: ["meterName", "updatedAt"]),
                    HistoryChange(kind: .delete, row: deleted, updatedProperties: nil),
                ])
        }
    }
#endif
