internal import ArgumentParser
internal import CoreDataStore
internal import MeterRepair

@main
struct Meterfix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meterfix",
        abstract: "Migrates, repairs and verifies the Core Data + CloudKit store of USB Meter.",
        discussion: """
            Works on CKModel.sqlite from outside the app, on a copy a customer sent in or on a Mac while the app is \
            closed. Keep the -wal file beside the store: part of the records may be only there.

            EXAMPLES
              meterfix status CKModel.sqlite             what is in it
              meterfix verify CKModel.sqlite             what is wrong with it
              meterfix rebuild --dry-run CKModel.sqlite  what a repair would change
              meterfix rebuild CKModel.sqlite            repair it, with a backup

            EXIT CODES
              0 clean, done or nothing to do; 1 problems found, or changes to make; 2 done, but something remains
              for a person; 4 not a store this command can work on; 64 usage; 65 damaged input; 66 no such file;
              70 a bug; 73 cannot create; 74 I/O error or disk full; 75 in use; 77 permission denied; 130 interrupted
            """,
        version: Version.current,
        subcommands: [StatusCommand.self, VerifyCommand.self, RebuildCommand.self])

    static func main() {
        Interruption.listen()
        main(nil)
    }
}
