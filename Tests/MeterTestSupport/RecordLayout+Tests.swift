package import MeterModel

extension RecordLayout {
    /// Every known field but the metadata, which repeats what others say.
    package static let withoutMetadata = RecordLayout(
        fields: SettingsField.allCases.filter { ![.connectionMetadata, .discoveryMetadata].contains($0) }
            .map { Field(name: $0.rawValue, kind: $0.kind) })
}
