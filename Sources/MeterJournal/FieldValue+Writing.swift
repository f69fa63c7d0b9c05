package import JSON
package import MeterModel

extension FieldValue {
    /// As a report has it.
    package func json(as kind: FieldKind) -> JSONValue {
        switch self {
        case .null: .null
        // Nobody may take the digits of bytes for a name.
        case .blob where kind == .text: .null
        case .integer(let number) where kind != .date: .integer(number)
        case .real(let number) where kind != .date: .double(number)
        case .integer, .real, .text, .malformedText, .blob: .string(display(as: kind))
        }
    }

    /// A date that is stored as INTEGER has no fractional seconds, and what the field's kind does not say is an object
    /// with one key: `integer`, `real`, `text`, `textHex`, `hex`.
    fileprivate func writeExact(as kind: FieldKind, to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .integer(let number) where kind != .date: writer.integer(number)
        case .integer(let number):
            if let text = Timestamp.iso8601(wholeSecondsSince2001: number) {
                writer.string(text)
            } else {
                writer.object { $0.member("integer", number) }
            }
        case .real(let number):
            if kind == .date, let text = Timestamp(secondsSince2001: number).exactISO8601 {
                writer.string(text)
            } else {
                writer.object { $0.member("real", number.exactText) }
            }
        case .text(let text) where kind == .date || kind == .uuid: writer.object { $0.member("text", text) }
        case .text(let text): writer.string(text)
        case .malformedText(let bytes): writer.object { $0.member("textHex", Hexadecimal.text(of: bytes)) }
        case .blob(let bytes) where kind == .uuid && bytes.count == 16: writer.string(display(as: .uuid))
        case .blob(let bytes): writer.object { $0.member("hex", Hexadecimal.text(of: bytes)) }
        }
    }
}

extension JSONWriter {
    package mutating func member(
        _ key: String, _ value: FieldValue, as kind: FieldKind, in form: DocumentForm = .report
    ) {
        self.key(key)
        switch form {
        case .report: value.json(as: kind).write(to: &self)
        case .plan: value.writeExact(as: kind, to: &self)
        }
    }
}

extension DeviceSettings: JSONWritable {
    /// Every field by name, as reports have it.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (position, field) in layout.fields.enumerated() {
                writer.member(field.name, values[position], as: field.kind)
            }
        }
    }
}

extension FieldDelta {
    /// Two members of an object.
    package func writeValues(
        _ before: String, _ after: String, in form: DocumentForm = .report, to writer: inout JSONWriter
    ) {
        writer.member(before, self.before, as: field.kind, in: form)
        writer.member(after, self.after, as: field.kind, in: form)
    }
}
