package import MeterModel

/// The option of `set` that gives a meter a value again.
package enum SetOption {
    /// As words for a shell; nil where it cannot set the value. White space around a name is left out, as `set` does.
    package static func words(for field: RecordLayout.Field, _ value: FieldValue) -> String? {
        guard let text = value.text else { return nil }
        if field.known == .meterName { return ShellWord.option("--name", WhiteSpace.trimmed(text)) }
        let unit = field.known == .tc66TemperatureUnit ? TemperatureUnit(rawValue: text) : nil
        return unit.map { "--unit \($0.rawValue)" }
    }
}
