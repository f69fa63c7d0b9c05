internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// Which meters a command changes that otherwise changes all that need it.
struct MeterFilterOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Change only this meter: its address, or its name if no other meter has it. Repeatable.",
            valueName: "MAC"),
        completion: WordCompletion.meter, transform: ArgumentText.exact)
    var only: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Change all meters but this one. Repeatable.", valueName: "MAC"),
        completion: WordCompletion.meter, transform: ArgumentText.exact)
    var except: [String] = []

    func validate() throws {
        guard only.isEmpty || except.isEmpty else { throw ValidationError("--only and --except exclude each other") }
        guard !(only + except).contains(where: { $0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("an empty name names no meter")
        }
    }
}

extension AnswerOptions {
    /// The meters that a command is to change, looked up in its store.
    /// - Parameters:
    ///   - path: nil where the store is yet to be made.
    ///   - dump: an import's, which can have meters that the store does not have.
    /// - Throws: `ValidationError` for a name that is not exactly one meter's.
    func filter(
        _ options: MeterFilterOptions, for command: WritingCommand, in path: String?,
        and dump: () throws(StoreError) -> LegacyValues? = { nil }
    ) throws -> MeterFilter {
        guard !options.only.isEmpty || !options.except.isEmpty else { return .all }
        var found = Result<MeterFilter, UnknownMeter>.success(.all)
        try run(command.rawValue, "reading \(path ?? "the dump")") { _ throws(StoreError) in
            found = try MeterFilter.naming(
                only: options.only, except: options.except, in: path, and: dump(), now: clock)
            return .success
        }
        do {
            return try found.get()
        } catch {
            throw ValidationError(Escaped.text(error.message))
        }
    }
}
