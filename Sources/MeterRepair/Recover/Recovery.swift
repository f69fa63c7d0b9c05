package import CoreDataStore
internal import Foundation
internal import MeterInspect
package import MeterModel
internal import MeterStore

/// `recover`: a new store with everything that can still be read of a damaged one.
package enum Recovery {
    /// Writes the store at `path` to the new file `output` as far as it can be read, verifies that, and leaves no trace in
    /// the store.
    /// - Throws: `StoreError`; then there is no new file. What `verify` finds is in the report.
    package static func run(_ path: String, to output: String, now: Timestamp) throws(StoreError) -> RecoveryReport {
        try OutputPlaces.check([OutputPlaces.NewFile(output, "OUT", isStore: true)], for: path)
        let folder = try PrivateFolder.beside(output)
        let copy = "\(folder.path)/store.sqlite"
        WorkProgress.begin("reading", .records)
        let missingLog = missingLog(path)
        // Nil unless nothing was damaged, or indexes alone were.
        let damagedIndexes = try StoreConnection.damagedIndexes(at: path)
        let salvage: Salvage
        do throws(StoreError) {
            salvage = try Salvage.write(
                path, to: copy, output: output, models: appModels, forms: appForms, marking: now.secondsSince2001,
                mayLackRows: missingLog != nil || damagedIndexes == nil)
        } catch {
            // What cannot be done here is no advice.
            throw error.withoutRecovery
        }
        let size: Int
        let verification: RecoveryReport.Verification
        do throws(StoreError) {
            size = (try? FileStatus(path: copy))??.size ?? 0
            // Core Data leaves one too. Without it the store would look like one that came without its log.
            if salvage.isWAL { try FileOutput.create(copy + "-wal") { _ in } }
            WorkProgress.begin("checking", .records)
            verification = try verified(copy, now: now)
        } catch {
            throw error.path.hasPrefix(copy)
                ? StoreError(error.kind, at: output, error.message, hint: error.hint) : error
        }
        var files = [NewFilePublication.moving(copy, to: output)]
        if salvage.isWAL { files.insert(.moving(copy + "-wal", to: output + "-wal"), at: 0) }
        try NewFilePublication.publish(files)
        return RecoveryReport(
            store: path, output: output, size: size, salvage: salvage, missingLog: missingLog,
            verification: verification)
    }

    /// What `verify` says of it, where the store is sound enough to be opened.
    private static func missingLog(_ path: String) -> String? {
        let finding = try? StoreConnection.look(at: path) { connection, database in
            let request = StoreRequest(path, now: Timestamp(secondsSince2001: 0))
            return try InspectedStore(describing: request, files: connection.files, database).missingLogFinding
        }
        return finding?.message.description
    }

    /// Of every version of the app.
    private static var appModels: [ManagedObjectModel] {
        var models = [USBMeterModel.v1]
        for migration in Migration.all {
            if let next = try? models[models.count - 1].revised(migration.revisions) { models.append(next) }
        }
        return models
    }

    /// Of the texts in the app's columns that hold no others.
    private static var appForms: ColumnForms {
        // Nobody names a meter by an address or a unit, but some by its hardware type.
        let address = ColumnForm(oddElsewhere: 16) { MACAddress.parse($0) != nil }
        let unit = ColumnForm(oddElsewhere: 16) { TemperatureUnit(rawValue: $0) != nil }
        let object = ColumnForm(oddElsewhere: 16) { $0.hasPrefix("{") }
        let device = ColumnForm(oddElsewhere: 2) { Hexadecimal.isUUID($0.utf8) }
        // Also a UUID.
        let recordName = ColumnForm(oddElsewhere: 0) { text in
            ![address, unit, object].contains { $0.matches(text) }
        }
        let forms: [SettingsField: ColumnForm] = [
            .macAddress: address, .tc66TemperatureUnit: unit, .cloudKitRecordID: recordName,
            .modelType: ColumnForm(oddElsewhere: 2) { MachineMadeName($0) == .meterType },
            .connectedByDeviceID: device, .lastSeenByDeviceID: device,
            .connectionMetadata: object, .discoveryMetadata: object,
        ]
        let columns = forms.map { (SettingsTable.column($0.rawValue), $1) }
        return [SettingsTable.column(SettingsTable.entityName): Dictionary(uniqueKeysWithValues: columns)]
    }

    /// What `verify` says of the new store.
    private static func verified(
        _ copy: String, now: Timestamp
    ) throws(StoreError) -> RecoveryReport.Verification {
        do throws(StoreError) {
            return .findings(try Verify.report(copy, VerifyOptions(now: now)).findings)
        } catch {
            guard error.kind == .unsuitable else { throw error }
            return .refused(error.message)
        }
    }
}
