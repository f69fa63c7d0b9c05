internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import MeterRepair
internal import MeterTestSupport

extension FuzzTarget {
    /// A plan that somebody edited, carried out on the store that it was made for; half of the time its last line counts
    /// the lines that are there.
    static let appliedPlan = FuzzTarget(
        name: "applied-plan", longestInput: 1 << 16, shortRun: 60, seeds: { try PlannedStore().plans },
        entry: {
            let store = try PlannedStore()
            let plans = Set(store.plans)
            return { bytes in
                let isCounted = bytes.reduce(0) { $0 + Int($1) }.isMultiple(of: 2)
                let isApplied = try store.apply(isCounted ? counted(bytes) : bytes)
                guard isApplied || !plans.contains(bytes) else {
                    throw BrokenLaw("a plan that was just made is refused")
                }
            }
        })

    /// With a last line that counts the lines.
    private static func counted(_ plan: [UInt8]) -> [UInt8] {
        var lines = plan.split(separator: UInt8(ascii: "\n"))
        guard !lines.isEmpty else { return plan }
        lines[lines.count - 1] = Array(#"{"kind":"end","lines":\#(lines.count)}"#.utf8)[...]
        return Array(lines.joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
    }
}

/// A store, and plans that were made for it.
private struct PlannedStore {
    private let folder: TemporaryFolder
    private let path: String
    /// By name.
    private let files: [String: [UInt8]]
    let plans: [[UInt8]]

    init() throws {
        folder = try TemporaryFolder()
        path = try folder.store(
            StoreTrial.fixture.with {
                $0.records.append(FixtureRecord(row: 9, macAddress: "A4:C1:38:0B:7E:22", meterName: "Lab"))
            })
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[name] = try FileBytes.read(folder.path + "/" + name)
        }
        self.files = files
        let dump = try KeyValueDump(.bytes(SampleDumps.withOthers.binaryPropertyList(), name: "dump"))
        plans = try [
            Self.plan(FirstAidPlanner(), on: path), Self.plan(RebuildPlanner(policy: .newest), on: path),
            Self.plan(SetPlanner(.row(9), name: "Bench", unit: .celsius, address: nil), on: path),
            Self.plan(DeletePlanner(row: 3, force: true), on: path),
            Self.plan(
                ImportPlanner(LegacyValues(dump.entries), sha256: dump.sha256, policy: .replace), on: path),
        ]
    }

    private static func plan(_ planner: some Planner, on path: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = folder.path + "/plan"
        var options = ChangeOptions(now: StoreTrial.now)
        options.isDryRun = true
        options.force = true
        options.planFile = file
        _ = try ChangeRun.run(planner, on: path, options: options)
        return try FileBytes.read(file)
    }

    /// Carries out the plan, first by a dry run, and puts the store back as it was.
    /// - Returns: whether it was not refused.
    /// - Throws: `BrokenLaw` where the dry run leaves a trace, or the real run does not do the same.
    func apply(_ plan: [UInt8]) throws -> Bool {
        let home = try TemporaryFolder()
        let file = home.path + "/plan"
        try FileBytes.write(plan, to: file)
        let before = try FolderSnapshot(folder.path)
        let planned = try run(file, isDryRun: true)
        let differences = try FolderSnapshot(folder.path).differences(from: before)
        guard differences.isEmpty else { throw BrokenLaw("a dry run left a trace: \(differences)") }
        let done = try run(file, isDryRun: false)
        if done != nil { try restore() }
        guard try FolderSnapshot(folder.path).hasSameBytes(as: before) else {
            throw BrokenLaw("a plan that was refused left a trace")
        }
        guard planned?.plan?.changes == done?.plan?.changes, planned?.plan?.conflicts == done?.plan?.conflicts
        else { throw BrokenLaw("the run did not do what the dry run said") }
        return done != nil
    }

    /// Nil where it is refused for a reason that lies in the file, or the file is of another store.
    private func run(_ file: String, isDryRun: Bool) throws -> Report? {
        var options = ChangeOptions(now: StoreTrial.now)
        options.isDryRun = isDryRun
        options.makesBackup = false
        do throws(StoreError) {
            let report = try ChangeRun.run(
                DocumentPlanner(PlanFile.read(file), from: file), on: path, options: options)
            return report.staleness == nil ? report : nil
        } catch {
            guard [.damaged, .unsuitable].contains(error.kind) else { throw BrokenLaw("\(error)") }
            return nil
        }
    }

    private func restore() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where files[name] == nil {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        for (name, bytes) in files { try FileBytes.write(bytes, to: folder.path + "/" + name) }
    }
}
