import MeterModel

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
    public init(integerLiteral number: Int64) { self = .integer(number) }
    public init(floatLiteral number: Double) { self = .real(number) }
}

extension RecordLayout {
    /// Every known attribute and three of another app version, one of which marks a record as gone.
    static let whole = RecordLayout(named: SettingsField.allCases.map(\.rawValue) + ["isHidden", "notes", "zColour"])

    init(named names: [String]) {
        self.init(
            fields: names.map {
                Field(name: $0, kind: SettingsField(rawValue: $0)?.kind ?? ($0 == "isHidden" ? .boolean : .text))
            })
    }
}

let meter = MACAddress(bits: 0xAABB_CCDD_EEFF)
let now = moment(1_000_000)

/// A moment of these tests, whose small numbers are seconds since a day in 2013.
func moment(_ seconds: Double) -> Timestamp { Timestamp(secondsSince2001: 400_000_000 + seconds) }

extension FieldValue {
    /// A small number as that moment, stored in the same way.
    var asMoment: FieldValue {
        switch self {
        case .integer(let seconds) where abs(seconds) < 10_000_000: .integer(400_000_000 + seconds)
        case .real(let seconds) where abs(seconds) < 10_000_000: .real(moment(seconds).secondsSince2001)
        case .null, .integer, .real, .text, .malformedText, .blob: self
        }
    }
}

/// A record of `meter` with the given fields, dates as `FieldValue.asMoment`, and NULL in the others.
func record(
    _ row: Int64 = 1, _ fields: [SettingsField: FieldValue] = [:], extras: [String: FieldValue] = [:],
    layout: RecordLayout = .whole, cloud: DeviceSettings.CloudRecord? = nil,
    lockBlob: DeviceSettings.Blob<ConnectionLock> = .absent, discoveryBlob: DeviceSettings.Blob<Discovery> = .absent
) -> DeviceSettings {
    let values = layout.fields.map { field -> FieldValue in
        guard let known = field.known else { return extras[field.name] ?? .null }
        return (known.kind == .date ? fields[known]?.asMoment : fields[known])
            ?? (known == .macAddress ? "AA:BB:CC:DD:EE:FF" : .null)
    }
    return DeviceSettings(
        row: row, layout: layout, values: values, cloudRecord: cloud, lockBlob: lockBlob, discoveryBlob: discoveryBlob)
}

/// What a record with the lock of `device` in `connectionMetadata` has read there.
func lockBlob(_ device: String, at seconds: Double) -> DeviceSettings.Blob<ConnectionLock> {
    .value(
        ConnectionLock(
            encoding: .blob, deviceID: device, deviceName: nil, connectedAt: moment(seconds),
            expiresAt: moment(seconds + 120), isTorn: false))
}

func discoveryBlob(_ device: String, at seconds: Double) -> DeviceSettings.Blob<Discovery> {
    .value(Discovery(seenAt: moment(seconds), deviceID: device, deviceName: nil))
}

func merge(
    _ records: [DeviceSettings], policy: WinnerPolicy = .mostComplete, in letterCase: LetterCase = .upper,
    now: Timestamp = now
) -> Merge {
    Merge(of: records, at: meter, in: letterCase, policy: policy, now: now)
}

extension Merge {
    func change(_ field: SettingsField) -> FieldChange? { changes.first { $0.field.known == field } }
    func change(extra name: String) -> FieldChange? { changes.first { $0.field.name == name } }

    /// The names of the changed fields, in the order of the changes.
    var changedNames: [String] { changes.map(\.field.name) }

    /// The winner as it is once the changes are applied.
    var survivor: DeviceSettings {
        var values = Array(winner.values)
        var lockBlob = winner.lockBlob
        var discoveryBlob = winner.discoveryBlob
        for change in changes {
            values[winner.layout.fields.firstIndex(of: change.field)!] = change.after
            guard let donor = losers.first(where: { $0.row == change.donor }) else { continue }
            if change.field.known == .connectionMetadata { lockBlob = donor.lockBlob }
            if change.field.known == .discoveryMetadata { discoveryBlob = donor.discoveryBlob }
        }
        return DeviceSettings(
            row: winner.row, layout: winner.layout, values: values, cloudRecord: winner.cloudRecord,
            lockBlob: lockBlob, discoveryBlob: discoveryBlob)
    }
}
