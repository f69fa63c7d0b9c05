/// A rebuild that was asked for, from which another choice makes another command.
package struct RebuildRequest: Hashable, Sendable {
    /// `rebuild`, or the command that it is a part of.
    package let command: String
    /// Its options without the choices, as words for a shell.
    package let words: [String]
    package let chosen: ValueOverrides

    package init(
        by command: String = WritingCommand.rebuild.rawValue, _ words: [String] = [],
        _ chosen: ValueOverrides = ValueOverrides()
    ) {
        self.command = command
        self.words = words
        self.chosen = chosen
    }

    /// The same rebuild that keeps this value of a meter; nil for a value that no option names.
    package func keeping(
        _ value: FieldValue, as field: RecordLayout.Field, of address: MACAddress, in letterCase: LetterCase,
        _ store: String
    ) -> StoreCommand? {
        guard let field = field.known, field.keepOption(value, of: "") != nil else { return nil }
        var chosen = chosen
        chosen[address, field] = value
        return StoreCommand(
            ([command] + chosen.words(in: letterCase) + words).joined(separator: " "), stores: [store])
    }
}

extension ValueOverrides {
    /// The options of `rebuild` that choose so, as words for a shell.
    package func words(in letterCase: LetterCase) -> [String] {
        all.compactMap { $0.field.keepOption($0.value, of: $0.address.text(in: letterCase)) }
    }
}
