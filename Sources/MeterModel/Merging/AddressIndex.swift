internal import Texts

/// The addresses of a store's records in one pass: which rows are of one meter, and which case the store uses.
package struct AddressIndex: Sendable {
    /// The rows of one meter.
    package struct Meter: Hashable, Sendable {
        package let address: MACAddress
        /// In ascending order.
        package let rows: [Int64]

        package init(address: MACAddress, rows: [Int64]) {
            self.address = address
            self.rows = rows
        }
    }

    /// The address in the low 48 bits, how it is written above them: 16 bytes a record.
    private var entries: [(key: UInt64, row: Int64)] = []
    private var cases = LetterCaseCount()
    private var isSorted = true
    /// Rows counted, including those without a usable address.
    package private(set) var records = 0

    /// In which letter case the text is canonical.
    private enum CanonicalCase: UInt64 {
        case never, always, upper, lower

        init(_ notation: MACAddress.Notation) {
            let upper = notation.isCanonical(in: .upper)
            let lower = notation.isCanonical(in: .lower)
            self = upper ? (lower ? .always : .upper) : (lower ? .lower : .never)
        }
    }

    /// Rows whose address is missing, not an address, or a placeholder.
    package var recordsWithoutUsableAddress: Int { records - usable }
    private var usable = 0

    /// - Parameter records: the expected number; an array that grows by doubling may be twice as large as needed.
    package init(expecting records: Int = 0) { entries.reserveCapacity(records) }

    /// Counts a record.
    package mutating func add(row: Int64, _ address: DeviceSettings.Address) {
        records += 1
        guard case .usable(let address, let notation) = address else { return }
        cases.count(notation)
        usable += 1
        entries.append((address.bits | CanonicalCase(notation).rawValue << 48, row))
        isSorted = false
    }

    /// Keeps the numbers of records and the letter case, and forgets which record has which address.
    package mutating func forgetRows() { entries = [] }

    /// The letter case of most addresses.
    package var letterCase: LetterCase { cases.letterCase }

    /// The same; nil where no address tells one.
    package var ownLetterCase: LetterCase? { cases.isEmpty ? nil : cases.letterCase }

    private static func address(_ key: UInt64) -> MACAddress { MACAddress(bits: key) }

    /// Groups the rows by meter. Call once, before `meters`.
    package mutating func sort() {
        guard !isSorted else { return }
        entries.sort { left, right in
            // The bits above the address are shifted out.
            let (leftAddress, rightAddress) = (left.key << 16, right.key << 16)
            return leftAddress == rightAddress ? left.row < right.row : leftAddress < rightAddress
        }
        isSorted = true
    }

    /// The meters, in ascending order of their addresses, that have several records, or one whose address is not the
    /// canonical text in `letterCase`.
    package func metersNeedingRebuild(of letterCase: LetterCase) -> [Meter] {
        Array(
            entriesOfMeters.lazy
                .filter { $0.count > 1 || !Self.isCanonical($0[$0.startIndex].key, in: letterCase) }
                .map(Self.meter))
    }

    /// The meters, in ascending order of their addresses, that have several records. Computed at each call.
    package var metersWithSeveralRecords: some Sequence<Meter> {
        entriesOfMeters.lazy.filter { $0.count > 1 }.map(Self.meter)
    }

    private static func meter(_ entries: ArraySlice<(key: UInt64, row: Int64)>) -> Meter {
        Meter(address: address(entries[entries.startIndex].key), rows: entries.map(\.row))
    }

    /// How many meters have several records.
    package var groups: Int { entriesOfMeters.count { $0.count > 1 } }

    /// How many meters there are.
    package var meterCount: Int { entriesOfMeters.count { _ in true } }

    /// Every meter, in ascending order of addresses.
    package var meters: some Sequence<Meter> { entriesOfMeters.lazy.map(Self.meter) }

    /// The entries of one meter after the other, in ascending order of addresses.
    private var entriesOfMeters: UnfoldSequence<ArraySlice<(key: UInt64, row: Int64)>, Int> {
        precondition(isSorted, "sort() comes first")
        return sequence(state: entries.startIndex) { [entries] start in
            guard start < entries.count else { return nil }
            let address = Self.address(entries[start].key)
            var end = start + 1
            while end < entries.count, Self.address(entries[end].key) == address { end += 1 }
            defer { start = end }
            return entries[start..<end]
        }
    }

    /// The rows of the meter at `address`, in ascending order.
    package func rows(of address: MACAddress) -> [Int64] {
        precondition(isSorted, "sort() comes first")
        let start = entries.partitioningIndex { Self.address($0.key) >= address }
        return entries[start...].prefix { Self.address($0.key) == address }.map(\.row)
    }

    /// Hands each row of several meters to `body`, with the place of its meter among `addresses`: meter by meter, each one's
    /// rows in ascending order.
    /// - Parameter addresses: in ascending order.
    package func forEachRow(of addresses: [MACAddress], _ body: (Int, Int64) -> Void) {
        precondition(isSorted, "sort() comes first")
        var next = 0
        for (place, address) in addresses.enumerated() {
            while next < entries.count, Self.address(entries[next].key) < address { next += 1 }
            while next < entries.count, Self.address(entries[next].key) == address {
                body(place, entries[next].row)
                next += 1
            }
        }
    }

    private static func isCanonical(_ key: UInt64, in letterCase: LetterCase) -> Bool {
        switch CanonicalCase(rawValue: key >> 48) {
        case .always: true
        case .upper: letterCase == .upper
        case .lower: letterCase == .lower
        case .never, nil: false
        }
    }
}
