internal import CoreDataStore
internal import Foundation
internal import JSON
internal import MeterModel
internal import MeterStore

/// CloudKit records of meters in JSON, as `xcrun cktool query-records` and CloudKit Web Services print them.
///
/// From Apple's documentation: a record has `recordName`, `recordType` and `fields`, a field `value` and `type`; a date is
/// a number, milliseconds since 1970; bytes are Base64 (CloudKit Web Services Reference, "Types and Dictionaries"). Core
/// Data puts the attribute `x` into the field `CD_x`, a UUID as text, the entity's name into `CD_entityName`, and a value
/// that is too large into `CD_x_ckAsset` ("Reading CloudKit Records for Core Data"). Scripts around cktool show that it
/// prints an object with `records`. Inferred: that a field without a value is left out; that a date may also be
/// ISO 8601 text, which is how cktool takes one.
struct CloudExport {
    /// Their row numbers are their positions in the export, from 1.
    private(set) var records: [DeviceSettings] = []
    /// Sentences about what was left out.
    private(set) var warnings: [String] = []

    /// A customer has a few dozen records; a page from cktool has at most a few hundred.
    private static let limits = JSONLimits()
    private static let prefix = "CD_"

    /// A record of the export, before it is known which attributes there are.
    private struct Draft {
        var place: String
        var name: String?
        var values: [String: (value: JSONValue, type: String)] = [:]
    }

    /// Reads a file, or a pipe.
    /// - Throws: `StoreError` if it cannot be read, is larger than any export, or is not an export.
    init(readingFrom path: String) throws(StoreError) { try self.init(FileInput(path), at: path) }

    /// - Parameter path: for errors.
    /// - Throws: `StoreError`; `unsuitable` for a store, of which a pipe has a part at most.
    init(_ input: FileInput, at path: String) throws(StoreError) {
        guard let bytes = try input.bytes(limit: Self.limits.inputBytes) else {
            throw StoreError(
                .damaged, at: path, "more than \(Self.limits.inputBytes >> 20) MiB, too much for an export")
        }
        guard !bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
            throw StoreError(
                .unsuitable, at: path,
                "a store, which cannot be read from a pipe: some of its records may be in its -wal",
                hint: "name the store's main file, with its -wal beside it")
        }
        try self.init(parsing: bytes, at: path)
    }

    /// - Parameter path: for errors.
    /// - Throws: `StoreError`, `damaged` if it is not such an export, with the place.
    init(parsing bytes: [UInt8], at path: String) throws(StoreError) {
        let json: JSONValue
        do {
            json = try JSONTree(parsing: bytes, limits: Self.limits).top.value
        } catch {
            throw StoreError(.damaged, at: path, "not JSON: \(error)", hint: Self.hint)
        }
        var drafts: [Draft] = []
        var others = 0
        try Self.forEachRecord(of: json, at: path) { record, place throws(StoreError) in
            guard let draft = try Self.draft(record, place, path) else {
                others += 1
                return
            }
            drafts.append(draft)
        }
        if others > 0 {
            let left = Phrase.count(others, "record")
            warnings.append("\(path): left out \(left) of another type than \(SettingsTable.entityName), or deleted")
        }
        try read(drafts, path)
    }

    private static let hint = "xcrun cktool query-records --record-type CD_\(SettingsTable.entityName) prints one"

    /// One page (`{"records": […]}`), a list of records, or a list of pages.
    private static func forEachRecord(
        of json: JSONValue, at path: String, _ body: (JSONValue, String) throws(StoreError) -> Void
    ) throws(StoreError) {
        switch json {
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                guard case .array(let records)? = element["records"] else {
                    try body(element, "[\(index)]")
                    continue
                }
                for (place, record) in records.enumerated() { try body(record, "[\(index)].records[\(place)]") }
            }
        default:
            guard case .array(let records)? = json["records"] else {
                throw StoreError(.damaged, at: path, "JSON, but no export of CloudKit records", hint: hint)
            }
            for (index, record) in records.enumerated() { try body(record, "records[\(index)]") }
        }
    }

    /// Nil for a record of another type, and for a deleted one.
    private static func draft(_ record: JSONValue, _ place: String, _ path: String) throws(StoreError) -> Draft? {
        guard case .object(let fields)? = record["fields"] else {
            throw StoreError(.damaged, at: path, "\(place): not a CloudKit record, which has `fields`", hint: hint)
        }
        var draft = Draft(place: place, name: record["recordName"]?.string)
        for field in fields where field.key.hasPrefix(prefix) {
            let value = field.value["value"] ?? field.value
            guard value != .null else { continue }
            draft.values[String(field.key.dropFirst(prefix.count))] = (
                value, field.value["type"]?.string?.lowercased() ?? ""
            )
        }
        let entity = draft.values.removeValue(forKey: "entityName")?.value.string
        let type = record["recordType"]?.string ?? entity.map { prefix + $0 }
        let isMeter = type.map { $0 == prefix + SettingsTable.entityName } ?? (draft.values["macAddress"] != nil)
        return isMeter && record["deleted"] != .bool(true) ? draft : nil
    }

    /// All known attributes are in the layout, because a field without a value is left out; the others are those that
    /// some record has.
    private mutating func read(_ drafts: [Draft], _ path: String) throws(StoreError) {
        var kinds: [String: FieldKind] = [:]
        for field in SettingsField.allCases { kinds[field.rawValue] = field.kind }
        var left: Set<String> = []
        for draft in drafts {
            for (name, field) in draft.values where kinds[name] == nil {
                if let kind = FieldKind(cloudType: field.type, field.value) {
                    kinds[name] = kind
                } else {
                    left.insert(name)
                }
            }
        }
        if !left.isEmpty {
            let names = left.sorted().map { Self.prefix + $0 }
            warnings.append(
                "\(path): values that the export only refers to are not compared: \(Phrase.list(names))")
        }
        let layout = RecordLayout(fields: kinds.map { RecordLayout.Field(name: $0.key, kind: $0.value) })
        for (index, draft) in drafts.enumerated() {
            var values = [FieldValue](repeating: .null, count: layout.fields.count)
            for (position, field) in layout.fields.enumerated() {
                guard let found = draft.values[field.name] else { continue }
                // `discoveryMetadata` is binary in some app versions.
                let kind = found.type.hasPrefix("bytes") ? .binary : field.kind
                guard let value = FieldValue(cloud: found.value, as: kind) else {
                    throw StoreError(
                        .damaged, at: path,
                        "\(draft.place).fields.\(Self.prefix)\(field.name): not a value of the kind "
                            + field.kind.rawValue, hint: Self.hint)
                }
                values[position] = value
            }
            records.append(
                DeviceSettings(
                    row: Int64(index + 1), layout: layout, readingBlobsOf: values,
                    cloudRecord: draft.name.map { .init(name: $0) }))
        }
    }
}

extension FieldKind {
    /// A value of an attribute that meterfix does not know, by the type in the export, or by its value. Nil if it is
    /// not a plain value: an asset, a reference, a list, a location.
    fileprivate init?(cloudType type: String, _ value: JSONValue) {
        switch value {
        case .array, .object, .null: return nil
        case .integer, .double, .bool, .string:
            if type.hasPrefix("timestamp") {
                self = .date
            } else if type.hasPrefix("bytes") {
                self = .binary
            } else {
                switch value {
                case .string: self = .text
                case .double: self = .real
                default: self = .integer
                }
            }
        }
    }
}

extension FieldValue {
    /// The value as a store would have it. Nil if it is not of this kind.
    fileprivate init?(cloud value: JSONValue, as kind: FieldKind) {
        switch (value, kind) {
        case (.string(let text), .date):
            guard let moment = Timestamp(iso8601: text) else { return nil }
            self = .real(moment.secondsSince2001)
        case (_, .date):
            guard let milliseconds = value.number else { return nil }
            self = .real(Timestamp(secondsSince1970: milliseconds / 1_000).secondsSince2001)
        case (.string(let text), .uuid):
            guard let uuid = UUID(uuidString: text)?.uuid else { return nil }
            self = .blob(withUnsafeBytes(of: uuid) { Array($0) })
        case (.string(let text), .binary):
            guard let data = Data(base64Encoded: text) else { return nil }
            self = .blob(Array(data))
        case (.string(let text), .text): self = .text(text)
        case (.bool(let flag), .integer), (.bool(let flag), .boolean): self = .integer(flag ? 1 : 0)
        case (.integer(let number), .integer), (.integer(let number), .boolean), (.integer(let number), .real):
            self = .integer(number)
        case (.double(let number), .integer), (.double(let number), .real): self = .real(number)
        default: return nil
        }
    }
}
