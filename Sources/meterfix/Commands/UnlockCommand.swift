internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock", abstract: "Clear the lock of one meter, or all that one device holds.",
        discussion: """
            Clears every field of the meter's lock, in the flat attributes and in the JSON, in each of the meter's \
            records, as the device that holds it does when it disconnects. This is the manual unlock for a device that \
            is gone, or whose clock was wrong. Locks that had not expired are named.

            With --held-by it clears every lock of one device, which was sold or lost, in one change: `devices` lists \
            the devices. Another device's lock stays, even in the same record.

            A lock that was renewed less than 120 s ago belongs to a device that is connected now: it is left alone \
            (exit code 75) unless --force says otherwise, and that device would take it again within 60 s.

            Exits with 1 if a dry run finds a lock to clear.

            EXAMPLES
              meterfix unlock --dry-run A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix unlock A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix unlock "Kitchen charger" CKModel.sqlite
              meterfix unlock --held-by "Ana's iPhone" CKModel.sqlite
            """)

    @OptionGroup var lock: LockArgument

    @OptionGroup var planning: PlanOptions
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try planning.validate(writing) }

    func run() throws {
        let path = try lock.path
        try common.change(.unlock, "unlocking in \(path)", writing, planning) { options throws(StoreError) in
            let planner = UnlockPlanner(try lock.subject(in: path, now: common.clock), force: options.force)
            var made = MadeChange(try ChangeRun.run(planner, on: path, options: options), .unlock)
            made.isOfOneDevice = lock.heldBy != nil
            return made
        }
    }
}
