internal import Texts

/// Which of a store's records are of one meter, and which letter case its addresses have.
package struct AddressIndex: Sendable {
    /// The records of one meter.
    package struct Meter: Hashable, Sendable {
        package let address: MACAddress
        /// In the order of row numbers.
        package let records: [DeviceSettings]

        package init(address: MACAddress, records: [DeviceSettings]) {
            self.address = address
            self.records = records
        }

        package var rows: [Int64] { records.map(\.row) }
    }

    /// Every meter, in ascending order of addresses.
    package let meters: [Meter]
    /// How many records there are, including those without a usable address.
    package let records: Int
    /// Records whose address is missing, not an address, or a placeholder.
    package let recordsWithoutUsableAddress: Int
    /// How many meters have several records.
    package let groups: Int
    private let cases: LetterCaseCount

    /// - Parameter records: of the whole store, in the order of row numbers.
    package init(of records: [DeviceSettings] = []) {
        var cases = LetterCaseCount()
        for case .usable(_, let notation) in records.lazy.map(\.address) { cases.count(notation) }
        self.cases = cases
        // By their places: to move the records themselves, each would be counted as used with each step.
        let usable = records.enumerated().compactMap { place, record in
            record.usableAddress.map { (address: $0, place: place) }
        }
        recordsWithoutUsableAddress = records.count - usable.count
        meters = usable.sorted { ($0.address, $0.place) < ($1.address, $1.place) }
            .runs { $0.address == $1.address }
            .map { run in Meter(address: run[run.startIndex].address, records: run.map { records[$0.place] }) }
        self.records = records.count
        groups = meters.count { $0.records.count > 1 }
    }

    /// The letter case of most addresses.
    package var letterCase: LetterCase { cases.letterCase }

    /// The same; nil where no address tells one.
    package var ownLetterCase: LetterCase? { cases.isEmpty ? nil : cases.letterCase }

    /// The records of the meter at `address`, in the order of row numbers; none where the store does not have it.
    package func records(of address: MACAddress) -> [DeviceSettings] {
        let place = meters.partitioningIndex { $0.address >= address }
        return place < meters.endIndex && meters[place].address == address ? meters[place].records : []
    }

    /// The rows of the meter at `address`, in ascending order.
    package func rows(of address: MACAddress) -> [Int64] { records(of: address).map(\.row) }

    package var meterCount: Int { meters.count }

    /// The meters, in ascending order of their addresses, that have several records. Computed at each call.
    package var metersWithSeveralRecords: [Meter] { meters.filter { $0.records.count > 1 } }

    /// The meters, in ascending order of their addresses, that have several records, or one whose address is not the
    /// canonical text in `letterCase`. Computed at each call.
    package func metersNeedingRebuild(of letterCase: LetterCase) -> [Meter] {
        meters.filter { $0.records.count > 1 || !$0.records[0].address.isCanonical(in: letterCase) }
    }
}
