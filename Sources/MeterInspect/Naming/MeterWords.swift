/// Which meter, or which record, and which store a command line names: the one place that says which word is which.
///
/// The meter comes before the store: an address, or else a name. `--row N` takes the place of the meter, and then the only
/// word is the store. The store may be left out if `$METERFIX_STORE` names one.
package struct MeterWords: Hashable, Sendable {
    /// Nil where none is named.
    package let record: RecordReference?
    package let store: String?

    /// The words name nothing that makes sense: lower case, no full stop.
    package struct UsageError: Error, Hashable, Sendable {
        package let message: String
    }

    /// Whether a command is about one meter.
    package enum Need: Sendable { case meter, perhapsMeter }

    /// - Parameters:
    ///   - words: the positional arguments, at most two.
    ///   - row: what `--row` says.
    ///   - environment: the store that `$METERFIX_STORE` names.
    ///   - isFile: whether there is a file of this name. A single word that is one names the store.
    package init(
        _ words: [String], row: Int64? = nil, environment: String?, need: Need, isFile: (String) -> Bool
    ) throws(UsageError) {
        precondition(words.count <= 2)
        let isAddress = words.map { MeterReference($0).isAddress }
        var (meter, store): (String?, String?) = (nil, nil)
        switch (words.count, row) {
        case (0, _): break
        case (1, .some):
            if isAddress[0], !isFile(words[0]) { throw Self.rowAndMeter }
            store = words[0]
        case (1, nil):
            // Without an address or a file, a word is a name if it can be one.
            let isStore = isFile(words[0]) || (environment == nil && need == .perhapsMeter)
            if !isAddress[0], isStore { store = words[0] } else { meter = words[0] }
        case (_, .some): throw Self.rowAndMeter
        case (_, nil):
            if !isAddress[0], isAddress[1], !isFile(words[1]) {
                throw UsageError(message: "name the meter before the store: \(words[1]) \(words[0])")
            }
            (meter, store) = (words[0], words[1])
        }
        if let meter, meter.allSatisfy(\.isWhitespace) { throw UsageError(message: "an empty name names no meter") }
        record = row.map { .row($0) } ?? meter.map { .meter(MeterReference($0)) }
        self.store = store ?? environment
        guard record != nil || need == .perhapsMeter else {
            throw UsageError(message: "name a meter by its address or its name\(store.map { ", before \($0)" } ?? "")")
        }
    }

    private static let rowAndMeter = UsageError(
        message: "--row and a meter exclude each other; beside --row name only the store")
}

extension MeterReference {
    fileprivate var isAddress: Bool { if case .address = self { true } else { false } }
}
