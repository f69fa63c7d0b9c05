import MeterModel
import MeterTestSupport

/// A group of records, what it merges into, and the seed that makes it again.
struct RandomGroup {
    let seed: UInt64
    let records: [DeviceSettings]
    let merges: [WinnerPolicy: Merge]

    /// Made once for all laws.
    static let all = make(1_000, distinct: false)
    /// Each record of a group has an `id` of its own.
    static let distinct = make(400, distinct: true)

    private static func make(_ count: UInt64, distinct: Bool) -> [RandomGroup] {
        (0..<count).map { seed in
            var random = SeededGenerator(seed: seed)
            let records = random.group(distinct: distinct)
            let merges = WinnerPolicy.allCases.map { ($0, merge(records, policy: $0)) }
            return RandomGroup(seed: seed, records: records, merges: Dictionary(uniqueKeysWithValues: merges))
        }
    }
}

extension SeededGenerator {
    /// Any accepted way to write `address`.
    mutating func text(of address: MACAddress) -> String {
        var digits = String(address.bits, radix: 16)
        digits = String(repeating: "0", count: 12 - digits.count) + digits
        let (separator, group) = pick([("", 12), (":", 2), (":", 2), (":", 2), ("-", 2), (".", 4)])
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, index % group == 0 { text += separator }
            text.append(digit)
        }
        switch Int.random(in: 0..<5, using: &self) {
        case 0, 1: text = text.uppercased()
        case 2, 3: break
        default: text = String(text.map { oneIn(2) ? Character($0.uppercased()) : $0 })
        }
        guard oneIn(3) else { return text }
        return pick(["", " ", "\t", "\u{A0}"]) + text + pick([" ", "\r\n", "\u{2003}"])
    }

    /// A layout with some of the attributes, `macAddress` always among them.
    mutating func layout() -> RecordLayout {
        guard oneIn(3) else { return .whole }
        var names = ["macAddress"]
        for name in SettingsField.allCases.map(\.rawValue) + ["isHidden", "notes", "zColour"] where name != "macAddress"
        {
            if !oneIn(4) { names.append(name) }
        }
        return RecordLayout(named: names)
    }

    /// Records of `meter` from small pools of values, so that ties and near-ties are common.
    /// - Parameter distinct: each record has an `id` of its own, so that no two are alike to another device.
    mutating func group(distinct: Bool = false) -> [DeviceSettings] {
        let layout = distinct ? .whole : layout()
        let count = pick([1, 2, 2, 3, 3, 4, 5, 7])
        let rows = (1...9).map(Int64.init).shuffled(using: &self)
        return (0..<count).map { index in
            member(row: rows[index], layout: layout, id: distinct ? UInt8(index) : nil)
        }
    }

    private mutating func member(row: Int64, layout: RecordLayout, id: UInt8?) -> DeviceSettings {
        var fields: [SettingsField: FieldValue] = [:]
        fields[.macAddress] = .text(text(of: meter))
        fields[.id] =
            id.map { .blob([$0 &* 91, $0]) } ?? pick([.null, .blob([]), .blob([1]), .blob([1, 0]), .blob([2])])
        let names: [FieldValue] = [
            .null, .null, "", "  ", "\u{A0}\n", "Kitchen", "Kitchen", "Lab", " Lab", "K\u{FC}che", "Ku\u{308}che",
            "lab",
            .malformedText([0x4B, 0xFF]),
        ]
        fields[.meterName] = pick(names)
        fields[.tc66TemperatureUnit] = pick([.null, "", "celsius", "fahrenheit", "Kelvin"])
        fields[.modelType] = pick([.null, "\t", "TC66C", "UM25C"])
        fields[.createdAt] = moment()
        fields[.updatedAt] = moment()
        var lock = DeviceSettings.Blob<ConnectionLock>.absent
        if oneIn(2) {
            fields[.connectedByDeviceID] = pick([.null, "d1", "d2"])
            fields[.connectedByDeviceName] = pick([.null, "Ann's iPhone", ""])
            fields[.connectedAt] = moment()
            fields[.connectedExpiryAt] = moment()
        }
        if layout.has(.connectionMetadata) {
            switch Int.random(in: 0..<4, using: &self) {
            case 0:
                fields[.connectionMetadata] = "{"
                lock = .malformed("unexpected end of text")
            case 1:
                let seconds = Double(Int.random(in: 0..<4, using: &self)) * 100
                fields[.connectionMetadata] = .text("{\"timestamp\":\(seconds)}")
                lock = lockBlob("d", at: seconds)
            default: break
            }
        }
        var discovery = DeviceSettings.Blob<Discovery>.absent
        if oneIn(2) {
            fields[.lastSeenAt] = moment()
            fields[.lastSeenByDeviceID] = pick([.null, "d1", "d2"])
            fields[.lastSeenByDeviceName] = pick([.null, "Bob's iPad"])
        }
        if layout.has(.discoveryMetadata), oneIn(3) {
            let seconds = Double(Int.random(in: 0..<4, using: &self)) * 100
            fields[.discoveryMetadata] = .blob(Array("{\"lastSeen\":\(seconds)}".utf8))
            discovery = discoveryBlob("d", at: seconds)
        }
        fields[.cloudKitRecordID] = pick([.null, .null, "", "r1", "r2"])
        let extras: [String: FieldValue] = [
            "isHidden": pick([.null, 0, 0, 0, 1]), "notes": pick([.null, .null, "", "a note", 5]),
            "zColour": pick([.null, .blob([]), .blob([7]), 2.5]),
        ]
        var cloud: DeviceSettings.CloudRecord? = pick([
            nil, nil, .init(name: nil), .init(name: "r1"), .init(name: "r2"), .init(name: "R3"), .init(name: ""),
        ])
        if oneIn(6) { cloud?.isAboutToBeDeleted = true }
        return record(
            row, fields, extras: extras, layout: layout, cloud: cloud, lockBlob: lock, discoveryBlob: discovery)
    }

    /// A date column's value: few of them, some equal though stored differently, some no date at all.
    private mutating func moment() -> FieldValue {
        pick([.null, .null, 0, 100, 100.0, 100.5, 200, 200.0, 300, -50.25, "yesterday", .real(63_113_904_000)])
    }
}

extension SeededGenerator {
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &self)]
    }

    /// True once in `count` times.
    mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
