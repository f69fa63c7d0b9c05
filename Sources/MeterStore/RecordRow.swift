package import CoreDataStore
package import MeterModel

/// A record as the current row of a statement: no object is made for a value that is only looked at. The same object is
/// reused for one record after the other; valid inside the closure it is handed to.
package final class RecordRow {
    // With a dozen accesses to each of a million rows, the checks of exclusive access would cost as much as the
    // accesses.
    private let layout: RecordLayout
    private let cloudRecords: CloudRecords
    private let hasBlobs: Bool
    /// `Z_PK`, a column for each field of the layout, and the other requested columns.
    @exclusivity(unchecked) package private(set) var values: SQLiteRow
    @exclusivity(unchecked) private var builder = RecordValues.Builder()
    @exclusivity(unchecked) private var whole: DeviceSettings?
    @exclusivity(unchecked) private var knownLocks: [ConnectionLock]?
    /// `Z_PK`.
    @exclusivity(unchecked) package private(set) var row: Int64
    /// `macAddress`, read.
    @exclusivity(unchecked) package private(set) var address: DeviceSettings.Address
    /// Whether there is any value of a connection lock, flat or blob.
    @exclusivity(unchecked) package private(set) var hasLock = false
    private let lockPositions: [Int]

    init(_ layout: RecordLayout, _ cloudRecords: CloudRecords, at values: SQLiteRow) {
        self.layout = layout
        self.cloudRecords = cloudRecords
        self.values = values
        hasBlobs = layout.has(.connectionMetadata) || layout.has(.discoveryMetadata)
        lockPositions = SettingsField.lock.compactMap(layout.position)
        row = 0
        address = .missing
        move(to: values)
    }

    /// - Parameter values: `Z_PK` and then a column for each field of the layout.
    func move(to values: SQLiteRow) {
        self.values = values
        whole = nil
        knownLocks = nil
        row = values.integer(0)
        address = layout.position(of: .macAddress).map { DeviceSettings.Address(values, $0 + 1) } ?? .missing
        hasLock = lockPositions.contains { !isNull($0) }
    }

    /// Whether the value at a position of the layout is NULL.
    package func isNull(_ position: Int) -> Bool { values.storageClass(position + 1) == .null }

    /// `FieldValue.isEmpty` of a known field; true if the store lacks the attribute.
    package func isEmpty(_ field: SettingsField) -> Bool {
        guard let column = layout.position(of: field).map({ $0 + 1 }) else { return true }
        switch values[column] {
        case .null: return true
        case .integer, .real: return false
        case .blob(let bytes): return bytes.isEmpty
        case .text(let bytes): return bytes.isEmpty || WhiteSpace.isAll(bytes)
        }
    }

    /// The bytes of a text; nil for everything else. They may not be UTF-8.
    package func text(_ field: SettingsField) -> UnsafeBufferPointer<UInt8>? {
        guard let column = layout.position(of: field).map({ $0 + 1 }), case .text(let bytes) = values[column] else {
            return nil
        }
        return bytes
    }

    /// Hands the bytes of a known field to `body`; a number as the eight bytes of the nearest REAL, so that equal
    /// values have equal bytes. No bytes if the store lacks the attribute.
    /// - Throws: only what `body` throws.
    package func withBytes<Result>(_ field: SettingsField, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
        -> Result
    {
        guard let column = layout.position(of: field).map({ $0 + 1 }) else {
            return try body(.init(start: nil, count: 0))
        }
        switch values[column] {
        case .null: return try body(.init(start: nil, count: 0))
        case .integer, .real: return try withUnsafeBytes(of: values.real(column) + 0, body)
        case .text(let bytes), .blob(let bytes): return try body(UnsafeRawBufferPointer(bytes))
        }
    }

    /// The value of a known field; NULL if the store lacks the attribute.
    package subscript(field: SettingsField) -> FieldValue {
        layout.position(of: field).map { FieldValue(values, $0 + 1) } ?? .null
    }

    /// The date in a known field, where it is plausible.
    package func timestamp(_ field: SettingsField) -> Timestamp? {
        layout.position(of: field).flatMap(timestamp)
    }

    /// The date at a position of the layout, where it is plausible.
    package func timestamp(_ position: Int) -> Timestamp? { date(position)?.ifPlausible }

    /// The date at a position of the layout, whatever it says.
    package func date(_ position: Int) -> Timestamp? {
        switch values[position + 1] {
        case .integer(let seconds): Timestamp(secondsSince2001: Double(seconds))
        case .real(let seconds): Timestamp(secondsSince2001: seconds)
        case .null, .text, .blob: nil
        }
    }

    /// Whether one of the JSON attributes is not empty.
    package var hasMetadataBlob: Bool {
        guard hasBlobs else { return false }
        return [SettingsField.connectionMetadata, .discoveryMetadata].contains { field in
            layout.position(of: field).map { !isNull($0) } ?? false
        }
    }

    /// What there is of the record's locks, without the device of a flat one: so of most records no text is made.
    package var locks: [ConnectionLock] {
        if let knownLocks { return knownLocks }
        let locks = hasMetadataBlob ? record.locks : [flatLock].compactMap(\.self)
        knownLocks = locks
        return locks
    }

    /// `DeviceSettings.flatLock` without the device.
    private var flatLock: ConnectionLock? {
        let filled = SettingsField.flatLock.count { !isEmpty($0) }
        guard filled > 0 else { return nil }
        return ConnectionLock(
            encoding: .flat, deviceID: nil, deviceName: nil, connectedAt: timestamp(.connectedAt),
            expiresAt: timestamp(.connectedExpiryAt), isTorn: filled < SettingsField.flatLock.count(where: layout.has))
    }

    /// The record with all its values.
    package var record: DeviceSettings {
        if let whole { return whole }
        for position in layout.fields.indices {
            switch values[position + 1] {
            case .null: builder.appendNull()
            case .integer(let value): builder.append(value)
            case .real(let value): builder.append(value)
            case .text(let bytes): builder.append(text: bytes)
            case .blob(let bytes): builder.append(blob: bytes)
            }
        }
        let record = DeviceSettings(
            row: row, layout: layout, values: builder.finish(), cloudRecord: cloudRecords[row],
            lockBlob: hasBlobs ? MetadataBlob.lock(self[.connectionMetadata]) : .absent,
            discoveryBlob: hasBlobs ? MetadataBlob.discovery(self[.discoveryMetadata]) : .absent)
        whole = record
        return record
    }
}

extension DeviceSettings.Address {
    /// The contents of `macAddress`.
    init(_ row: SQLiteRow, _ column: Int) {
        switch row[column] {
        case .null: self = .missing
        case .integer, .real: self = .invalid
        case .blob(let bytes): self = bytes.isEmpty ? .missing : .invalid
        case .text(let bytes): self.init(text: bytes)
        }
    }
}
