internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterModel
internal import MeterRepair

/// How the records of a meter are merged.
struct MergeOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Which record is kept: the one with the most user data, or the newest, as in the app itself. Default: "
                + "most-complete.",
            valueName: "most-complete|newest"))
    var winner: WinnerPolicy?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Keep this name; name the meter by its address, or by a name without =. Repeatable.",
            valueName: "MAC=NAME"), transform: ArgumentText.exact)
    var keep: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Keep this unit of a meter. Repeatable.", valueName: "MAC=UNIT"),
        transform: ArgumentText.exact)
    var keepUnit: [String] = []

    @Option(name: .long, help: CaseChoice.help)
    var macCase: CaseChoice?

    func validate() throws { _ = try kept }

    var policy: WinnerPolicy { winner ?? .mostComplete }

    var keepsSomething: Bool { !keep.isEmpty || !keepUnit.isEmpty }

    var isEmpty: Bool { winner == nil && macCase == nil && !keepsSomething }

    /// Besides what is kept, as a user types them.
    var words: [String] {
        (policy == .mostComplete ? [] : ["--winner", policy.rawValue]) + (macCase?.words ?? [])
    }

    /// What is to be kept, looked up in the store.
    /// - Throws: `StoreError`, `unsuitable` for a value that the meter never had, and for a meter that is left out.
    func chosen(
        in path: String, _ filter: MeterFilter, _ options: ChangeOptions
    ) throws(StoreError) -> ValueOverrides {
        let chosen = try ValueOverrides((try? kept) ?? [], in: path, folder: options.backupFolder, now: options.now)
        if let choice = chosen.all.first(where: { !filter.contains($0.address) }) {
            throw StoreError(
                .unsuitable, at: path,
                "\(choice.address.text(in: .upper)) is to keep a value, and the rebuild is to leave this meter out",
                hint: "choose a value only for meters that --only and --except let through")
        }
        return chosen
    }

    private var kept: [ValueOverrideArgument] {
        get throws {
            func requests(_ words: [String], _ field: SettingsField, _ option: String) throws -> [ValueOverrideArgument]
            {
                try words.map { word in
                    guard let request = ValueOverrideArgument(word, as: field) else {
                        throw ValidationError("'\(Escaped.text(word))' names no value to keep; write \(option)")
                    }
                    return request
                }
            }
            return try requests(keep, .meterName, "--keep 'MAC=NAME'")
                + requests(keepUnit, .tc66TemperatureUnit, "--keep-unit MAC=celsius")
        }
    }
}

extension WinnerPolicy: Choice {}
