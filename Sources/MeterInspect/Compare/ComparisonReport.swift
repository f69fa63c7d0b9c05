package import MeterModel

/// How two sides differ.
package struct ComparisonReport: Sendable {
    package struct Side: Hashable, Sendable {
        package enum Kind: String, Sendable {
            case store
            case cloudExport = "cloudkit-export"
        }

        /// As the user gave it; `-` for standard input.
        package let path: String
        package let kind: Kind
        package let records: Int
        /// NULL, empty, placeholders and text that is not an address: these cannot be matched.
        package let withoutUsableAddress: Int
        /// What is said first; nothing of an export.
        package let alerts: [StoreAlert]

        init(
            _ path: String, _ kind: Kind, _ addresses: AddressIndex, alerts: [StoreAlert] = []
        ) {
            self.alerts = alerts
            self.path = path
            self.kind = kind
            records = addresses.records
            withoutUsableAddress = addresses.recordsWithoutUsableAddress
        }
    }

    package let a: Side
    package let b: Side
    /// How CloudKit's version of a record and one that is not uploaded are merged.
    package let policy: MergePolicy
    /// The letter case of side A's addresses.
    package let letterCase: LetterCase
    /// Fields that only one side's records can have; they are not compared.
    package let fieldsOnlyA: [String]
    package let fieldsOnlyB: [String]
    /// How many meters have each outcome.
    package private(set) var counts: [MeterComparison.Outcome: Int] = [:]
    /// Meters with several records on a side.
    package private(set) var several = 0
    /// Meters with several records on side A, and on side B.
    private(set) var severalOn = (a: 0, b: 0)
    /// Meters of which something the user typed is lost, or may be, once both sides have synced.
    package private(set) var losing = 0
    /// The meters that are not equal, in the order of addresses.
    package private(set) var meters: [MeterComparison] = []
    /// Sentences for a person.
    package let warnings: [String]

    init(_ a: ComparedFile, _ b: ComparedFile, _ policy: MergePolicy, warnings: [String]) {
        self.policy = policy
        self.a = a.summary
        self.b = b.summary
        letterCase = a.letterCase
        fieldsOnlyA = a.fields(missingIn: b)
        fieldsOnlyB = b.fields(missingIn: a)
        self.warnings = warnings
    }

    mutating func add(_ meter: MeterComparison) {
        counts[meter.outcome, default: 0] += 1
        if meter.hasSeveral { several += 1 }
        if (meter.a?.rows.count ?? 0) > 1 { severalOn.a += 1 }
        if (meter.b?.rows.count ?? 0) > 1 { severalOn.b += 1 }
        if !meter.losses.isEmpty { losing += 1 }
        if meter.outcome != .equal { meters.append(meter) }
    }

    package func count(_ outcome: MeterComparison.Outcome) -> Int { counts[outcome] ?? 0 }

    /// Whether both have the same meters with the same values, and as many records that cannot be matched.
    package var isEqual: Bool { meters.isEmpty && a.withoutUsableAddress == b.withoutUsableAddress }
}
