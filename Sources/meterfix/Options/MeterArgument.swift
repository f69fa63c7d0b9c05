internal import Answer
internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// What `unlock` clears, and its store: `MAC|NAME [STORE]` or `--held-by DEVICE [STORE]`.
struct LockArgument: ParsableArguments {
    @Argument(help: MeterWords.meterHelp, completion: WordCompletion.meterUnlessHeldBy)
    var first: String?
    @Argument(help: StoreArgument.help, completion: .file())
    var second: String?
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Instead of a meter: clear every lock of this device, named by its id, or by its name if no other device has it.",
            valueName: "DEVICE"))
    var heldBy: String?

    func validate() throws {
        guard let heldBy else {
            _ = try words
            return
        }
        guard second == nil else {
            throw ValidationError("--held-by and a meter exclude each other; beside --held-by name only the store")
        }
        guard !heldBy.allSatisfy(\.isWhitespace) else { throw ValidationError("an empty name names no device") }
        _ = try ArgumentText.exact(heldBy)
    }

    private var words: MeterWords {
        get throws { try MeterWords(typed: [first, second].compactMap(\.self), need: .meter) }
    }

    var path: String { get throws { heldBy == nil ? try words.path : try StoreArgument.path(of: first) } }

    /// What is unlocked; a meter's name is looked up in the store.
    /// - Throws: `StoreError`; `unsuitable` if no meter has the name, or if several have it.
    func subject(in path: String, now: Timestamp) throws(StoreError) -> UnlockPlanner.Subject {
        if let heldBy { return .heldBy(heldBy) }
        return .meter(try MeterReference(first ?? "").address(in: path, now: now))
    }
}

/// The meter or the one record a command is about, and its store: `MAC|NAME [STORE]` or `--row N [STORE]`.
struct RecordArgument: ParsableArguments {
    @Argument(help: MeterWords.meterHelp, completion: WordCompletion.meterOrStore)
    var first: String?
    @Argument(help: StoreArgument.help, completion: .file())
    var second: String?
    @Option(name: .long, help: ArgumentHelp("The record in this row, instead of MAC|NAME.", valueName: "N"))
    var row: Int64?

    func validate() throws { _ = try words }

    private var words: MeterWords {
        get throws { try MeterWords(typed: [first, second].compactMap(\.self), row: row, need: .meter) }
    }

    var path: String { get throws { try words.path } }

    /// What the user typed in the place of a meter; nil beside `--row`.
    var word: String? { row == nil ? first : nil }

    var record: RecordReference {
        get throws {
            guard let record = try words.record else { throw ValidationError("name a meter") }
            return record
        }
    }
}

/// Perhaps a meter that a command is about, and its store: `[MAC|NAME] [STORE]`.
struct OptionalMeterArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Only this meter: its address, however it is written, or its name if no other meter has it.",
            valueName: "MAC|NAME"), completion: WordCompletion.meterOrStore)
    var first: String?
    @Argument(help: StoreArgument.help, completion: .file())
    var second: String?

    func validate() throws { _ = try words }

    private var words: MeterWords {
        get throws { try MeterWords(typed: [first, second].compactMap(\.self), need: .perhapsMeter) }
    }

    var path: String { get throws { try words.path } }

    /// Nil if none is named.
    var meter: MeterReference? { get throws { try words.meter } }
}

/// Perhaps a meter that a command is about, and the stores of one device or more: `[MAC|NAME] [STORE …]`.
struct MeterAndStoresArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Only this meter, its address or its name, and then the stores' main files. Default: $METERFIX_STORE.",
            valueName: "MAC|NAME|STORE"), completion: WordCompletion.meterOrStore)
    var words: [String] = []

    func validate() throws { _ = try parts }

    /// The first word names a meter, unless it is a file and another one follows.
    private var parts: (known: MeterWords?, others: ArraySlice<String>) {
        get throws {
            let isStore = words.count > 1 && FileManager.default.fileExists(atPath: words[0])
            if isStore { return (nil, words[...]) }
            return (try MeterWords(typed: Array(words.prefix(2)), need: .perhapsMeter), words.dropFirst(2))
        }
    }

    /// The stores' paths, at least one; where a folder is named, of the one in it.
    var paths: [String] {
        get throws {
            let (known, others) = try parts
            return try (known.map { [try $0.path] } ?? []) + others.map { try StorePlaces.store(named: $0) }
        }
    }

    /// Nil if none is named.
    var meter: MeterReference? { get throws { try parts.known?.meter } }
}

extension MeterReference {
    /// The meter's address in the first of the stores that has it.
    /// - Throws: `StoreError`; what the first store says where none has it.
    func address(inFirstOf paths: [String], now: Timestamp) throws(StoreError) -> MACAddress {
        do throws(StoreError) {
            return try address(in: paths[0], folder: nil, now: now)
        } catch {
            for path in paths.dropFirst() {
                if let address = try? address(in: path, folder: nil, now: now) { return address }
            }
            throw error
        }
    }
}

extension MeterWords {
    /// Nil if none is named.
    fileprivate var meter: MeterReference? {
        switch record {
        case .meter(let meter): meter
        case .row, nil: nil
        }
    }

    fileprivate static let meterHelp = ArgumentHelp(
        "The meter: its address, however it is written, or its name if no other meter has it.", valueName: "MAC|NAME")

    /// The words of the command line.
    /// - Throws: `ValidationError`
    fileprivate init(typed words: [String], row: Int64? = nil, need: Need) throws {
        do throws(UsageError) {
            try self.init(
                words, row: row, environment: StoreArgument.fromEnvironment, need: need,
                isFile: FileManager.default.fileExists)
        } catch {
            throw ValidationError(error.message)
        }
        if case .meter(.name(let name)) = record { _ = try ArgumentText.exact(name) }
    }

    fileprivate var path: String { get throws { try StoreArgument.path(of: store) } }
}

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
