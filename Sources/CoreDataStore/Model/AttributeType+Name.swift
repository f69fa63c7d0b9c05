extension AttributeType {
    /// As Xcode's editor and model sources name the type.
    private static let names: [AttributeType: String] = [
        AttributeType(rawValue: 0): "Undefined", .integer16: "Integer 16", .integer32: "Integer 32",
        .integer64: "Integer 64", .decimal: "Decimal", .double: "Double", .float: "Float", .string: "String",
        .boolean: "Boolean", .date: "Date", .binary: "Binary", .uuid: "UUID", .uri: "URI",
        .transformable: "Transformable",
    ]

    /// "Integer 16" for instance; the number of a type not known here.
    package var name: String { Self.names[self] ?? "type \(rawValue)" }

    /// Nil for a name not known here.
    init?(named name: String) {
        guard let type = Self.names.first(where: { $0.value == name })?.key else { return nil }
        self = type
    }
}
