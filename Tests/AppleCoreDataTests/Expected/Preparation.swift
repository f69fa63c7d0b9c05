import CoreDataStore
import MeterModel
import MeterRepair
import MeterStore
import MeterTestSupport
import Testing

/// What meterfix does to a sample before Core Data opens it.
enum Preparation: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case asSent = "as sent"
    case rebuilt
    case migrated
    case imported

    var testDescription: String { rawValue }

    /// Changes the store at `path`.
    /// - Returns: nil where there was nothing to be done to it.
    /// - Throws: `StoreError` where meterfix refuses the store.
    func carryOut(on path: String) throws(StoreError) -> ChangeReport? {
        var options = ChangeOptions(now: SampleCopy.now)
        options.makesBackup = false
        // Some samples are mirrored and have no history.
        options.force = true
        options.acceptsMissingLog = true
        return switch self {
        case .asSent: nil
        case .rebuilt: try ChangeRun.run(RebuildPlanner(policy: .mostComplete), on: path, options: options)
        case .migrated: try ChangeRun.run(MigrationPlanner(), on: path, options: options)
        case .imported: try LegacyImport.run(Self.legacyImport, on: path, creates: false, options: options)
        }
    }

    /// The model to open a store with afterwards, that was to be opened with `model` before.
    func model(after model: CoreDataAnswer.KnownModel) -> CoreDataAnswer.KnownModel {
        switch (self, model) {
        case (.migrated, .app): .app(.v2)
        case (.asSent, _), (.rebuilt, _), (.imported, _), (.migrated, .cached): model
        }
    }

    /// Makes a record of the first meter, and replaces the name of the second, which most samples have.
    static let legacyImport = ImportPlanner(
        LegacyValues([
            DumpEntry(dictionary: .meterNames, key: "A4:C1:38:EE:00:01", value: .text("Atelier")),
            DumpEntry(dictionary: .temperatureUnits, key: "A4:C1:38:EE:00:01", value: .text("celsius")),
            DumpEntry(dictionary: .meterNames, key: "88:4A:18:C7:D1:54", value: .text("Birou")),
        ]), sha256: String(repeating: "5a", count: 32), policy: .replace)
}

/// A sample that meterfix has changed, or was to change.
struct PreparedSample {
    let copy: SampleCopy
    /// Nil where the store is as it was sent.
    let report: ChangeReport?
    /// What Core Data opens it with.
    let model: CoreDataAnswer.KnownModel

    /// - Returns: nil where Core Data is not expected to open the sample, or meterfix refuses to change it.
    init?(_ sample: Sample, _ preparation: Preparation) throws {
        guard case .opens(let model) = CoreDataAnswer.of(sample) else { return nil }
        copy = try SampleCopy(sample)
        do {
            report = try preparation.carryOut(on: copy.path)
        } catch {
            guard Self.refused.contains(sample.name), [.damaged, .unsuitable].contains(error.kind) else { throw error }
            return nil
        }
        self.model = preparation.model(after: model)
    }

    /// Samples that Core Data is expected to open and that meterfix does not change.
    static let refused: Set = [
        "check-files-mixed", "check-not-intact", "check-index-damaged", "check-no-device-settings",
        "check-foreign-trigger", "check-foreign-column", "check-row-number-invalid", "check-table-missing",
        "core-data-27",
        "full-text-lost", "other-app",
    ]
}
