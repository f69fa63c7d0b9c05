internal import CoreDataStore
package import JSON
internal import MeterJournal
package import MeterModel

/// How two sides differ.
package struct ComparisonReport: Sendable {
    package struct Side: Hashable, Sendable {
        /// As the user gave it.
        package let path: String
        package let records: Int
        /// NULL, empty, placeholders and text that is not an address: these cannot be matched.
        package let withoutUsableAddress: Int
        /// The state that is compared, where it is not the present one.
        let past: PastState?
        package let alerts: [StoreAlert]
        /// The repair of this side; where it takes none, why not.
        let repair: Cure
        /// Whether a name can be given to a meter as this side is.
        let takesNames: Bool
        /// The iCloud account; nil where it is not known.
        let account: String?
        /// Whether something is to be uploaded.
        let hasPending: Bool
        /// Whether its rows are deleted when the app opens, and come down again as CloudKit has them.
        let beginsAnew: Bool
        /// When a record was last deleted here, in seconds since 2001; nil where none was.
        let lastDelete: Double?
        /// When CloudKit's changes were last downloaded, in seconds since 2001, and before all time where they never
        /// were; nil where the store is not mirrored.
        let lastDownload: Double?

        /// What the mirror is going to do first.
        let ahead: StoreSummary.MirrorWork?
        /// Whether `undo` takes back what was written last.
        let takesUndo: Bool

        /// Whether what was deleted on another side may still have to arrive here.
        func awaitsDeletes(of other: Side) -> Bool {
            guard let lastDownload, other.lastDownload != nil, let lastDelete = other.lastDelete else { return false }
            return lastDownload < lastDelete
        }
    }

    package let a: Side
    package let b: Side
    /// How CloudKit's version of a record and one that is not uploaded are merged.
    package let policy: MergePolicy
    package let letterCase: LetterCase
    /// Fields that only one side's records can have; they are not compared.
    package let fieldsOnlyA: [String]
    package let fieldsOnlyB: [String]
    /// How many meters have each outcome.
    package private(set) var counts: [MeterComparison.Outcome: Int] = [:]
    /// Meters with several records on a side.
    package private(set) var several = 0
    /// Meters with several records on side A, and on side B, also when the other side's deletes have arrived there.
    private(set) var severalOn = (a: 0, b: 0)
    /// Meters for which something the user typed is lost, or may be, once both sides have synced.
    package private(set) var losing = 0
    package private(set) var meters: [MeterComparison] = []

    init(_ a: ComparedStore, _ b: ComparedStore, _ policy: MergePolicy, copies: Copies?) {
        self.policy = policy
        self.copies = copies
        self.a = a.summary
        self.b = b.summary
        letterCase = a.letterCase
        fieldsOnlyA = a.fields(missingIn: b)
        fieldsOnlyB = b.fields(missingIn: a)
        hasSameRecordsOfNoMeter = a.valuesOfNoMeter == b.valuesOfNoMeter
    }

    mutating func add(_ meter: MeterComparison) {
        counts[meter.outcome, default: 0] += 1
        if meter.hasSeveral { several += 1 }
        if (meter.a?.stays.count ?? 0) > 1 { severalOn.a += 1 }
        if (meter.b?.stays.count ?? 0) > 1 { severalOn.b += 1 }
        if !meter.losses.isEmpty, forecasts { losing += 1 }
        // What is about to be deleted on both is equal, and lost.
        if meter.outcome != .equal || forecasts && meter.goesEverywhere { meters.append(meter) }
    }

    /// Two states of one store.
    package struct Copies: Hashable, Sendable {
        /// The side that is the other one as it was; nil where meterfix has changed both.
        package let older: ComparisonSide?
        /// Whether meterfix has changed it since, and nothing else has: what the other one has written is not in it.
        package var isChangedByMeterfix = false
    }

    /// Nil where the sides are of two devices.
    package let copies: Copies?

    /// Whether one side is the other one as it was: then nothing is going to be synchronised.
    package var isOfOneStore: Bool { copies != nil }

    /// Whether they are two files of one store.
    package var areCopies: Bool { isOfOneStore && a.past == nil }

    package var accounts: KnownAccounts { KnownAccounts(accounts: [a.account, b.account]) }

    /// Whether the sides are going to meet in the cloud, as far as is known: else nothing is said of what becomes of
    /// their differences.
    package var forecasts: Bool { !isOfOneStore && accounts.areSame != false && !a.beginsAnew && !b.beginsAnew }

    package func count(_ outcome: MeterComparison.Outcome) -> Int { counts[outcome] ?? 0 }

    /// Whether both have the same records among those that cannot be matched.
    package let hasSameRecordsOfNoMeter: Bool

    /// Whether both have the same meters with the same values, and the same records that cannot be matched.
    package var isEqual: Bool { meters.isEmpty && hasSameRecordsOfNoMeter }
}

/// One document, keys in their fixed order; `store` is side A's path.
extension ComparisonReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members(JSONDocument.head(command: "compare", store: a.path))
            writer.member("equal", isEqual)
            writer.member("a", a.json)
            writer.member("b", b.json)
            writer.members(accounts.json)
            writer.member("older", copies?.older?.rawValue)
            writer.member("policy", policy.rawValue)
            writer.member("summary", summary)
            writer.member("fieldsNotCompared", ["a": fieldsOnlyA, "b": fieldsOnlyB] as JSONValue)
            writer.member("meters", each: meters) { $0.write(in: letterCase, withForecast: forecasts, to: &$1) }
            writer.member("steps", steps.map(\.json))
        }
    }

    private var summary: JSONValue {
        [
            "equal": count(.equal), "different": count(.different), "onlyA": count(.onlyA), "onlyB": count(.onlyB),
            "several": several, "losing": losing,
        ]
    }
}

extension ComparisonReport.Side {
    fileprivate var json: JSONValue {
        [
            "path": path, "records": records, "withoutUsableAddress": withoutUsableAddress,
            "walMissing": alerts.missingLog != nil, "at": past?.json,
        ]
    }
}

extension MeterComparison {
    fileprivate func write(in letterCase: LetterCase, withForecast: Bool, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("mac", address.text(in: letterCase))
            writer.member("outcome", outcome.rawValue)
            writer.member("a", a)
            writer.member("b", b)
            writer.member("sameRecord", isSameRecord)
            writer.member("fields", each: differences) { difference, writer in
                writer.object { writer in
                    writer.member("name", difference.field.name)
                    difference.writeValues("a", "b", to: &writer)
                }
            }
            writer.member("equalFields", equalFields)
            writer.member("winner", withForecast ? winner?.rawValue : nil)
            writer.member("losses", withForecast ? losses : [])
        }
    }
}

extension MeterComparison.Loss: JSONConvertible {
    package var json: JSONValue {
        ["name": field.name, "value": value.json(as: field.kind), "side": side.rawValue, "ifFirst": first?.rawValue]
    }
}

extension ComparedRecord: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("row", record.row)
            writer.member("rows", rows)
            writer.member("names", names.compactMap(\.self))
            writer.member("cloudRecord", record.cloudRecord?.name)
            writer.member("unsent", unsent?.sorted())
            writer.member("goes", goes.map(\.row))
            writer.member("record", record)
        }
    }
}
