internal import MeterModel

extension Check {
    package static let valueType = records(
        "value-type", .error, "a value of a type that Core Data does not store there",
        """
        The app cannot read this value, and may not find the record or may crash (inferred). Core Data stores an id as \
        16 bytes, a date as a number and a name as text in UTF-8. Here another type, or other bytes, stand in the column.

        This comes from records that went through CSV, a spreadsheet or another tool: CSV has neither bytes nor NULL, so \
        that an id comes back as a text and a missing date as an empty text.

        `meterfix fix value-type` writes the id of which the text of a UUID is there, and NULL for an empty text in the \
        place of a date. For anything else use a copy from before, or have a person decide what the value was.
        """
    ) { check, record, store in
        let strange = record.strangeValues
        guard !strange.isEmpty else { return [] }
        let words = strange.map { strange -> Sentence in
            if case .malformedText = strange.value {
                return "\(strange.field.rawValue) is \(strange.value.shown)"
            }
            return "\(strange.field.rawValue) is \(strange.value.shown) and not \(noun(of: strange.field.kind))"
        }
        // The app's own note of a name in CloudKit is neither merged nor shown.
        let isHarmless = strange.allSatisfy { $0.field == .cloudKitRecordID }
        let isMeant = strange.contains { $0.meant != nil }
        return [
            check.finding(
                words.joined(separator: "; "), severity: isHarmless ? .warning : nil, about: record, in: store,
                cure: isMeant
                    ? store.repair("fix value-type")
                    : "use a copy from before another tool wrote to the store, or change the value in the app")
        ]
    }

    private static func noun(of kind: FieldKind) -> String {
        switch kind {
        case .text: "text"
        case .date: "a date"
        case .uuid: "the 16 bytes of a UUID"
        case .integer, .real: "a number"
        case .boolean: "yes or no"
        case .binary: "bytes"
        }
    }
}
