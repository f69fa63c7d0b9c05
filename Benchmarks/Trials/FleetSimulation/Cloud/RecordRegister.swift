package import MeterModel

/// A record of the zone or of a device, by its number in the register. The same record has the same number everywhere.
package struct RecordNumber: Hashable, Sendable {
    package let index: Int
}

/// Every record of a simulation, past and present: its name in CloudKit and its meter, neither of which changes.
final class RecordRegister {
    private var names: [String] = []
    /// Nil for a record whose address is not a meter's.
    private var meters: [Int?] = []
    private var recordsOfMeter: [[RecordNumber]]
    private var numbers: [String: RecordNumber] = [:]

    init(meters: Int) { recordsOfMeter = Array(repeating: [], count: meters) }

    var count: Int { names.count }

    subscript(name: String) -> RecordNumber? { numbers[name] }

    /// The record of this name; a new one if there never was one.
    func record(named name: String, meter: Int?) -> RecordNumber {
        if let known = numbers[name] { return known }
        let number = RecordNumber(index: names.count)
        names.append(name)
        meters.append(meter)
        numbers[name] = number
        if let meter { recordsOfMeter[meter].append(number) }
        return number
    }

    func name(of record: RecordNumber) -> String { names[record.index] }
    func meter(of record: RecordNumber) -> Int? { meters[record.index] }

    /// In the order of their creation.
    func records(of meter: Int) -> [RecordNumber] { recordsOfMeter[meter] }
}

/// How a record gets its name in CloudKit.
package enum RecordNaming: Sendable, CaseIterable {
    /// A random UUID, which the mirror chooses.
    case random
    /// From the meter's address, so that all devices choose the same. `NSPersistentCloudKitContainer` does not offer it.
    case fromAddress

    /// The name that all devices choose for the record of a meter.
    package static func name(of address: MACAddress) -> String { "DeviceSettings/\(address.text(in: .upper))" }
}
