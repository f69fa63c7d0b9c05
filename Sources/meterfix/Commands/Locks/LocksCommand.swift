internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect

struct LocksCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "locks", abstract: "List which device holds which meter.",
        discussion: """
            Shows every connection lock, in flat attributes or in JSON: the meter, the device, since when and until \
            when, and whether it has expired (then any device may connect), is torn (a part of it is missing), or was \
            written by a clock that was ahead (it does not end by itself). `unlock` clears the locks of a meter. The \
            store is not touched.

            EXAMPLES
              meterfix locks CKModel.sqlite
              meterfix locks --json CKModel.sqlite
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.look(Self.self, at: StoreArgument.path(of: store)) { path, console throws(StoreError) in
            let list = try LockList.of(path, now: common.clock)
            try console.answer(list.json, list.blocks(console.times))
        }
    }
}
