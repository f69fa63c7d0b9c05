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
        /// The iCloud account; nil where it is not known.
        let account: String?
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
    /// Meters with several records on side A, and on side B.
    private(set) var severalOn = (a: 0, b: 0)
    /// Meters for which something the user typed is lost, or may be, once both sides have synced.
    package private(set) var losing = 0
    package private(set) var meters: [MeterComparison] = []

    init(_ a: ComparedStore, _ b: ComparedStore, _ policy: MergePolicy) {
        self.policy = policy
        self.a = a.summary
        self.b = b.summary
        letterCase = a.letterCase
        fieldsOnlyA = a.fields(missingIn: b)
        fieldsOnlyB = b.fields(missingIn: a)
    }

    mutating func add(_ meter: MeterComparison) {
        counts[meter.outcome, default: 0] += 1
        if meter.hasSeveral { several += 1 }
        if (meter.a?.rows.count ?? 0) > 1 { severalOn.a += 1 }
        if (meter.b?.rows.count ?? 0) > 1 { severalOn.b += 1 }
        if !meter.losses.isEmpty, forecasts { losing += 1 }
        if meter.outcome != .equal { meters.append(meter) }
    }

    /// Whether side A is side B as it was: then nothing is going to be synchronised.
    package var isOfOneStore: Bool { a.past != nil }

    package var accounts: KnownAccounts { KnownAccounts(accounts: [a.account, b.account]) }

    /// Whether the sides are going to meet in the cloud, as far as is known: else nothing is said of what becomes of
    /// their differences.
    package var forecasts: Bool { !isOfOneStore && accounts.areSame != false }

    package func count(_ outcome: MeterComparison.Outcome) -> Int { counts[outcome] ?? 0 }

    /// Whether both have the same meters with the same values, and as many records that cannot be matched.
    package var isEqual: Bool { meters.isEmpty && a.withoutUsableAddress == b.withoutUsableAddress }
}

extension ComparisonReport {
    /// In order. Nothing where the sides are equal.
    package var next: [Cure] {
        guard !isOfOneStore else { return [] }
        if [a, b].contains(where: { $0.alerts.pendingStorm != nil }) { return shelter }
        let deletions = [a, b].flatMap(\.alerts.deletions).map(\.cure)
        guard deletions.isEmpty else { return deletions.reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
        if [a, b].contains(where: { !$0.alerts.vanished.isEmpty }) { return recovery }
        guard forecasts else { return [Self.separate] }
        if several > 0 { return repairs }
        if losing > 0 { return rescue }
        guard meters.isEmpty else { return synchronisation }
        return isEqual ? [] : stores.map { .command(StoreCommand("verify", stores: [$0])) }
    }

    private static let separate: Cure = """
        ask which account the user wants: a device that is signed in to another one deletes the app's records there, so \
        save its store before
        """

    private var stores: [String] { [a.path, b.path] }

    private var syncs: [Cure] { stores.map { .command(StoreCommand("sync", stores: [$0])) } }

    private var repairs: [Cure] {
        let sides = [(a, severalOn.a), (b, severalOn.b)].filter { $0.1 > 0 }.map(\.0.path)
        let again: Sentence =
            "give this store back and let it sync, then compare again: "
            + (sides.count > 1
                ? "then rebuild the meters that still have several records on the other side"
                : "the other side then has the deletes")
        return [.command(StoreCommand("rebuild", stores: [sides[0]])), .advice(again)]
    }

    /// What can be saved from the other side while the deletes of a delete storm are pending on one.
    private var shelter: [Cure] {
        let sides = [("A", a, b), ("B", b, a)]
        return sides.flatMap { name, side, other -> [Cure] in
            guard side.alerts.pendingStorm != nil else { return [] }
            let (word, store) = (ShellWord.quoted(other.path), ShellWord.quoted(side.path))
            return [
                "do NOT open the app on the device of \(name), \(side.path), and keep the copy of the other side",
                """
                `meterfix meters \(word)` lists the names and units of the other side; what \(name) lacks of them, write \
                into a file NAMES.json as MeterNames and TC66TemperatureUnits: `meterfix import-kv NAMES.json \(store)` \
                brings it in
                """,
            ]
        }
    }

    /// How meters come back that were deleted together on one side. A device that has them loses them, too, as soon as it
    /// syncs.
    private var recovery: [Cure] {
        let sides = [("A", a, b, count(.onlyB)), ("B", b, a, count(.onlyA))]
        return sides.flatMap { name, side, other, lacking -> [Cure] in
            guard !side.alerts.vanished.isEmpty else { return [] }
            guard lacking > 0 else {
                return [
                    "the other side has no meter that \(name) lacks: look for a device, a backup or an older copy that has them"
                ]
            }
            let meters = "\(Phrase.count(lacking, "meter")) that \(name) lacks"
            let (word, store) = (ShellWord.quoted(other.path), ShellWord.quoted(side.path))
            return [
                "do NOT open the app on the device that has them, and take it offline: \(other.path) has \(meters); keep that copy",
                """
                `meterfix meters \(word)` lists their names and units; write them into a file NAMES.json as MeterNames and \
                TC66TemperatureUnits: `meterfix import-kv NAMES.json \(store)` creates the records again
                """,
                "what comes after that: \(command: "meterfix verify --explain mass-delete")",
            ]
        }
    }

    /// What brings values back that would be lost in any case, where a command can: on the side whose value stays. Of the
    /// others, which device has to sync first.
    private var rescue: [Cure] {
        var commands: [Cure] = []
        for meter in meters {
            for loss in meter.losses {
                guard loss.first == nil, let option = loss.field.setOption(loss.value) else { continue }
                let side = loss.side == .a ? b : a
                guard meter[loss.side.other] != nil else { continue }
                let words = "set \(meter.address.text(in: letterCase)) \(option)"
                commands.append(.command(StoreCommand(words, stores: [side.path])))
            }
        }
        let choice: Cure =
            "before the devices sync, have the user choose between the values that would be lost and those that are kept"
        let orders = ComparisonSide.allCases.compactMap { first -> Cure? in
            let losses = meters.lazy.filter { $0.hasUnsent && $0.isSameRecord != false }.flatMap(\.losses)
            guard let loss = losses.first(where: { $0.first == first }) else { return nil }
            return "to keep the values of \(loss.side.letter), let \(first.other.letter) sync first, before the other"
        }
        let deleted = meters.compactMap(takingBack)
        guard deleted.count < losing else { return deleted }
        guard !commands.isEmpty else {
            return deleted + [choice] + orders + ["once they have synced, the user types a lost value again in the app"]
        }
        return deleted + [choice] + orders + ["to keep a value that would be lost in any case:"] + commands
    }

    /// What keeps a meter that one side has deleted, and the other has; nil for every other.
    private func takingBack(_ meter: MeterComparison) -> Cure? {
        guard let side = meter.going, meter[side.other] == nil else { return nil }
        let mac = meter.address.text(in: letterCase)
        let (keeping, deleting) = side == .a ? (a, b) : (b, a)
        return """
            \(side.other.letter) has deleted \(mac): if the user wants it back, keep \(keeping.path), and after both have \
            synced, \(command: "meterfix import-kv") or the app creates the record again; \
            \(StoreCommand("log \(mac)", stores: [deleting.path])) shows who deleted it
            """
    }

    private var synchronisation: [Cure] {
        ["leave the app open on both devices until everything is uploaded and downloaded, then compare again"] + syncs
    }
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
            writer.member("policy", policy.rawValue)
            writer.member("summary", summary)
            writer.member("fieldsNotCompared", ["a": fieldsOnlyA, "b": fieldsOnlyB] as JSONValue)
            writer.member("meters", each: meters) { $0.write(in: letterCase, withForecast: forecasts, to: &$1) }
            writer.member("next", next.map(\.description))
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
