extension DeviceSettings {
    /// Whether a field is one that nobody has again once the record is gone: what the user typed, and what meterfix does
    /// not know. The app makes everything else anew when it meets the meter.
    private func isIrreplaceable(_ field: RecordLayout.Field, at position: Int) -> Bool {
        switch field.survivorship {
        case .userData: !values.isEmpty(position)
        case .unknown: !values.isNull(position)
        case .kept, .canonicalText, .lock, .discovery, .earliest, .stamped: false
        }
    }

    /// Those fields of the record, each with its value.
    package var irreplaceable: [(field: RecordLayout.Field, value: FieldValue)] {
        layout.fields.enumerated().filter { isIrreplaceable($0.element, at: $0.offset) }
            .map { ($0.element, values[$0.offset]) }
    }
}
