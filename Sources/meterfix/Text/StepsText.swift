internal import Answer
internal import MeterInspect
internal import MeterModel

extension [Step] {
    /// Numbered where there are several; nothing where there is none.
    func blocks(under heading: Inline = "what to do now") -> [Block] {
        .section(heading, isEmpty ? [] : [list])
    }

    var list: Block { .list(map { Inline($0.text.pieces) }, marker: count > 1 ? .number : .none) }
}

extension WritingCommand {
    /// What the help says of a command that asks for names to be left alone.
    static let namesLeftAlone = """
        Before the change, update the app on every device and let it sync. Until the change has reached all of them, \
        nobody may type a name or choose a unit: one of two values may be lost (Documentation/several-devices.md says \
        how often). Meters may be used.
        """
}
