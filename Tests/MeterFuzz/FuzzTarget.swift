/// A reader of foreign bytes behind one entry, for the tests and for the fuzzer.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// What the entry does with an input. It must end without a trap, whatever the bytes are: a value or a refusal.
    /// - Throws: `BrokenLaw` where what was read does not add up.
    package typealias Entry = ([UInt8]) throws -> Void

    package let name: String
    /// Bytes; what is longer is cut.
    package let longestInput: Int
    /// How many inputs the short run of the tests tries.
    package let shortRun: Int
    /// Inputs that are read without complaint, to begin with.
    package let seeds: @Sendable () throws -> [[UInt8]]
    /// Makes what the reader needs around it, which lives as long as the entry.
    package let entry: @Sendable () throws -> Entry

    package var description: String { name }

    package static let all: [FuzzTarget] = [
        address, date, propertyList, modelArchive, modelCache, modelSource, compiledModel, versionInformation, dump,
        keyValueDatabase, json, journal, journalWithoutLog, changes, store, recovery, log,
        past, logIndex, mirrorLog, appExecutable, appArchive, appSettings, appPrinted,
        appProfile,
    ]
}

/// What was read contradicts itself.
package struct BrokenLaw: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
