internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Clear the lock of one meter.",
        discussion: """
            Clears every field of the meter's lock, in the flat attributes and in the JSON, in each of the meter's \
            records, as the device that holds it does when it disconnects. This is the manual unlock for a device that \
            is gone, or whose clock was wrong. Locks that had not expired are named.

            A lock that was renewed less than 120 s ago belongs to a device that is connected now: it is left alone \
            (exit code 75) unless --force says otherwise, and that device would take it again within 60 s.

            Exits with 1 if a dry run finds a lock to clear.

            EXAMPLES
              meterfix unlock --dry-run A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix unlock A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix unlock "Kitchen charger" CKModel.sqlite
            """)

    @OptionGroup var meter: MeterArgument

    @OptionGroup var planning: PlanOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try planning.validate(writing) }

    func run() throws {
        let path = try meter.path
        try common.change(.unlock, "unlocking in \(path)", writing, planning) { options throws(StoreError) in
            let planner = UnlockPlanner(try meter.address(in: path, now: common.clock), force: options.force)
            return MadeChange(try ChangeRun.run(planner, on: path, options: options), .unlock)
        }
    }
}
