internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

struct UnlockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "unlock", abstract: "Clear the lock of one meter, or all locks of one device.",
        discussion: """
            Clears every field of the meter's lock, in the flat attributes and in the JSON, in each of the meter's \
            records, as the device that holds it does when it disconnects. Use it for a device that no longer exists, \
            or whose clock was wrong. The answer names locks that had not expired.

            With --held-by it clears every lock of one device, for example one that was sold or lost; `devices` lists \
            the devices. Another device's lock is kept, even in the same record.

            A lock renewed less than 120 s ago belongs to a device that is connected now: it is kept (exit code 75) \
            unless --force is given, and that device would lock the meter again within 60 s.

            Exits with 1 if a dry run finds a lock to clear.

            EXAMPLES
              meterfix unlock --dry-run A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix unlock A4:C1:38:0B:7E:21 CKModel.sqlite
              meterfix unlock "Kitchen charger" CKModel.sqlite
              meterfix unlock --held-by "Ana's iPhone" CKModel.sqlite
            """)

    @OptionGroup var lock: LockArgument
    @OptionGroup var writing: WritingOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let path = try lock.path
        try common.change(.unlock, "unlocking in \(path)", writing) { options throws(StoreError) in
            let subject = try lock.subject(in: path, now: common.clock)
            let report = try ChangeRun.run(UnlockPlanner(subject, force: options.force), on: path, options: options)
            let word =
                switch subject {
                case .meter(let address): address.text(in: report.letterCase)
                case .heldBy(let device): ShellWord.option("--held-by", device)
                }
            let nothing = lock.heldBy == nil ? "the meter is not locked" : "this device holds no meter"
            return ChangeResult(report: report, commandWithoutDryRun: ["unlock"] + writing.words + [word]) {
                $0.blocksOfRecords(nothing: nothing, $1)
            }
        }
    }
}
