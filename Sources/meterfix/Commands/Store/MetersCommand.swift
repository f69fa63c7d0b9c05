internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect

struct MetersCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        command: "meters", abstract: "List the meters of a store, a line each.",
        discussion: """
            Shows each meter's address, name, type and unit, when it was last seen and by which device, its lock, its \
            records, and whether a change is pending for CloudKit. For a meter with several records it shows the \
            result of a rebuild. Records without a usable address are listed below. The store is not touched.

            --at shows the store as it was: its -wal often still has the states after the last transactions. A state \
            that is not certain is refused.

            --locked lists the locks instead, in flat attributes or in JSON: the meter, the device, since when and until \
            when, and whether it has expired (then any device may connect), is torn (a part of it is missing), or was \
            written by a clock that was ahead (it does not end by itself). `unlock` clears the locks of a meter.

            EXAMPLES
              meterfix meters CKModel.sqlite
              meterfix meters --find kitchen CKModel.sqlite
              meterfix meters --sort seen --json CKModel.sqlite
              meterfix meters --locked CKModel.sqlite
              meterfix meters --at 2026-11-20T18:00:00Z CKModel.sqlite
              meterfix meters --format csv CKModel.sqlite > meters.csv
            """)

    @Argument(help: StoreArgument.help, completion: .file())
    var store: String?
    @Option(name: .long, help: ArgumentHelp("What to sort by.", valueName: "address|name|seen|updated"))
    var sort: MeterList.Order = .address
    @Option(
        name: .long,
        help: ArgumentHelp("List only meters with this text in them, or in a name that they had.", valueName: "TEXT"))
    var find: String?
    @Option(name: .customLong("at"), help: PastMoment.help, transform: PastMoment.parse)
    var moment: PastMoment?
    @Flag(name: .long, help: "List which device holds which meter, lock by lock.")
    var locked = false
    @OptionGroup var common: AnswerOptions<OutputFormat>

    func validate() throws {
        guard locked else { return }
        let others = [
            ("--sort", sort != .address), ("--find", find != nil), ("--at", moment != nil),
            ("--format csv", common.format == .csv),
        ]
        if let (other, _) = others.first(where: \.1) {
            throw ValidationError("--locked lists all locks of now, by address; leave out \(other)")
        }
    }

    func run() throws {
        if locked { return try listLocks() }
        try common.look(Self.self, at: StoreArgument.path(of: store)) { path, console throws(StoreError) in
            let all = try MeterList.of(path, in: moment, now: common.clock)
            // What cannot be read of the past keeps nobody from the answer that the present gives.
            let isNow = find != nil && moment == nil
            let lost = isNow ? try? FormerValues.of(path, all: false, folder: nil, now: common.clock) : nil
            let list = (find.map { all.finding($0, in: lost) } ?? all).sorted(by: sort)
            try console.answer(
                list, common.format == .csv ? list.sheet : list.blocks(console.times, of: all.meters.count))
        }
    }

    private func listLocks() throws {
        try common.look(Self.self, at: StoreArgument.path(of: store)) { path, console throws(StoreError) in
            let list = try LockList.of(path, now: common.clock)
            try console.answer(list.json, list.blocks(console.times))
        }
    }
}

extension MeterList.Order: Choice {}
