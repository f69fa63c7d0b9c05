internal import ArgumentParser
internal import CoreDataStore
internal import Foundation
internal import MeterInspect
internal import MeterModel
internal import MeterRepair

/// The meter a command is about, and its store: `MAC|NAME [STORE]`.
struct MeterArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The meter: its address, however it is written, or its name if no other meter has it.",
            valueName: "MAC|NAME"), completion: WordCompletion.meter)
    var meter: String
    @Argument(help: MeterWords.storeHelp, completion: .file())
    var store: String?

    func validate() throws { _ = try words }

    private var words: MeterWords {
        get throws { try MeterWords(typed: [meter, store].compactMap(\.self), need: .meter) }
    }

    /// The store's path.
    var path: String { get throws { try words.path } }

    /// The meter's address; a name is looked up in the store.
    /// - Throws: `StoreError`; `unsuitable` if no meter has the name, or if several have it.
    func address(in path: String, now: Timestamp) throws(StoreError) -> MACAddress {
        try MeterReference(meter).address(in: path, folder: nil, now: now)
    }
}

/// The meter or the one record a command is about, and its store: `MAC|NAME [STORE]` or `--row N [STORE]`.
struct RecordArgument: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The meter: its address, however it is written, or its name if no other meter has it.",
            valueName: "MAC|NAME"), completion: WordCompletion.meterOrStore)
    var first: String?
    @Argument(help: MeterWords.storeHelp, completion: .file())
    var second: String?
    @Option(name: .long, help: ArgumentHelp("The record in this row, instead of MAC|NAME.", valueName: "N"))
    var row: Int64?

    func validate() throws { _ = try words }

    private var words: MeterWords {
        get throws { try MeterWords(typed: [first, second].compactMap(\.self), row: row, need: .meter) }
    }

    /// The store's path.
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
    @Argument(help: MeterWords.storeHelp, completion: .file())
    var second: String?

    func validate() throws { _ = try words }

    private var words: MeterWords {
        get throws { try MeterWords(typed: [first, second].compactMap(\.self), need: .perhapsMeter) }
    }

    /// The store's path.
    var path: String { get throws { try words.path } }

    /// Nil if none is named.
    var meter: MeterReference? {
        get throws {
            switch try words.record {
            case .meter(let meter): meter
            case .row, nil: nil
            }
        }
    }
}

extension MeterWords {
    fileprivate static let storeHelp = ArgumentHelp(
        "The store's main file. Default: $METERFIX_STORE.", valueName: "STORE")

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

    fileprivate var path: String {
        get throws {
            if let store { return store }
            throw ValidationError("name a STORE, or set METERFIX_STORE")
        }
    }
}
